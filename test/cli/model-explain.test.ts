import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { modelToJson } from '../../src/ltr/models/json.js';
import { CapturedContext } from '../helpers/captured-context.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-explain-'));
  writeFileSync(
    join(folder, 'linear.json'),
    modelToJson({
      learner: 'coordinate-ascent',
      firstFeature: 1,
      numFeatures: 2,
      missing: 0,
      scorer: { kind: 'linear', weights: Float64Array.of(2, -3), bias: 1 },
    }),
  );
  // scores 1 + 2x - 3y: a has 3, b 1, c -4
  writeFileSync(join(folder, 'data.txt'), '0 qid:1 1:1 2:0 # docid = a\n2 qid:1 1:3 2:2 # docid = b\n1 qid:1 1:2 2:3 # docid = c\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function explain(...argv: string[]): Promise<{ status: number; out: string; words: string }> {
  const context = new CapturedContext();
  const status = await main(['model', 'explain', join(folder, 'linear.json'), join(folder, 'data.txt'), ...argv], context);
  return { status, out: context.stdout.text, words: context.stderr.text };
}

describe('gradus model explain', () => {
  test('shows the ranking of a query, and what each feature adds to each document', async () => {
    const { status, out } = await explain('--query', '1', '--json');
    expect(status).toBe(0);
    const { documents } = JSON.parse(out);
    // means of the features are 2 and 5/3: a document in the middle scores 1 + 4 - 5
    expect(
      documents.map(({ document, rank, score }: { document: string; rank: number; score: number }) => [document, rank, score]),
    ).toEqual([
      ['a', 1, 3],
      ['b', 2, 1],
      ['c', 3, -4],
    ]);
    expect(documents[0].base).toBeCloseTo(0, 12);
    const [first, second] = documents[0].features;
    expect([first.id, second.id]).toEqual([2, 1]);
    expect(first.contribution).toBeCloseTo(5, 12);
    expect(second.contribution).toBeCloseTo(-2, 12);
  });

  test('says why one document is above another, and what it costs', async () => {
    const { status, out } = await explain('--query', '1', '--document', 'b', '--against', 'a', '-m', 'P@1');
    expect(status).toBe(0);
    expect(out).toBe(
      [
        'a (rank 1, label 0, score 3.0000) is above b (rank 2, label 2, score 1.0000) by 2.0000',
        'If they changed places, P@1 of query 1 would be 1.0000 instead of 0.0000 (+1.0000)',
        '',
        'feature  of the upper  of the lower     adds  turns the order',
        '      2             0             2  +6.0000  yes',
        '      1             1             3  -4.0000',
        '',
      ].join('\n'),
    );
  });

  test('tells over all data how far features move scores within queries', async () => {
    const { out } = await explain('--json');
    const { features } = JSON.parse(out);
    // one query, so that means within it are the means: |2 (x - 2)| and |3 (y - 5/3)| over three documents
    expect(features.map(({ id }: { id: number }) => id)).toEqual([2, 1]);
    expect(features[0].meanSizeWithinQuery).toBeCloseTo((5 + 1 + 4) / 3, 12);
    expect(features[1].meanSizeWithinQuery).toBeCloseTo((2 + 2 + 0) / 3, 12);
  });

  test.each([
    [['--query', '7'], /the data has no query 7; it has 1/],
    [['--query', '1', '--document', 'x', '--against', 'a'], /query 1 has no document x; its first is a/],
    [['--query', '1', '--document', 'a', '--against', 'a'], /a document cannot be compared with itself/],
    [['--document', 'a', '--against', 'b'], /--document needs --query; add --query ID/],
    [['--query', '1', '--document', 'a'], /--document and --against belong together; give both/],
    [['--query', '1', '--method', 'path'], /contributions by path are for trees, and this is a linear model; use interventional/],
  ])('refuses %j in a sentence', async (argv, sentence) => {
    const { status, out, words } = await explain(...argv);
    expect([status, out]).toEqual([2, '']);
    expect(words).toMatch(sentence);
  });
});
