import { describe, expect, test } from 'vitest';
import { InputError } from '../src/core/problem.js';
import type { Run } from '../src/core/run.js';
import { toRun } from '../src/core/run.js';
import { parseQrels, parseRun } from '../src/formats/read.js';
import { parseColumns } from '../src/formats/tables/columns.js';
import { formatCsvRun } from '../src/formats/tables/csv.js';
import { formatJsonRun } from '../src/formats/tables/json.js';
import { formatJsonlRun } from '../src/formats/tables/jsonl.js';
import { parseParquetRun } from '../src/formats/tables/parquet.js';
import { formatParquetRun } from '../src/formats/tables/parquet-writer.js';
import { formatTrecRun } from '../src/formats/trec/run.js';
import { fuse } from '../src/fusion/fuse.js';
import { evaluate } from '../src/measures/evaluate.js';

/** d3 first, then d1, d2; and for q2 d2 before d1. */
const order = { q1: ['d3', 'd1', 'd2'], q2: ['d2', 'd1'] };

/** The documents of each topic as they would be evaluated. */
function ranking(run: Run): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (let topic = 0; topic < run.topics.size; topic++) {
    const rows = Array.from({ length: run.offsets[topic + 1] - run.offsets[topic] }, (_, i) => run.offsets[topic] + i);
    rows.sort((a, b) => run.scores[b] - run.scores[a]);
    lists[run.topics.text(topic)] = rows.map((row) => run.docs.text(run.docOf[row]));
  }
  return lists;
}

const read = (text: string, source: string, columns?: string): Run =>
  parseRun(text, { source, columns: columns === undefined ? undefined : parseColumns(columns) }).run;

const notesOf = (run: Run): string => (run.notes ?? []).join('\n');

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
}

// lines are not in the order of the ranks on purpose
const rows = [
  ['q1', 'd1', 2],
  ['q1', 'd2', 3],
  ['q1', 'd3', 1],
  ['q2', 'd1', 2],
  ['q2', 'd2', 1],
] as const;
const separated = (names: string, mark: string): string => `${names}\n${rows.map((row) => row.join(mark)).join('\n')}\n`;

describe('a file with ranks and no scores is ranked by them', () => {
  test.each([
    ['CSV', separated('query_id,doc_id,rank', ','), 'run.csv'],
    ['CSV with positions', separated('qid,docid,position', ','), 'run.csv'],
    ['CSV with a column Pos', separated('topic,doc,Pos', ','), 'run.csv'],
    ['TSV', separated('qid\tpid\trank', '\t'), 'run.tsv'],
    ['JSON records', JSON.stringify(rows.map(([qid, pid, rank]) => ({ qid, pid, rank }))), 'run.json'],
    ['JSON lines', rows.map(([qid, pid, rank]) => JSON.stringify({ qid, pid, rank })).join('\n'), 'run.jsonl'],
    [
      'JSON lines with empty scores',
      rows.map(([qid, pid, rank]) => JSON.stringify({ qid, pid, score: null, rank })).join('\n'),
      'run.jsonl',
    ],
    ['lists of ids', JSON.stringify(order), 'run.json'],
    ['ranks from 0', separated('query_id,doc_id,rank', ',').replace(/\d$/gm, (rank) => String(Number(rank) - 1)), 'run.csv'],
    ['ranks with gaps', separated('query_id,doc_id,rank', ',').replace(/\d$/gm, (rank) => String(10 * Number(rank))), 'run.csv'],
    ['MS MARCO lines with tabs', rows.map((row) => row.join('\t')).join('\n'), 'run.dev.tsv'],
    ['MS MARCO lines with blanks', `${rows.map((row) => row.join(' ')).join('\r\n')}\r\n`, 'run.dev'],
    ['MS MARCO lines without a name', `\n# made by hand\n${rows.map((row) => row.join('  ')).join('\n')}`, 'standard input'],
  ])('%s', (_, text, source) => {
    const run = read(text, source);
    expect(ranking(run)).toEqual(order);
    expect(run.ranksOnly).toBe(true);
    expect(run.notes).toBeUndefined();
  });

  test('Parquet, as it is written without scores', async () => {
    const bytes = await formatParquetRun(toRun(order));
    const { run } = await parseParquetRun(bytes, { source: 'run.parquet' });
    expect(ranking(run)).toEqual(order);
    expect(run.ranksOnly).toBe(true);
  });

  test('lists, Maps and records of a program', () => {
    expect(ranking(toRun(order))).toEqual(order);
    expect(ranking(toRun(new Map(Object.entries(order))))).toEqual(order);
    expect(ranking(toRun(rows.map(([topic, doc, rank]) => ({ topic, doc, rank }))))).toEqual(order);
    // one relevant document at rank 2 of 3
    expect(evaluate({ q1: { d1: 1 }, q2: { d2: 1 } }, order, 'RR')).toBe((1 / 2 + 1) / 2);
  });

  test('and never by ids, as equal scores would be', () => {
    const ids = Array.from({ length: 30 }, (_, i) => `d${(i * 7) % 30}`);
    const text = `query_id,doc_id,rank\n${ids.map((id, i) => `q,${id},${i + 1}`).join('\n')}\n`;
    expect(ranking(read(text, 'run.csv')).q).toEqual(ids);
  });
});

