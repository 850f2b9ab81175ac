import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-columns-'));
const home = process.cwd();

/** Run r has average precision 1 and 1/2, .75 in the mean. */
const files: Readonly<Record<string, string>> = {
  qrels: '1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n',
  'qrels.copy': '1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 1\n',
  prefs: '1 0 0 a 1\n1 0 0 b 0\n2 0 0 c 1\n2 0 0 d 0\n',
  r: '1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 d 1 2 r\n2 Q0 c 2 1 r\n',
  s: '1 Q0 b 1 2 s\n1 Q0 a 2 1 s\n2 Q0 d 1 2 s\n2 Q0 c 2 1 s\n',
  'r.json': '{"1": {"a": 2, "b": 1}, "2": {"d": 2, "c": 1}}',
  'r.csv': 'q,d,v\n1,a,2\n1,b,1\n2,d,2\n2,c,1\n',
  'bare.csv': '1,a,1\n1,b,2\n2,d,1\n2,c,2\n',
  'plain.csv': 'query_id,doc_id,score\n1,a,2\n1,b,1\n2,d,2\n2,c,1\n',
  'semicolons.csv': 'query_id;doc_id;score\r\n1;a;2,5\r\n1;b;1,5\r\n2;d;2,5\r\n2;c;1,5\r\n',
  'lines.msmarco': '1\ta\t1\n1\tb\t2\n2\td\t1\n2\tc\t2\n',
  'records.jsonl': '{"q":1,"d":"a","v":2}\n{"q":1,"d":"b","v":1}\n{"q":2,"d":"d","v":2}\n{"q":2,"d":"c","v":1}\n',
  'qrels.csv': 'q,d,g\n1,a,1\n1,b,0\n2,c,1\n2,d,0\n',
  'test.txt': '1 qid:1 1:3\n0 qid:1 1:2\n0 qid:2 1:3\n1 qid:2 1:1\n',
  predictions: '2\n1\n2\n1\n',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function gradus(line: string): Promise<{ status: number; out: string; err: string }> {
  const context = new CapturedContext();
  const status = await main(line.split(' '), context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

describe('--columns for files that have no columns to choose from is refused, and leaving it out is the way', () => {
  test.each([
    'eval qrels r -m AP',
    'eval prefs r -m AP',
    'eval qrels r.json -m AP',
    'eval test.txt predictions -m AP',
    'eval qrels r -m AP --engine duckdb',
    'compare qrels r s -m AP',
    'gate qrels r r -m AP --min-topics 2',
    'report qrels r -m AP --no-audit',
    'fuse r s --method rrf -o fused.run',
    'fuse r s --method wsum --folds 2 --tune AP --qrels qrels',
    'explain qrels r -m AP --as gradus,trec_eval',
    'correlate r s',
    'agree qrels qrels.copy -B 20',
    'correct qrels qrels.copy r s -m AP',
    'leaderboard qrels r s -m AP -B 20',
    'pool next qrels r s',
    'reproduce qrels r s -m AP',
    'convert r out.csv',
    'convert r.json out.run --kind run',
    'audit qrels r',
    'audit test.txt predictions',
    'meta power qrels r s -m AP',
    'meta stability qrels r s -m AP',
  ])('gradus %s', async (line) => {
    const refused = await gradus(`${line} --columns topic=0`);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toMatch(/--columns names topic=0, which is in none of the files.*; leave --columns out\n$/);
    const followed = await gradus(line);
    expect(followed.status, followed.err).toBe(0);
  });
});

describe('each column that is named has to be in one of the files', () => {
  test.each([
    ['eval qrels r.csv -m AP --columns topic=q,doc=d,score=v', 'grade=g', 'grade=g'],
    ['eval qrels.csv r -m AP --columns topic=q,doc=d,grade=g', 'score=v', 'score=v'],
    ['eval qrels.csv r -m AP --columns topic=q,doc=d,grade=g', 'group=x', 'group=x'],
    ['eval qrels records.jsonl -m AP --columns topic=q,doc=d,score=v', 'group=x', 'group=x'],
    ['eval qrels lines.msmarco -m AP --columns topic=1,doc=2,rank=3', 'grade=4', 'grade=4'],
  ])('gradus %s,%s', async (line, extra, named) => {
    const refused = await gradus(`${line},${extra}`);
    expect(refused.err).toMatch(new RegExp(`--columns names ${named}, which is in none of the files.*; leave ${named} out\n$`));
    expect(refused).toMatchObject({ status: 2, out: '' });
    const followed = await gradus(line);
    expect(followed.err).toBe('');
    expect(followed.out).toMatch(/\b0?\.7500/);
  });

  test('columns of one file say nothing against another that has none', async () => {
    for (const line of [
      'eval qrels r.csv r -m AP --columns topic=q,doc=d,score=v',
      'eval qrels r r.csv -m AP --columns topic=q,doc=d,score=v',
      'eval qrels.csv r.csv -m AP --columns topic=q,doc=d,score=v,grade=g',
      'eval qrels.csv r -m AP --engine duckdb --columns topic=q,doc=d,grade=g',
    ]) {
      const { out, err, status } = await gradus(line);
      expect(status, err).toBe(0);
      expect(out).toMatch(/\b0?\.7500/);
    }
  });

  test.each(['', ' --engine duckdb'])('the first line of a file whose columns are counted is data%s', async (engine) => {
    const { out } = await gradus(`eval qrels bare.csv -m AP --columns topic=1,doc=2,rank=3${engine}`);
    expect(out).toMatch(/\b0?\.7500/);
  });

  test.each(['', ' --engine duckdb'])('a column of ranks that is not there is missed, whatever else there is%s', async (engine) => {
    const refused = await gradus(`eval qrels plain.csv -m AP --columns rank=place${engine}`);
    expect(refused.status).toBe(2);
    expect(refused.err).toMatch(/plain\.csv.*: has no column for the rank; it has query_id.*; name one that is there: --columns rank=NAME/);
  });

  test('semicolons and decimal commas are read, and refused by DuckDB with what to do instead', async () => {
    const refused = await gradus('eval qrels semicolons.csv -m AP --engine duckdb');
    expect(refused.status).toBe(2);
    expect(refused.err).toContain('has semicolons between its fields, expected commas; evaluate it without --engine');
    expect((await gradus('eval qrels semicolons.csv -m AP')).out).toMatch(/\b0?\.7500/);
  });

  test('columns of ids that one file calls differently need not be in the other', async () => {
    expect((await gradus('eval qrels.csv plain.csv -m AP --columns topic=q,doc=d,grade=g')).out).toMatch(/\b0?\.7500/);
  });

  test('files that call a value differently are made alike as the message says', async () => {
    const refused = await gradus('eval qrels.csv plain.csv -m AP --columns topic=q,doc=d,grade=g,score=bm25');
    expect(refused.status).toBe(2);
    expect(refused.err).toMatch(
      /plain\.csv.*name one that is there: --columns score=NAME; gradus convert rewrites a file in which it is called otherwise/,
    );
    expect((await gradus('convert qrels.csv rewritten.qrels --columns topic=q,doc=d,grade=g')).status).toBe(0);
    expect((await gradus('eval rewritten.qrels plain.csv -m AP')).out).toMatch(/\b0?\.7500/);
  });
});
