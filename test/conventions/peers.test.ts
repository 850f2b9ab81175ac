import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Convention } from '../../src/conventions/convention.js';
import { evaluateUnder } from '../../src/conventions/evaluate-under.js';
import { findConvention } from '../../src/conventions/registry.js';
import { InputError } from '../../src/core/problem.js';
import type { QrelsLike } from '../../src/core/qrels.js';
import type { ScoreTable } from '../../src/core/score-table.js';

/** What the real tools said of rankings made to hurt: scripts/check-peers.mjs --record made it, with the packages that
 *  scripts/golden/peers.py names. */
const folder = new URL('../golden/conventions/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

type Table = Record<string, Record<string, number>>;
interface Case {
  readonly qrels: Table;
  readonly run: Table;
  readonly subtopics?: readonly (readonly [topic: string, subtopic: string, doc: string, grade: number])[];
}
/** A number, or the name of one that JSON does not have. */
type Told = number | string;
interface Answer {
  readonly topics?: Record<string, Told>;
  readonly all?: Told;
  readonly error?: string;
}
interface Answers {
  readonly version: string;
  /** Our spelling, where the tool's is not one that Gradus reads. */
  readonly ours: Record<string, string>;
  readonly values: Record<string, Record<string, Answer>>;
}

const cases: Record<string, Case> = read('peer-cases.json');
const files = readdirSync(folder).filter((name) => /^peer-(?!cases).*\.json$/.test(name));

function judgementsOf({ qrels, subtopics }: Case): QrelsLike {
  return subtopics?.map(([topic, iteration, doc, grade]) => ({ topic, iteration, doc, grade })) ?? qrels;
}

/** undefined if the convention refuses, in a sentence. */
function tableUnder(convention: Convention, given: Case, measure: string): ScoreTable | undefined {
  try {
    return evaluateUnder(convention, judgementsOf(given), given.run, [measure]);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message.length).toBeGreaterThan(20);
    return undefined;
  }
}

/** The values that are not those of the tool. */
function differences(convention: Convention, { topics, all }: Answer, table: ScoreTable, isKnown: boolean): string[] {
  const decimals = topics === undefined ? convention.rules.printed?.decimals : undefined;
  const isEqual = (told: Told, actual: number): boolean => {
    const expected = Number(told);
    if (Number.isNaN(expected)) return Number.isNaN(actual);
    return Math.abs(actual - expected) <= (decimals === undefined ? 1e-11 * Math.max(1, Math.abs(expected)) : 0.5001 * 10 ** -decimals);
  };
  const wrong: string[] = [];
  const compare = (topic: string, told: Told, actual: number): void => {
    if (!isEqual(told, actual)) wrong.push(`${topic}: ${told}, here ${actual}`);
  };
  if (topics !== undefined && !isKnown) {
    for (const [topic, told] of Object.entries(topics))
      compare(topic, told, table.topics.includes(topic) ? table.value(topic, 0) : Infinity);
    // a topic that the tool leaves out has no value here either
    for (const topic of table.topics) if (!Object.hasOwn(topics, topic)) compare(topic, 'nan', table.value(topic, 0));
  }
  if (all !== undefined) compare('all', all, table.aggregate(0));
  return wrong;
}

describe.each(files)('%s', (file) => {
  const { version, ours, values }: Answers = read(file);
  const convention = findConvention(file.replace(/^peer-|(-diversity)?\.json$/g, ''));
  const isKnown = (measure: string): boolean => convention.deviations?.some((known) => known.measure === measure) === true;

  test('is of the version that the convention names', () => {
    expect(version).toBe(convention.version);
  });

  test.each(Object.keys(values))('%s', (name) => {
    let compared = 0;
    const wrong: string[] = [];
    for (const [measure, answer] of Object.entries(values[name])) {
      const table = tableUnder(convention, cases[name], ours[measure] ?? measure);
      if (table === undefined) continue;
      compared++;
      // where the tool fails there is no number to give
      if (answer.error !== undefined) wrong.push(`${measure}: ${answer.error}, here ${table.aggregate(0)}`);
      else wrong.push(...differences(convention, answer, table, isKnown(measure)).map((words) => `${measure}, ${words}`));
    }
    expect(wrong).toEqual([]);
    // grades or lists that a tool does not take at all leave nothing to compare
    if (!/negative$|higher|odd|own/.test(name)) expect(compared).toBeGreaterThan(0);
  });
});