describe('--columns rank=NAME', () => {
  const text = 'query_id,doc_id,place_in_list,score\nq1,d3,1,0.1\nq1,d1,2,0.5\nq1,d2,3,0.9\n';
  test('ranks by a column of any name, before a column called score', () => {
    expect(ranking(read(text, 'run.csv', 'rank=place_in_list'))).toEqual({ q1: ['d3', 'd1', 'd2'] });
    expect(ranking(read(text, 'run.csv', 'rank=3'))).toEqual({ q1: ['d3', 'd1', 'd2'] });
    expect(ranking(read(text, 'run.csv'))).toEqual({ q1: ['d2', 'd1', 'd3'] });
    expect(ranking(read(text, 'run.csv', 'rank=place_in_list,score=score'))).toEqual({ q1: ['d2', 'd1', 'd3'] });
  });

  test.each([
    ['tabs', '\t'],
    ['commas', ','],
    ['blanks', ' '],
  ])('counts columns of a file without a header, with %s', (_, mark) => {
    const lines = rows.map((row) => row.join(mark)).join('\n');
    expect(ranking(read(lines, 'x', 'topic=1,doc=2,rank=3'))).toEqual(order);
    expect(ranking(read(lines, 'x', 'topic=1,doc=2,score=3')).q1).toEqual(['d2', 'd1', 'd3']);
  });
});

describe('ranks that are none', () => {
  const csv = (...lines: string[]): string => `query_id,doc_id,rank\n${lines.join('\n')}\n`;
  test.each([
    [
      csv('q,a,1', 'q,b,1'),
      'run.csv:3: topic "q": documents "a" and "b" both have rank 1, the first on line 2; give each document a rank of its own; --lenient keeps the first',
    ],
    [csv('q,a,1', 'q,b,'), 'run.csv:3: expected a whole number from 0 to 16777216 as rank, found nothing; --lenient skips such lines'],
    [csv('q,a,-1'), 'run.csv:2: expected a whole number from 0 to 16777216 as rank, found "-1"; --lenient skips such lines'],
    [csv('q,a,1.5'), 'run.csv:2: expected a whole number from 0 to 16777216 as rank, found "1.5"; --lenient skips such lines'],
    [csv('q,a,16777217'), 'run.csv:2: expected a whole number from 0 to 16777216 as rank, found "16777217"; --lenient skips such lines'],
    [csv('q,a,first'), 'run.csv:2: expected a whole number from 0 to 16777216 as rank, found "first"; --lenient skips such lines'],
  ])('%j', (text, message) => {
    expect(refusal(() => read(text, 'run.csv'))).toBe(message);
  });

  test('--lenient does what the message says', () => {
    const { run, skipped } = parseRun(csv('q,a,1', 'q,b,1', 'q,c,2', 'q,d,x'), { source: 'run.csv', lenient: true });
    expect(ranking(run)).toEqual({ q: ['a', 'c'] });
    expect(skipped.kinds).toEqual({ 'duplicate rank': 1, 'not a rank': 1 });
  });

  test('lists that hold something else than ids, and lists beside scores', () => {
    expect(refusal(() => read('{"q1": ["a", {"b": 1}]}', 'run.json'))).toMatch(
      /run\.json:1: expected document ids for topic "q1", found an object/,
    );
    expect(refusal(() => read('{"q1": ["a", "b"], "q2": {"a": 1}}', 'run.json'))).toMatch(
      /run\.json:1: has a score, and the entries before have only ranks/,
    );
    expect(refusal(() => read('{"q2": {"a": 1}, "q1": ["a", "b"]}', 'run.json'))).toMatch(
      /run\.json:1: has a rank and no score, and the entries before have scores; give scores to all entries or to none/,
    );
    expect(refusal(() => read('{"q1": ["a", "a"]}', 'run.json'))).toMatch(/topic "q1" has document "a" already/);
    expect(refusal(() => parseQrels('{"q1": ["a"]}', { source: 'qrels.json' }))).toMatch(
      /expected an object of documents and grades for topic "q1"/,
    );
    expect(refusal(() => toRun({ q1: ['a', 'a'] } as never))).toBe('accepted');
    expect(refusal(() => evaluate({ q1: { a: 1 } }, { q1: ['a', 'a'] }, 'RR'))).toMatch(/appears more than once|twice/);
  });
});

