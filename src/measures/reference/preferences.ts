import type { FamilyDocs, MeasureDoc, MeasureExample } from './doc.js';

/** Two judges: the one has a above b above c, the other b above a. b and a were retrieved. */
const data = { run: 'b a', qrels: { one: 'a:2 b:1 c:0', two: 'b:1 a:0' } } as const;
const carterette = {
  text: 'Carterette, Bennett, Chickering and Dumais, Here or there: preference judgments for relevance, ECIR 2008',
  doi: '10.1007/978-3-540-78646-7_5',
};
const scopes = {
  '': 'All preferences count; one between two documents that were not retrieved is not fulfilled.',
  Ret: 'Only preferences between two retrieved documents count.',
  Imp: 'Only preferences of which at least one document was retrieved count.',
} as const;

const example = (measure: string, worked: string, value: number): readonly MeasureExample[] => [{ measure, ...data, worked, value }];

function simple(scope: keyof typeof scopes, title: string, worked: string, value: number): MeasureDoc {
  return {
    title,
    help: `The share of preferences that the ranking fulfils, all groups thrown together. ${scopes[scope]} A topic without such preferences has 0.`,
    formula: 'fulfilled / possible, each added up over the groups',
    cite: [carterette],
    examples: example(`PrefsSimp${scope}`, worked, value),
  };
}

function byGroup(scope: keyof typeof scopes, title: string, worked: string, value: number): MeasureDoc {
  return {
    title,
    help: `The share of preferences that the ranking fulfils, taken for each group and averaged over the groups, so that a group with many
      judgements counts no more than another. ${scopes[scope]} A group without such preferences counts as 0.`,
    formula: '(1/g) sum over groups of fulfilled / possible',
    cite: [carterette],
    examples: example(`PrefsAvg${scope}`, worked, value),
  };
}

function byPair(scope: keyof typeof scopes, title: string, worked: string, value: number): MeasureDoc {
  return {
    title,
    help: `Each pair of documents counts once: it is worth the share of the groups comparing the two that prefer the one which stands higher.
      ${scopes[scope]} A topic without such pairs has 0.`,
    formula: 'mean over pairs of (groups that agree with the ranking) / (groups that compared the pair)',
    cite: [carterette],
    examples: example(`PrefsPair${scope}`, worked, value),
  };
}

const balanced = `The mean over groups of the share of fulfilled preferences, with relevant and non-relevant documents brought into
      balance: where a group has more relevant documents than others, each surplus document adds preferences over documents that are not
      there; where it has fewer, only as many non-relevant documents count as there are relevant ones, and these are also compared with
      each other. One group without relevant documents makes the topic 0.`;

/** The reference of `preferences.ts`. */
export const preferenceDocs: FamilyDocs = {
  PrefsPossible: {
    title: 'Number of preferences',
    help: 'How many preferences the judgements hold, counting a pair of documents once for each group that compared them. Groups and topics are added up.',
    examples: example('PrefsPossible', '3 + 1', 4),
  },
  PrefsFulfilled: {
    title: 'Number of preferences fulfilled',
    help: 'How many preferences the ranking fulfils: the preferred document stands higher, or it alone was retrieved. Groups and topics are added up.',
    examples: example('PrefsFulfilled', '2 + 1', 3),
  },
  PrefsFulfilledRet: {
    title: 'Number of preferences fulfilled among retrieved documents',
    help: 'How many preferences between two retrieved documents have the preferred one higher. Groups and topics are added up.',
    examples: example('PrefsFulfilledRet', '0 + 1', 1),
  },
  PrefsSimp: simple('', 'Preferences fulfilled', '(2 + 1) / (3 + 1)', 0.75),
  PrefsPair: byPair('', 'Pairs in preferred order', '(1/2 + 1/1 + 1/1) / 3', 0.8333),
  PrefsAvg: byGroup('', 'Preferences fulfilled, mean of groups', '(2/3 + 1/1) / 2', 0.8333),
  PrefsAvgRNonRel: {
    title: 'Preferences fulfilled over R non-relevant documents',
    help: balanced,
    formula: '(1/g) sum over groups of fulfilled / possible, R relevant against R non-relevant documents',
    cite: [carterette],
    examples: example('PrefsAvgRNonRel', '((2 + 2*1)/(3 + 2*1) + 1/1) / 2', 0.9),
  },
  PrefsSimpRet: simple('Ret', 'Preferences fulfilled among retrieved documents', '(0 + 1) / (1 + 1)', 0.5),
  PrefsPairRet: byPair('Ret', 'Pairs of retrieved documents in preferred order', '1/2', 0.5),
  PrefsAvgRet: byGroup('Ret', 'Preferences fulfilled among retrieved documents, mean of groups', '(0/1 + 1/1) / 2', 0.5),
  PrefsAvgRNonRelRet: {
    title: 'Preferences fulfilled over R non-relevant documents, retrieved ones only',
    help: `${balanced} Only retrieved documents take part, but a surplus is still weighed by all relevant documents.`,
    formula: '(1/g) sum over groups of fulfilled / possible, R relevant against R non-relevant retrieved documents',
    cite: [carterette],
    examples: example('PrefsAvgRNonRelRet', '((0 + 2*2)/(1 + 2*2) + 1/1) / 2', 0.9),
  },
  PrefsSimpImp: simple('Imp', 'Preferences fulfilled or implied', '(2 + 1) / (3 + 1)', 0.75),
  PrefsPairImp: byPair('Imp', 'Pairs in preferred order, implied ones included', '(1/2 + 1/1 + 1/1) / 3', 0.8333),
  PrefsAvgImp: byGroup('Imp', 'Preferences fulfilled or implied, mean of groups', '(2/3 + 1/1) / 2', 0.8333),
};