/** Measures that a tool gives a value to and its convention does not, on rankings without anything odd. */
const notModelled: Readonly<Record<string, readonly string[]>> = {
  'peer-ir_measures.json': ['IPrec@0.125'],
  'peer-beir.json': ['MRR', 'R_cap', 'Hole', 'Accuracy'].flatMap((name) => [1, 3, 5, 20].map((k) => `${name}@${k}`)),
  'peer-xgboost.json': ['ndcg', 'ndcg-'],
  'peer-catboost.json': ['MAP:top=3', 'MRR', 'PrecisionAt:top=3', 'DCG:top=3'],
};

test.each(files)('%s: little is refused that the tool computes', (file) => {
  const { ours, values }: Answers = read(file);
  const convention = findConvention(file.replace(/^peer-|(-diversity)?\.json$/g, ''));
  const refused = Object.entries(values.plain ?? {}).filter(
    ([measure, { error }]) => error === undefined && tableUnder(convention, cases.plain, ours[measure] ?? measure) === undefined,
  );
  expect(refused.map(([measure]) => measure).sort()).toEqual([...(notModelled[file] ?? [])].sort());
});

describe('what a convention refuses', () => {
  const refusals: readonly (readonly [convention: string, measure: string, words: RegExp])[] = [
    ['ir_measures', 'GAP', /ir_measures does not compute GAP/],
    ['ir_measures', 'ERR', /ir_measures does not compute ERR; it has ERR with cutoff given/],
    ['ir_measures', "nDCG(dcg='exp-log2')", /hands it to ranx where that is installed/],
    ['ir_measures', 'IPrec@0.125', /rounds recall to 2 decimals/],
    ['ranx', 'infAP', /ranx does not compute infAP/],
    ['beir', 'RR@10', /BEIR computes it apart from the others/],
    ['lightgbm', 'RR', /lightgbm does not compute RR/],
    ['xgboost', 'nDCG', /without a cutoff takes one from the parameters of training/],
    ['catboost', 'AP@3', /catboost does not compute AP@3/],
    ['sklearn', 'AP', /sklearn does not compute AP/],
    [
      'letor4',
      'ERR@10',
      /letor4 does not compute ERR@10; letor4 has nDCG, MeanNDCG, P, AP; every other measure is there without --convention/,
    ],
    ['letor3', 'MeanNDCG', /letor3 does not compute MeanNDCG/],
    ['letor4', 'nDCG', /letor4 does not compute nDCG; it has nDCG with cutoff given/],
    ['mslr', 'AP@5', /mslr does not compute AP@5; it has AP with cutoff left out/],
    ['yahoo', 'AP', /yahoo does not compute AP; yahoo has nDCG, ERR/],
    ['yahoo', 'ERR@10', /yahoo does not compute ERR@10; it has ERR with cutoff left out/],
    ['ranklib', 'Bpref', /ranklib@2.8 does not compute Bpref; ranklib@2.8 has nDCG, DCG, ERR, P, Best, AP, RR/],
    ['ranklib', 'RR', /RankLib 2.8 gives RR without a cutoff the value 0, whatever the ranking/],
    ['ranklib@2.1', 'RR@10', /RankLib 2.1 takes no notice of the cutoff of RR/],
  ];
  test.each(refusals)('%s: %s', (name, measure, words) => {
    expect(() => evaluateUnder(findConvention(name), { q: { a: 1, b: 0 } }, { q: { a: 2, b: 1 } }, [measure])).toThrow(words);
  });

  test.each([
    [
      'lightgbm',
      'nDCG@3',
      { a: -1, b: 1 },
      /topic q has a document of grade -1, and lightgbm takes only whole grades from 0 up to 30 for nDCG/,
    ],
    ['xgboost', 'AP@3', { a: 2, b: 1 }, /topic q has a document of grade 2, and xgboost takes only whole grades from 0 up to 1/],
    ['ir_measures', 'ERR@3', { a: 5, b: 1 }, /topic q has a document of grade 5, and gdeval takes only whole grades up to 4/],
    ['ir_measures', 'ERR@3', { a: 4, b: 1 }, /topic q is not named by a whole number, and gdeval, by which ir_measures computes ERR/],
    ['ranx', 'bpref', { a: 0, b: 0 }, /topic q has no relevant document; there ranx gives up on Bpref/],
    ['ir_measures', 'Accuracy', { a: 1, b: 1 }, /ir_measures fails on such a topic/],
  ] as const)('%s: %s of judgements that it does not take', (name, measure, grades, words) => {
    expect(() => evaluateUnder(findConvention(name), { q: grades }, { q: { a: 2, b: 1 } }, [measure])).toThrow(words);
  });
});