describe('three columns without a header', () => {
  const wayOut = 'say what it is: --columns topic=1,doc=2,rank=3 if 1 is best, --columns topic=1,doc=2,score=3 if larger is better';
  test.each([
    ['scores', 'q1 a 9\nq1 b 7\nq1 c 2\n'],
    ['ranks with gaps', 'q1 a 1\nq1 b 3\n'],
    ['scores that count down', 'q1 a 3\nq1 b 2\nq1 c 1\nq2 a 2\nq2 b 1\n'],
    ['more than one thing', 'q1 a 1\nq1 b 2\nq2 a 7\n'],
  ])('that may be %s are refused, and the suggestion works', (_, text) => {
    const message = refusal(() => read(text, 'x.txt'));
    expect(message).toContain(wayOut);
    const columns = /--columns (\S+)/.exec(message)?.[1] ?? '';
    expect(ranking(read(text, 'x.txt', columns)).q1.length).toBeGreaterThan(1);
  });
});

describe('a score that rises with the rank beside it', () => {
  const text = 'query_id,doc_id,rank,score\nq1,d3,1,0.1\nq1,d1,2,0.5\nq1,d2,3,0.9\nq2,d1,1,2\n';
  const note =
    /^scores rise with the ranks stated beside them \(2 of 2 neighbours\), and the highest score comes first; if a smaller one is better/;

  test('is refused in tables, and both suggestions work', () => {
    const message = refusal(() => read(text, 'run.csv'));
    expect(message).toContain('run.csv: rank and score disagree in 1 of 2 topics; is a smaller score better?');
    const [byRank, byScore] = Array.from(message.matchAll(/--columns ([^\s;]+)/g), ([, columns]) => read(text, 'run.csv', columns));
    expect(ranking(byRank).q1).toEqual(['d3', 'd1', 'd2']);
    expect(byRank.notes).toBeUndefined();
    expect(ranking(byScore).q1).toEqual(['d2', 'd1', 'd3']);
    expect(notesOf(byScore)).toMatch(note);
    expect(notesOf(parseRun(text, { source: 'run.csv', lenient: true }).run)).toMatch(note);
  });

  test('is refused only where it is so in at least half of the topics that tell', () => {
    const rows = ['query_id,doc_id,rank,score', 'q1,a,1,1', 'q1,b,2,2', 'q2,a,1,2', 'q2,b,2,1'];
    expect(refusal(() => read(rows.join('\n'), 'run.csv'))).toContain('rank and score disagree in 1 of 2 topics');
    expect(read([...rows, 'q3,a,1,9', 'q3,b,2,8', 'q3,c,3,7'].join('\n'), 'run.csv').notes).toBeUndefined();
  });

  test('is refused in lines without a header, and both suggestions work', () => {
    const lines = 'q1\td1\t1\t0.1\nq1\td2\t2\t0.5\n';
    const message = refusal(() => read(lines, 'run.tsv'));
    const [byRank, byScore] = Array.from(message.matchAll(/--columns ([^\s;]+)/g), ([, columns]) => read(lines, 'run.tsv', columns));
    expect([ranking(byRank).q1, ranking(byScore).q1]).toEqual([
      ['d1', 'd2'],
      ['d2', 'd1'],
    ]);
  });

  test('is refused in JSON and Parquet, and pointed out in TREC files and among records', async () => {
    const run = read(text, 'run.csv', 'score=score');
    const withRanks = parseRun(text, { source: 'run.csv', ranks: true }).run;
    const jsonl = new TextDecoder().decode(formatJsonlRun(withRanks));
    expect(refusal(() => read(jsonl, 'run.jsonl'))).toContain('rank and score disagree in 1 of 2 topics');
    expect(notesOf(read(jsonl, 'run.jsonl', 'score=score'))).toMatch(note);
    await expect(parseParquetRun(await formatParquetRun(withRanks))).rejects.toThrow('rank and score disagree in 1 of 2 topics');
    const trec = 'q1 Q0 d3 1 0.1 t\nq1 Q0 d1 2 0.5 t\nq1 Q0 d2 3 0.9 t\n';
    expect(notesOf(read(trec, 'x.run'))).toMatch(/^scores rise with the ranks stated beside them \(2 of 2 neighbours\)/);
    expect(
      notesOf(
        toRun([
          { topic: 'q', doc: 'a', rank: 1, score: 1 },
          { topic: 'q', doc: 'b', rank: 2, score: 2 },
        ]),
      ),
    ).toMatch(/scores rise/);
    expect(evaluate({ q1: { d3: 1 } }, run, ['RR']).notes.join()).toMatch(note);
  });

  test('is refused where the score is said to be the rank', () => {
    const message = 'the score cannot come from a column of ranks: the best rank is 1, the best score is the highest; --columns rank=';
    expect(refusal(() => parseColumns('score=rank'))).toBe(`${message}rank ranks by it`);
    expect(refusal(() => parseRun(text, { source: 'run.csv', columns: { score: 'Position' } }))).toBe(`${message}Position ranks by it`);
    expect(refusal(() => read(text, 'run.csv', 'score=3'))).toContain(`${message}rank ranks by it`);
    expect(ranking(read(text, 'run.csv', 'rank=rank')).q1).toEqual(['d3', 'd1', 'd2']);
  });

  test('is not seen where ranks and scores agree, or where nothing is stated', () => {
    expect(read('q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 a 1 5 t\nq2 Q0 b 2 4 t\n', 'x.run').notes).toBeUndefined();
    expect(read('q1 Q0 a 0 1 t\nq1 Q0 b 0 2 t\n', 'x.run').notes).toBeUndefined();
  });
});

