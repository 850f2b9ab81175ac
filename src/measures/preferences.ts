import type { PreferenceGroup, PreferenceTopic } from '../core/judge-preferences.js';
import { InputError } from '../core/problem.js';
import type { MeasureDef } from './measure.js';

/** Which preferences count: all of them, only those with both documents retrieved, or those with at least one. */
type Scope = 'all' | 'retrieved' | 'implied';

function fulfilled(group: PreferenceGroup, scope: Scope): number {
  return scope === 'retrieved' ? group.fulfilledRetrieved : group.fulfilledRetrieved + group.fulfilledImplied;
}

function possible(group: PreferenceGroup, scope: Scope): number {
  if (scope === 'retrieved') return group.possibleRetrieved;
  const some = group.possibleRetrieved + group.possibleImplied;
  return scope === 'implied' ? some : some + group.possibleUnretrieved;
}

function sumOver(topic: PreferenceTopic, value: (group: PreferenceGroup) => number): number {
  let sum = 0;
  for (const group of topic.groups) sum += value(group);
  return sum;
}

const common = { params: {}, needs: 'preferences' } as const;

function countDef(name: string, direction: MeasureDef['direction'], value: (group: PreferenceGroup) => number): MeasureDef {
  return { name, ...common, aggregate: 'sum', range: [0, Infinity], direction, bindPreferences: () => (topic) => sumOver(topic, value) };
}

function shareDef(name: string, value: (topic: PreferenceTopic) => number): MeasureDef {
  return { name, ...common, aggregate: 'mean', range: [0, 1], direction: 'higher', bindPreferences: () => value };
}

export const prefsPossible: MeasureDef = countDef('PrefsPossible', 'neither', (group) => possible(group, 'all'));
export const prefsFulfilled: MeasureDef = countDef('PrefsFulfilled', 'higher', (group) => fulfilled(group, 'all'));
export const prefsFulfilledRet: MeasureDef = countDef('PrefsFulfilledRet', 'higher', (group) => fulfilled(group, 'retrieved'));

function simple(name: string, scope: Scope): MeasureDef {
  return shareDef(name, (topic) => {
    const all = sumOver(topic, (group) => possible(group, scope));
    return all > 0 ? sumOver(topic, (group) => fulfilled(group, scope)) / all : 0;
  });
}

export const prefsSimp: MeasureDef = simple('PrefsSimp', 'all');
export const prefsSimpRet: MeasureDef = simple('PrefsSimpRet', 'retrieved');
export const prefsSimpImp: MeasureDef = simple('PrefsSimpImp', 'implied');

function byGroup(name: string, scope: Scope): MeasureDef {
  const share = (group: PreferenceGroup): number => {
    const all = possible(group, scope);
    return all > 0 ? fulfilled(group, scope) / all : 0;
  };
  return shareDef(name, (topic) => sumOver(topic, share) / topic.groups.length);
}

export const prefsAvg: MeasureDef = byGroup('PrefsAvg', 'all');
export const prefsAvgRet: MeasureDef = byGroup('PrefsAvgRet', 'retrieved');
export const prefsAvgImp: MeasureDef = byGroup('PrefsAvgImp', 'implied');

export const prefsPair: MeasureDef = shareDef('PrefsPair', (topic) => meanOverPairs(topic, 'all'));
export const prefsPairRet: MeasureDef = shareDef('PrefsPairRet', (topic) => meanOverPairs(topic, 'retrieved'));
export const prefsPairImp: MeasureDef = shareDef('PrefsPairImp', (topic) => meanOverPairs(topic, 'implied'));

function meanOverPairs(topic: PreferenceTopic, scope: Scope): number {
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

const MOST_PAIRS = 2 ** 28;

/** How often each document is preferred to each other one: at x * numJudged + y for x over y. */
function countPairs({ numJudged, groups }: PreferenceTopic): Uint32Array {
  if (numJudged * numJudged > MOST_PAIRS) {
    throw new InputError({
      message: `a topic with ${numJudged} judged documents has too many pairs to compare`,
      wayOut: `at most ${Math.sqrt(MOST_PAIRS)} documents can be compared pair by pair; PrefsSimp and PrefsAvg have no such limit`,
    });
  }
  const counts = new Uint32Array(numJudged * numJudged);
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

export const prefsAvgRNonRel: MeasureDef = shareDef('PrefsAvgRNonRel', (topic) => meanOfBalanced(topic, 'all'));
export const prefsAvgRNonRelRet: MeasureDef = shareDef('PrefsAvgRNonRelRet', (topic) => meanOfBalanced(topic, 'retrieved'));

function meanOfBalanced(topic: PreferenceTopic, scope: 'all' | 'retrieved'): number {
  const sum = sumOver(topic, (group) => balancedShare(group, topic.numRetrieved, scope));
  return sum !== 0 && !Number.isNaN(sum) ? sum / topic.groups.length : 0;
}

/** NaN if nothing can be compared. */
function balancedShare(group: PreferenceGroup, numRetrieved: number, scope: 'all' | 'retrieved'): number {
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
