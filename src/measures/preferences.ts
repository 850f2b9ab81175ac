import type { PreferenceGroup, PreferenceTopic } from '../core/judge-preferences.js';
import { InputError } from '../core/problem.js';
import type { Citation, MeasureDef } from './measure.js';

const carterette: Citation = {
  text: 'Carterette, Bennett, Chickering and Dumais, Here or there: preference judgments for relevance, ECIR 2008',
  doi: '10.1007/978-3-540-78646-7_5',
};

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

const scopeHelp: Readonly<Record<Scope, string>> = {
  all: 'All preferences count; one between two documents that were not retrieved is not fulfilled.',
  retrieved: 'Only preferences between two retrieved documents count.',
  implied: 'Only preferences of which at least one document was retrieved count.',
};

function countDef(name: string, title: string, help: string, value: (group: PreferenceGroup) => number): MeasureDef {
  return {
    name,
    title,
    help: `${help} Groups and topics are added up.`,
    params: {},
    needs: 'preferences',
    aggregate: 'sum',
    range: [0, Infinity],
    direction: name === 'PrefsPossible' ? 'neither' : 'higher',
    bindPreferences: () => (topic) => sumOver(topic, value),
  };
}

function shareDef(name: string, title: string, help: string, formula: string, value: (topic: PreferenceTopic) => number): MeasureDef {
  return {
    name,
    title,
    help,
    formula,
    cite: [carterette],
    params: {},
    needs: 'preferences',
    aggregate: 'mean',
    range: [0, 1],
    direction: 'higher',
    bindPreferences: () => value,
  };
}

export const prefsPossible: MeasureDef = countDef(
  'PrefsPossible',
  'Number of preferences',
  'How many preferences the judgements hold, counting a pair of documents once for each group that compared them.',
  (group) => possible(group, 'all'),
);

export const prefsFulfilled: MeasureDef = countDef(
  'PrefsFulfilled',
  'Number of preferences fulfilled',
  'How many preferences the ranking fulfils: the preferred document stands higher, or it alone was retrieved.',
  (group) => fulfilled(group, 'all'),
);

export const prefsFulfilledRet: MeasureDef = countDef(
  'PrefsFulfilledRet',
  'Number of preferences fulfilled among retrieved documents',
  'How many preferences between two retrieved documents have the preferred one higher.',
  (group) => fulfilled(group, 'retrieved'),
);

function simple(name: string, title: string, scope: Scope): MeasureDef {
  return shareDef(
    name,
    title,
    `The share of preferences that the ranking fulfils, all groups thrown together. ${scopeHelp[scope]} A topic without such preferences
    has 0.`,
    'fulfilled / possible, each added up over the groups',
    (topic) => {
      const all = sumOver(topic, (group) => possible(group, scope));
      return all > 0 ? sumOver(topic, (group) => fulfilled(group, scope)) / all : 0;
    },
  );
}

export const prefsSimp: MeasureDef = simple('PrefsSimp', 'Preferences fulfilled', 'all');
export const prefsSimpRet: MeasureDef = simple('PrefsSimpRet', 'Preferences fulfilled among retrieved documents', 'retrieved');
export const prefsSimpImp: MeasureDef = simple('PrefsSimpImp', 'Preferences fulfilled or implied', 'implied');

function byGroup(name: string, title: string, scope: Scope): MeasureDef {
  return shareDef(
    name,
    title,
    `The share of preferences that the ranking fulfils, taken for each group and averaged over the groups, so that a group with many
    judgements counts no more than another. ${scopeHelp[scope]} A group without such preferences counts as 0.`,
    '(1/g) sum over groups of fulfilled / possible',
    (topic) =>
      sumOver(topic, (group) => {
        const all = possible(group, scope);
        return all > 0 ? fulfilled(group, scope) / all : 0;
      }) / topic.groups.length,
  );
}

export const prefsAvg: MeasureDef = byGroup('PrefsAvg', 'Preferences fulfilled, mean of groups', 'all');
export const prefsAvgRet: MeasureDef = byGroup(
  'PrefsAvgRet',
  'Preferences fulfilled among retrieved documents, mean of groups',
  'retrieved',
);
export const prefsAvgImp: MeasureDef = byGroup('PrefsAvgImp', 'Preferences fulfilled or implied, mean of groups', 'implied');

function byPair(name: string, title: string, scope: Scope): MeasureDef {
  return shareDef(
    name,
    title,
    `Each pair of documents counts once: it is worth the share of the groups comparing the two that prefer the one which stands higher.
    ${scopeHelp[scope]} A topic without such pairs has 0.`,
    'mean over pairs of (groups that agree with the ranking) / (groups that compared the pair)',
    (topic) => meanOverPairs(topic, scope),
  );
}

export const prefsPair: MeasureDef = byPair('PrefsPair', 'Pairs in preferred order', 'all');
export const prefsPairRet: MeasureDef = byPair('PrefsPairRet', 'Pairs of retrieved documents in preferred order', 'retrieved');
export const prefsPairImp: MeasureDef = byPair('PrefsPairImp', 'Pairs in preferred order, implied ones included', 'implied');

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

const balancedHelp = `The mean over groups of the share of fulfilled preferences, with relevant and non-relevant documents brought into
    balance: where a group has more relevant documents than others, each surplus document adds preferences over documents that are not
    there; where it has fewer, only as many non-relevant documents count as there are relevant ones, and these are also compared with
    each other. One group without relevant documents makes the topic 0.`;

export const prefsAvgRNonRel: MeasureDef = shareDef(
  'PrefsAvgRNonRel',
  'Preferences fulfilled over R non-relevant documents',
  balancedHelp,
  '(1/g) sum over groups of fulfilled / possible, R relevant against R non-relevant documents',
  (topic) => meanOfBalanced(topic, 'all'),
);

export const prefsAvgRNonRelRet: MeasureDef = shareDef(
  'PrefsAvgRNonRelRet',
  'Preferences fulfilled over R non-relevant documents, retrieved ones only',
  `${balancedHelp} Only retrieved documents take part, but a surplus is still weighed by all relevant documents.`,
  '(1/g) sum over groups of fulfilled / possible, R relevant against R non-relevant retrieved documents',
  (topic) => meanOfBalanced(topic, 'retrieved'),
);

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