describe('what is written of a run without scores', () => {
  const run = toRun(order, 'mine');
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  test('has no scores where the format can do without', () => {
    expect(text(formatCsvRun(run))).toBe('query_id,doc_id,rank\nq1,d3,1\nq1,d1,2\nq1,d2,3\nq2,d2,1\nq2,d1,2\n');
    expect(text(formatJsonlRun(run)).split('\n')[0]).toBe('{"query_id": "q1", "doc_id": "d3", "rank": 1}');
    expect(text(formatJsonRun(run))).toBe('{\n"q1": ["d3", "d1", "d2"],\n"q2": ["d2", "d1"]\n}\n');
  });

  test('has negated ranks in TREC files, which have to have scores', () => {
    expect(text(formatTrecRun(run))).toBe(
      'q1 Q0 d3 1 -1 mine\nq1 Q0 d1 2 -2 mine\nq1 Q0 d2 3 -3 mine\nq2 Q0 d2 1 -1 mine\nq2 Q0 d1 2 -2 mine\n',
    );
  });

  test.each([
    ['csv', formatCsvRun],
    ['json', formatJsonRun],
    ['jsonl', formatJsonlRun],
    ['trec', formatTrecRun],
  ] as const)('comes back from %s in the same order, whatever the order of the rows was', (format, write) => {
    const shuffled = read(separated('query_id,doc_id,rank', ','), 'run.csv');
    expect(ranking(parseRun(write(shuffled), { format }).run)).toEqual(order);
  });
});

describe('fuse(runs) of runs without scores', () => {
  test('works with methods that look at ranks, and refuses those that add scores', () => {
    const runs = [toRun(order, 'a'), toRun({ q1: { d1: 2, d2: 1 } }, 'b')];
    expect(fuse(runs, { method: 'rrf' }).scores.length).toBe(5);
    const message = refusal(() => fuse(runs, { method: 'combsum' }));
    expect(message).toMatch(
      /^run a has ranks but no scores, which combsum adds up or compares; normalise by rank or borda, or take a method that looks at ranks: rrf, isr,/,
    );
    for (const norm of ['rank', 'borda'])
      expect(
        refusal(() => fuse(runs, { method: 'combsum', norm })),
        norm,
      ).toBe('accepted');
    for (const method of /: ([\w, ]+)$/.exec(message)?.[1].split(', ') ?? []) {
      expect(
        refusal(() => fuse(runs, { method: method as 'rrf', ...(method === 'rbc' ? { p: 0.8 } : {}) })),
        method,
      ).toBe('accepted');
    }
  });
});
