import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { runShell } from '../helpers/run-gradus.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function audit(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(['audit', ...argv], context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

function kindsIn(out: string): string[][] {
  return JSON.parse(out).files.map(({ findings }: { findings: { kind: string }[] }) => findings.map(({ kind }) => kind));
}

describe('gradus audit', () => {
  test('tells of each file, and what to do', async () => {
    const qrels = file('q', '1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 0\n');
    const run = file('r', '1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n');
    const { out, err, status } = await audit(qrels, run, '--cutoff', '2');
    expect(out).toContain(`${qrels}: judgements, 2 topics, 4 judgements\n`);
    expect(out).toContain('warning  1 of 2 queries has no relevant document (grade 1 or more). In nDCG such a query counts as 0 by');
    expect(out).toContain('\n         -> Leave such queries out, or say with every number how they count');
    expect(out).toContain(`\n\n${run}: run, 2 topics, 4 documents\nnothing odd was found\n`);
    expect(err).toBe('');
    expect(status).toBe(0);
  });

  test('judgements alone will do', async () => {
    const { out, status } = await audit(file('alone', '1 0 a 1\n1 0 b 0\n'), '--json');
    expect(kindsIn(out)).toEqual([['grades']]);
    expect(JSON.parse(out).worst).toBe('info');
    expect(status).toBe(0);
  });

  test('the exit status follows the severity on request', async () => {
    const fine = file('fine', '1 0 a 1\n1 0 b 0\n');
    const empty = file('empty', '1 0 a 0\n1 0 b 0\n');
    const repeated = file('repeated', '1 0 a 1\n1 0 a 0\n1 0 b 0\n');
    const statuses = async (path: string): Promise<number[]> => [
      (await audit(path)).status,
      (await audit(path, '--fail-on', 'error')).status,
      (await audit(path, '--fail-on', 'warning')).status,
    ];
    expect(await statuses(fine)).toEqual([0, 0, 0]);
    expect(await statuses(empty)).toEqual([0, 0, 1]);
    expect(await statuses(repeated)).toEqual([0, 1, 1]);
  });

  test('recognises a learning-to-rank set, and takes NaN among the predictions', async () => {
    const testSet = file('test.txt', '1 qid:1 1:1\r\n0 qid:1 1:2\r\n0 qid:2 1:2\r\n');
    const predictions = file('p.txt', '1\r\nNaN\r\n-inf\r\n');
    const { out, status } = await audit(testSet, predictions, '--json', '--fail-on', 'error');
    const [, ofPredictions] = JSON.parse(out).files;
    expect(kindsIn(out)[0]).toEqual(['no-relevant', 'short-lists', 'one-document', 'grades', 'protocol']);
    expect(ofPredictions.findings[0]).toMatchObject({
      kind: 'non-finite',
      details: { nan: 1, infinite: 1 },
      examples: ['line 2', 'line 3'],
    });
    expect(status).toBe(1);
  });

  test('too few predictions, and something that is no number, are refused', async () => {
    const testSet = file('test2.txt', '1 qid:1 1:1\n0 qid:1 1:2\n');
    expect(await audit(testSet, file('p1', '1\n'))).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('expected 2 numbers'),
    });
    expect(await audit(testSet, file('p2', '1\nx\n'))).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining(':2: expected a number'),
    });
  });

  test('a rank that is no number is reported, and its line kept', async () => {
    const qrels = file('q3', '1 0 a 1\n1 0 b 0\n');
    const { out } = await audit(qrels, file('r3', '1 Q0 a first 2 t\n1 Q0 b 2 1 t\n1 Q0 c 3 x t\n'), '--json', '-k', '1');
    const [, run] = JSON.parse(out).files;
    expect(run.size).toBe('1 topic, 2 documents');
    expect(run.findings).toEqual([
      expect.objectContaining({ kind: 'unreadable-lines', count: 1, of: 3 }),
      expect.objectContaining({ kind: 'unreadable-ranks', count: 1, of: 2 }),
    ]);
  });

  test('ids cannot reach the terminal as control characters', async () => {
    const qrels = file('hostile', '\u001b[31mred 0 a\u0007 0\n__proto__ 0 constructor -1\n\u202ertl 0 a 0.5\n');
    const { out } = await audit(qrels);
    expect(out).toContain('\\x1b[31mred');
    expect(out).toContain('topic __proto__, document constructor');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test('--output writes the report to a file', async () => {
    const target = join(folder, 'report.json');
    const { out } = await audit(file('q4', '1 0 a 1\n1 0 b 0\n'), '--json', '-o', target);
    expect(out).toBe('');
    expect(JSON.parse(readFileSync(target, 'utf8')).files).toHaveLength(1);
  });

  test.each([
    ['judgements', '1 0 a 1\\n1 0 b 0\\n', /: judgements, 1 topic, 2 judgements\n/],
    ['a test set', '1 qid:1 1:1\\n0 qid:1 1:2\\n', /: test set, 1 query, 2 documents, 1 feature\n/],
  ])('%s may come through a pipe', (_, content, heading) => {
    expect(runShell(`gradus audit <(printf '${content}')`).stdout).toMatch(heading);
    expect(runShell(`printf '${content}' | gradus audit -`).stdout).toMatch(heading);
  });

  test('files that cannot be opened are refused', async () => {
    expect(await audit(join(folder, 'missing'))).toMatchObject({ status: 2, out: '' });
  });
});
