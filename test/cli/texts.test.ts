import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-texts-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: Readonly<Record<string, string | Uint8Array>> = {
  qrels: 'q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n',
  'before.run': 'q1 Q0 b 1 2 before\nq1 Q0 a 2 1 before\nq2 Q0 c 1 1 before\n',
  'after.run': 'q1 Q0 a 1 2 after\nq1 Q0 b 2 1 after\nq2 Q0 d 1 2 after\nq2 Q0 c 2 1 after\n',
  'queries.jsonl': '{"_id":"q2","text":"red shoes","metadata":{}}\n{"_id":"q1","text":"cheap <b>flights</b>","metadata":{}}\n',
  'queries.jsonl.gz': gzipSync('{"_id":"q1","text":"cheap <b>flights</b>"}\n'),
  'queries.csv': 'query_id,query\nq1,"cheap <b>flights</b>"\nq2,"shoes, red"\n',
  'queries.tsv': 'q1\tcheap <b>flights</b>\nq2\t"red" shoes\n',
  'queries.json': '{\n  "q1": "cheap <b>flights</b>",\n  "q2": "red shoes"\n}\n',
  'list.json': '[\n  {"id": "q1", "question": "cheap <b>flights</b>"}\n]\n',
  'corpus.jsonl': '{"_id":"a","title":"Alpha","text":"first","url":"https://example.org/a"}\n{"_id":"z","title":"Omega","text":""}\n',
  'products.tsv': 'sku\tname\tlink\na\tAlpha\thttps://example.org/a\n',
  'others.jsonl': '{"_id":"x1","text":"something"}\n',
  'prices.csv': 'price,colour\n1,red\n',
};
for (const [name, content] of Object.entries(files)) writeFileSync(at(name), content);

function ok(...args: string[]): string {
  const { stdout, stderr, status } = runGradus(args);
  expect([stderr, status], args.join(' ')).toEqual(['', 0]);
  return stdout;
}

const byTopic = (...more: string[]): string[] => [
  'compare',
  at('qrels'),
  at('before.run'),
  at('after.run'),
  '-m',
  'RR',
  '--by-topic',
  ...more,
];

describe('texts of queries and documents', () => {
  const forms = ['queries.jsonl', 'queries.jsonl.gz', 'queries.csv', 'queries.tsv', 'queries.json', 'list.json'];

  test.each(forms)('compare --by-topic shows queries from %s', (name) => {
    const topics = JSON.parse(ok(...byTopic('--queries', at(name), '--json'))).byTopic[0].topics as { topic: string; query?: string }[];
    expect(topics.find(({ topic }) => topic === 'q1')?.query).toBe('cheap <b>flights</b>');
  });

  test.each(['corpus.jsonl', 'products.tsv'])('and titles and links of documents from %s', (name) => {
    const [{ topics }] = JSON.parse(ok(...byTopic('--documents', at(name), '--json'))).byTopic;
    expect(topics[0].moved[0]).toMatchObject({ doc: 'a', title: 'Alpha', url: 'https://example.org/a' });
    expect(ok(...byTopic('--documents', at(name)))).toContain('a "Alpha" (grade 1) 2 -> 1');
  });

  test('tables for people have a column for the query', () => {
    const printed = ok(...byTopic('--queries', at('queries.tsv')));
    expect(printed).toMatch(/topic +query +before +after/);
    expect(printed).toMatch(/q2 +"red" shoes +1\.0000 +0\.5000/);
  });

  test('reports show them beside the topics, and a page shows marks in them as text', () => {
    ok('report', at('qrels'), at('before.run'), at('after.run'), '-m', 'RR', '--queries', at('queries.jsonl'), '-o', at('report.html'));
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).toContain('cheap &lt;b&gt;flights&lt;/b&gt;');
    expect(page).not.toContain('cheap <b>flights</b>');
    const trec = ok('report', at('qrels'), at('before.run'), '--trec', '--queries', at('queries.jsonl'));
    expect(trec).toMatch(/q2 +red shoes +1\.0000/);
    writeFileSync(at('ap.csv'), 'topic,before\nq1,0.25\nq2,1\n');
    const scores = ok('report', '--trec', '--scores', at('ap.csv'), '-m', 'AP', '--queries', at('queries.jsonl'));
    expect(scores).toMatch(/q2 +red shoes +1\.0000/);
  });

  test('explain --topics shows them', () => {
    writeFileSync(at('tied.run'), 'q1 Q0 a 1 2 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 1 t\n');
    const printed = ok(
      'explain',
      at('qrels'),
      at('tied.run'),
      '--as',
      'trec_eval,ranx',
      '-m',
      'RR',
      '--topics',
      '3',
      '--queries',
      at('queries.csv'),
    );
    expect(printed).toMatch(/q1 +cheap <b>flights<\/b> +[+-]0\.\d+/);
  });

  test('a file of other ids, or without ids, is refused', () => {
    const others = runGradus(byTopic('--queries', at('others.jsonl')));
    expect([others.stderr, others.status]).toEqual([
      `gradus: ${at('others.jsonl')}: has none of the 2 topics that are shown, such as q1; its first id is x1; give the file whose ids are those of judgements and runs\n`,
      2,
    ]);
    const prices = runGradus(byTopic('--documents', at('prices.csv')));
    expect(prices.stderr).toContain('has no columns for an id and a text; it has price, colour; call the columns id, title, text and url');
    const alone = runGradus(['compare', at('qrels'), at('before.run'), at('after.run'), '--queries', at('queries.csv')]);
    expect(alone.stderr).toContain('--queries belongs to --by-topic; add --by-topic');
    const noTopics = runGradus(['explain', at('qrels'), at('before.run'), '--as', 'trec_eval,ranx', '--queries', at('queries.csv')]);
    expect(noTopics.stderr).toContain('--queries shows the texts of topics; add --topics 10');
  });
});

describe('gradus report --documents', () => {
  const links = [
    '{"_id":"a","title":"Alpha & <i>co</i>","url":"https://example.org/a?x=1&y=(2)"}',
    '{"_id":"c","title":"Gamma","url":"javascript:alert(1)"}',
    '',
  ].join('\n');
  writeFileSync(at('links.jsonl'), links);
  const report = (...more: string[]): string =>
    ok('report', at('qrels'), at('before.run'), at('after.run'), '-m', 'RR', '--documents', at('links.jsonl'), '--no-audit', ...more);

  test('lists the documents that moved, with titles and with links of the web only', () => {
    const page = report('-f', 'html');
    const table = /<table id="table-moved-documents">.*?<\/table>/s.exec(page)?.[0] ?? '';
    expect(table).toContain(
      '<a href="https://example.org/a?x=1&amp;y=(2)" rel="noopener noreferrer">Alpha &amp; &lt;i&gt;co&lt;/i&gt;</a>',
    );
    expect(table).toContain('<td class="whole">Gamma</td>');
    expect(page).not.toContain('javascript:alert');
    const markdown = report('-f', 'md');
    expect(markdown).toContain('[Alpha &amp; &lt;i&gt;co&lt;/i&gt;](https://example.org/a?x=1&amp;y=%282%29)');
    expect(markdown).toMatch(/\| q1 +\| a +\|.*\| +1 \| 1 +\| 2 /);
  });

  test('belongs to comparisons', () => {
    const { stderr, status } = runGradus(['report', at('qrels'), at('before.run'), '--trec', '--documents', at('links.jsonl')]);
    expect([stderr, status]).toEqual([expect.stringContaining('the TREC report has no use for --documents'), 2]);
  });
});
