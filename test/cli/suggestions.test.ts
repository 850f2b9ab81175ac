import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
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

describe('a suggestion that is followed helps', () => {
  beforeAll(async () => {
    for (const line of [
      'train linear-regression --train train.txt --model given.json --quiet',
      'train ranknet --train train.txt --model net.json --quiet --epochs 1 --threads 1',
      'train lambdamart --train train.txt --model trees.json --quiet --trees 2 --threads 1',
      'eval qrels r -m AP --json -o summary.json',
      'eval qrels r s -m AP -q --json -o both.json',
      'eval qrels r -m AP -q --json -o ap.json',
    ]) {
      expect(await gradus(line)).toMatchObject({ status: 0 });
    }
  });
  test.each(suggestionRows.map((row) => [row.before, row] as const))('gradus %s', async (_, row) => {
    await follow(row);
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

  test('the lists name nothing that is gone', () => {
    const texts = suggestionTexts();
    expect([...Object.keys(notFollowed), ...inWords].filter((text) => !texts.includes(text))).toEqual([]);
  });
});
