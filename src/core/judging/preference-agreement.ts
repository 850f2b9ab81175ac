import { evaluationLimits } from '../evaluation-limits.js';
import { InputError } from '../problem.js';
import type { PreferenceGroup, PreferenceTopic } from './judge-preferences.js';

/** Which preferences count: all of them, only those with both documents retrieved, or those with at least one. */
export type PreferenceScope = 'all' | 'retrieved' | 'implied';

/** What is counted: how many preferences are *possible* and how many *fulfilled*; the share of those in all (*simple*), its
 *  mean over groups (*group*) or over pairs of documents (*pair*), or the mean over groups with as many documents of
 *  grade 0 as relevant ones (*balanced*). */
export type AgreementKind = 'possible' | 'fulfilled' | 'simple' | 'group' | 'pair' | 'balanced';

/** How far a ranking agrees with preferences. */
export function agreementOf(topic: PreferenceTopic, kind: AgreementKind, scope: PreferenceScope): number {
  switch (kind) {
    case 'possible':
      return sumOver(topic, (group) => possible(group, scope));
    case 'fulfilled':
      return sumOver(topic, (group) => fulfilled(group, scope));
    case 'simple': {
      const all = agreementOf(topic, 'possible', scope);
      return all > 0 ? agreementOf(topic, 'fulfilled', scope) / all : 0;
    }
    case 'group':
      return sumOver(topic, (group) => shareOf(group, scope)) / topic.groups.length;
    case 'pair':
      return meanOverPairs(topic, scope);
    case 'balanced':
      return meanOfBalanced(topic, scope);
  }
}

function sumOver(topic: PreferenceTopic, value: (group: PreferenceGroup) => number): number {
  let sum = 0;
  for (const group of topic.groups) sum += value(group);
  return sum;
}

function fulfilled(group: PreferenceGroup, scope: PreferenceScope): number {
  return scope === 'retrieved' ? group.fulfilledRetrieved : group.fulfilledRetrieved + group.fulfilledImplied;
}

function possible(group: PreferenceGroup, scope: PreferenceScope): number {
  if (scope === 'retrieved') return group.possibleRetrieved;
  const some = group.possibleRetrieved + group.possibleImplied;
  return scope === 'implied' ? some : some + group.possibleUnretrieved;
}

function shareOf(group: PreferenceGroup, scope: PreferenceScope): number {
  const all = possible(group, scope);
  return all > 0 ? fulfilled(group, scope) / all : 0;
}

function meanOverPairs(topic: PreferenceTopic, scope: PreferenceScope): number {
  const { numJudged, numRetrieved } = topic;
  const counts = countPairs(topic);
  let sum = 0;
  let numPairs = 0;
  const add = (high: number, low: number): void => {
    const agreeing = counts[high * numJudged + low];
    const comparing = agreeing + counts[low * numJudged + high];
    if (comparing === 0) return;
    numPairs++;
    if (high < numRetrieved) sum += agreeing / comparing;
  };
  for (let high = 0; high < numRetrieved; high++) for (let low = high + 1; low < numRetrieved; low++) add(high, low);
  if (scope !== 'retrieved') {
    for (let high = 0; high < numRetrieved; high++) for (let low = numRetrieved; low < numJudged; low++) add(high, low);
  }
  if (scope === 'all') {
    for (let high = numRetrieved; high < numJudged; high++) for (let low = high + 1; low < numJudged; low++) add(high, low);
  }
  return numPairs > 0 ? sum / numPairs : 0;
}

/** How often each document is preferred to each other one: at x * numJudged + y for x over y. */
function countPairs({ numJudged, groups }: PreferenceTopic): Uint32Array {
  const { pairedDocuments } = evaluationLimits;
  if (numJudged > pairedDocuments) {
    throw new InputError({
      message: `a topic has ${numJudged} judged documents, expected at most ${pairedDocuments} documents to compare pair by pair`,
      wayOut: 'PrefsSimp and PrefsAvg have no such limit',
    });
  }
  const counts = new Uint32Array(numJudged * numJudged); // fits: counts of judges, who have a row each
  for (const { order } of groups) {
    if (order.kind === 'classes') {
      for (const [a, higher] of order.classes.entries()) {
        for (const lower of order.classes.slice(a + 1)) {
          for (const x of higher) for (const y of lower) counts[x * numJudged + y]++;
        }
      }
      continue;
    }
    const { docs, prefers } = order;
    for (let i = 0; i < docs.length; i++) {
      for (let j = 0; j < docs.length; j++) counts[docs[i] * numJudged + docs[j]] += prefers[i * docs.length + j];
    }
  }
  return counts;
}

function meanOfBalanced(topic: PreferenceTopic, scope: PreferenceScope): number {
  const sum = sumOver(topic, (group) => balancedShare(group, topic.numRetrieved, scope));
  return sum !== 0 && !Number.isNaN(sum) ? sum / topic.groups.length : 0;
}

/** NaN if nothing can be compared. */
function balancedShare(group: PreferenceGroup, numRetrieved: number, scope: PreferenceScope): number {
  const { numRelevant, numRelevantRetrieved, order } = group;
  const relevant = scope === 'all' ? numRelevant : numRelevantRetrieved;
  const surplus = relevant - (scope === 'all' ? group.numNonRelevant : group.numNonRelevantRetrieved);
  if (surplus >= 0) {
    return (fulfilled(group, scope) + numRelevantRetrieved * surplus) / (possible(group, scope) + numRelevant * surplus);
  }
  const isCounted = (number: number): boolean => scope === 'all' || number < numRetrieved;
  let kept = 0;
  let all = 0;
  const compare = (high: number, low: number): void => {
    if (!isCounted(high) || !isCounted(low)) return;
    all++;
    if (high < low && high < numRetrieved) kept++;
  };
  if (order.kind === 'classes') {
    const last = order.classes.length - 1;
    const nonRelevant = order.classes[last].subarray(0, relevant);
    for (const [a, higher] of order.classes.entries()) {
      for (let b = a + 1; b < last; b++) for (const x of higher) for (const y of order.classes[b]) compare(x, y);
      for (const x of higher) for (const y of nonRelevant) compare(x, y);
    }
  } else {
    const { docs, grades, prefers } = order;
    // documents at grade 0 count only while there are no more of them than relevant ones
    let zeros = 0;
    const ignored = Array.from(grades, (grade) => grade === 0 && ++zeros > numRelevant);
    for (let i = 0; i < docs.length; i++) {
      for (let j = 0; j < docs.length; j++) {
        if (prefers[i * docs.length + j] === 1 && !ignored[i] && !ignored[j]) compare(docs[i], docs[j]);
      }
    }
  }
  return kept / all;
}
