import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { preferences } from '../../src/core/judging/judge-preferences.js';
import { InputError } from '../../src/core/problem.js';
import { ScoreTable } from '../../src/core/score-table.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { evaluate } from '../../src/measures/evaluate.js';
import { compareSystems } from '../../src/stats/compare.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { suggestionCalls } from '../helpers/suggestion-calls.js';
import { type SuggestionRow, suggestionFiles } from '../helpers/suggestion-files.js';
import { inWords, notFollowed } from '../helpers/suggestion-lists.js';
import { suggestionRows } from '../helpers/suggestion-rows.js';
import { HOLE, suggestionTexts } from '../helpers/suggestion-texts.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-suggestions-'));
const home = process.cwd();
beforeAll(() => {
  for (const [name, text] of Object.entries(suggestionFiles)) writeFileSync(join(folder, name), text);
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

/** The words of a line, as a shell would divide it. */
function words(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single: string | undefined, double: string | undefined) => single ?? double ?? ''),
  );
}

interface Printed {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function gradus(line: string): Promise<Printed> {
  if (line.startsWith('WRITE ')) {
    const [, name, text] = /^WRITE (\S+) ([\s\S]*)$/.exec(line) ?? [];
    writeFileSync(name, text);
    return { status: 0, out: text, err: '' };
  }
  if (line.startsWith('PRINT ')) return { status: 0, out: readFileSync(line.slice(6), 'latin1'), err: '' };
  const context = new CapturedContext();
  const status = await main(words(line), context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

/** All messages that the rows have brought up. */
const printed: string[] = [];

async function follow({ before, suggestion, after, prints }: SuggestionRow): Promise<void> {
  const refused = await gradus(before);
  printed.push(refused.err);
  expect(refused.err).toMatch(suggestion);
  expect(refused.status).toBe(2);
  const found = suggestion.exec(refused.err) ?? [];
  let last = '';
  for (const line of after) {
    const { status, out, err } = await gradus(line.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? ''));
    expect(status, err).toBe(0);
    last = out;
  }
  expect(last).toMatch(prints);
}

beforeAll(async () => {
  for (const line of [
    'train linear-regression --train train.txt --model given.json --quiet',
    'train ranknet --train train.txt --model net.json --quiet --epochs 1 --threads 1',
    'train lambdamart --train train.txt --model trees.json --quiet --trees 2 --min-docs 1 --threads 1',
    'eval qrels r -m AP --json -o summary.json',
    'eval qrels r s -m AP -q --json -o both.json',
    'eval qrels r -m AP -q --json -o ap.json',
    "eval qrels r s -m 'AP RR' -q --json -o ap-rr.json",
    "eval qrels r s -m 'P@1 P@2' -q --json -o p.json",
    'train linear-regression --train x-y.csv --model x-y.json --quiet',
    'train linear-regression --train train.txt --model by-query.json --quiet --normalise query-zscore',
    'train ranknet --train train.txt --model relu.json --quiet --epochs 1 --threads 1 --activation relu',
  ]) {
    expect(await gradus(line)).toMatchObject({ status: 0 });
  }
}, 120_000);

describe('a suggestion that is followed helps', () => {
  test.each(suggestionRows.map((row) => [row.before, row] as const))('gradus %s', async (_, row) => {
    await follow(row);
  });
});

/** What the library says about a call that it refuses. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a suggestion for callers of the library helps', () => {
  test.each(suggestionCalls.map((call) => [call.suggestion, call] as const))('%s', (_, { suggestion, refused, followed, gives }) => {
    const message = refusal(refused);
    printed.push(message);
    expect(message.endsWith(`; ${suggestion}`), message).toBe(true);
    expect(followed()).toEqual(gives);
  });

  test('give preferences(judgements) instead', () => {
    const judgements = { 1: { a: 1, b: 0 }, 2: { c: 1, d: 0 } };
    const run = { 1: { a: 2, b: 1 }, 2: { d: 2, c: 1 } };
    const message = refusal(() => evaluate(judgements, run, ['PrefsSimp']));
    printed.push(message);
    expect(message).toContain('give preferences(judgements) instead');
    // the preference of topic 1 is kept, that of topic 2 is not
    expect(evaluate(preferences(judgements), run, ['PrefsSimp']).aggregate(0)).toBe(0.5);
  });

  test('leave such topics out with the policy skip', () => {
    const scores = (values: number[]): ScoreTable =>
      new ScoreTable(['a', 'b'], ['1', '2', '3'], [{ name: 'Cost', aggregate: 'mean' }], Float64Array.from(values));
    const table = scores([1, 2, 4, 2, 3, Number.NaN]);
    const options = { directions: { Cost: 'lower' } } as const;
    const message = refusal(() => compareSystems(table, { ...options, missing: 'zero' }));
    printed.push(message);
    expect(message).toContain('leave such topics out with the policy skip');
    const [{ topics, systems }] = compareSystems(table, { ...options, missing: 'skip' }).measures;
    expect(topics).toEqual(['1', '2']);
    expect(systems.map(({ mean }) => mean)).toEqual([1.5, 2.5]);
  });

  test('gradus model convert reads the models of other tools', async () => {
    expect(await gradus('model convert trees.json foreign.json --to xgboost')).toMatchObject({ status: 0 });
    const message = refusal(() => modelFromJson(readFileSync('foreign.json', 'utf8')));
    printed.push(message);
    expect(message).toContain('gradus model convert reads the models of other tools');
    expect(await gradus('model convert foreign.json back.json')).toMatchObject({ status: 0 });
    const scores: string[] = [];
    for (const name of ['trees', 'back']) {
      expect(await gradus(`score ${name}.json train.txt --quiet --name x -o ${name}.run`)).toMatchObject({ status: 0 });
      // XGBoost keeps 32 bits of each number
      scores.push(readFileSync(`${name}.run`, 'utf8').replaceAll(/(\.\d{6})\d+/g, '$1'));
    }
    expect(scores[0]).toMatch(/^1 Q0 01 1 0?\.\d+ x\n/);
    expect(scores[1]).toBe(scores[0]);
  });
});

describe('no suggestion is left out', () => {
  const pattern = (text: string): RegExp =>
    new RegExp(
      `; ${text
        .split(HOLE)
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')}$`,
      'm',
    );

  test('every one in the source is followed here, or is listed with the reason why not', () => {
    const unknown = suggestionTexts().filter(
      (text) => !(text in notFollowed) && !inWords.includes(text) && !printed.some((message) => pattern(text).test(message)),
    );
    expect(unknown).toEqual([]);
  });

  test('the lists name nothing that a row follows', () => {
    const listed = [...Object.keys(notFollowed), ...inWords];
    expect(listed.filter((text) => printed.some((message) => pattern(text).test(message)))).toEqual([]);
  });

  test('the lists name nothing that is gone', () => {
    const texts = suggestionTexts();
    expect([...Object.keys(notFollowed), ...inWords].filter((text) => !texts.includes(text))).toEqual([]);
  });
});
