import { describe, expect, test } from 'vitest';
import { messageOf, rowsOfQrels, rowsOfRun } from '../../../test/helpers/rows.js';
import { latin1Bytes } from '../../../test/helpers/slow-lines.js';
import { toQrels } from '../../core/qrels.js';
import { toRun } from '../../core/run.js';
import type { ReadOptions } from '../reader.js';
import { createCsvRunReader, formatCsvQrels, formatCsvRun, parseCsvQrels, parseCsvRun } from './csv.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('parseCsvRun', () => {
  const headers: [string, string][] = [
    ['topic,doc,score', '1,a,2'],
    ['query_id,doc_id,score', '1,a,2'],
    ['Query ID,Doc-Id,SCORE', '1,a,2'],
    ['qid,docid,docno,rank,score,query', '1,777,a,1,2,what is it'],
    ['score,docno,qid', '2,a,1'],
    ['"qid","docno","score"', '"1","a"," 2 "'],
    ['\ufeffqid,docno,score', '1,a,2\r'],
    ['# a comment\n\nqid,docno,score', '1,a,2'],
  ];
  test.each(headers)('understands the header %j', (header, line) => {
    expect(rowsOfRun(parseCsvRun(`${header}\n${line}\n`).run)).toEqual([['1', 'a', 2]]);
  });

  const mappings: [string, string, ReadOptions][] = [
    ['names', 'q,d,s\n1,a,2\n', { columns: { topic: 'q', doc: 'd', score: 's' } }],
    ['one name among known ones', 'qid,docno,bm25,score\n1,a,2,99\n', { columns: { score: 'bm25' } }],
    ['numbers, without a header', '1,x,a,2\n', { columns: { topic: 1, doc: 3, score: 4 } }],
    ['numbers, with a header', 'q,x,d,s\n1,x,a,2\n', { columns: { topic: 1, doc: 3, score: 4 }, header: true }],
    ['a name and a number', 'q,docno,s\n1,a,2\n', { columns: { topic: 'q', score: 3 } }],
    ['another delimiter', 'qid;docno;score\n1;a;2\n', { delimiter: ';' }],
    ['tabs', 'qid\tdocno\tscore\n1\ta\t2\n', { delimiter: '\t' }],
    ['quotes that mean nothing', 'qid,docno,score,text\n1,a,2,"so\n', { quotes: false }],
  ];
  test.each(mappings)('takes columns by %s', (_, csv, options) => {
    expect(rowsOfRun(parseCsvRun(csv, options).run)).toEqual([['1', 'a', 2]]);
  });

  const spreadsheets: [string, string][] = [
    ['semicolons and decimal commas', 'qid;docno;score\n1;a;2,5\n'],
    ['a byte-order mark and Windows line ends', '\ufeffQuery ID;SKU;Score\r\n1;a;2,5\r\n'],
    ['quotes around everything', '"qid";"docno";"score"\n"1";"a";"2,5"\n'],
    ['commas in names and in other cells', 'qid;docno;"score";"price, net"\n1;a;"2,5";9,99\n'],
    ['decimal points', 'qid;docno;score\n1;a;2.5\n'],
    ['comments before the header', '# from; a; b; sheet\n\nqid;docno;score\n1;a;25e-1'],
    ['commas although a name has semicolons', 'qid,docno,score,"a;b;c;d;e"\n1,a,2.5,\n'],
  ];
  test.each(spreadsheets)('reads what spreadsheets export: %s', (_, csv) => {
    expect(rowsOfRun(parseCsvRun(csv).run)).toEqual([['1', 'a', 2.5]]);
    const reader = createCsvRunReader();
    for (const byte of new TextEncoder().encode(csv)) reader.push(Uint8Array.of(byte));
    expect(rowsOfRun(reader.finish().run)).toEqual([['1', 'a', 2.5]]);
  });

  test('notes topics in the encoding of Windows, which match none of a run', () => {
    const { notes } = parseCsvQrels(latin1Bytes('query,sku,rating\nred,a,1\ncaf\xe9,a,1\n'));
    expect(notes).toEqual([
      'topic caf\ufffd is not UTF-8 text, and may match no topic of a run; save the table as CSV UTF-8, or convert it with iconv -f WINDOWS-1252 -t UTF-8',
    ]);
    expect(parseCsvQrels('query,sku,rating\ncafé,a,1\n\ufffd,a,1\n').notes).toBeUndefined();
  });

  test('reads grades with decimal commas, and no other number with a comma', () => {
    expect(rowsOfQrels(parseCsvQrels('query;sku;rating;note\nred, wide;a;1,5;x\nred, wide;b;;not judged\n').qrels)).toEqual([
      ['red, wide', 'a', 1.5],
    ]);
    for (const wrong of ['1,234,5', '1.234,5', 'good, really']) {
      expect(messageOf(() => parseCsvQrels(`query;sku;rating\nred;a;${wrong}\n`))).toContain(`"${wrong}"`);
    }
    expect(messageOf(() => parseCsvQrels('query,sku,rating\nred,a,"1,5"\n'))).toContain('"1,5"');
  });

  test('takes ids from columns with known names in a file without the column that was named', () => {
    const columns = { doc: '_source.sku', topic: 'Suchbegriff' };
    const used: string[] = [];
    const { run } = parseCsvRun('query,sku,score\n1,a,2\n', { columns, onColumn: (role) => used.push(role) });
    expect(rowsOfRun(run)).toEqual([['1', 'a', 2]]);
    expect(used).toEqual([]);
    expect(rowsOfRun(parseCsvRun('doc,_source.sku,Suchbegriff,query,score\nx,a,1,y,2\n', { columns }).run)).toEqual([['1', 'a', 2]]);
    // a score must be the one that was asked for
    expect(messageOf(() => parseCsvRun('query,sku,score\n1,a,2\n', { columns: { score: 'bm25' } }))).toContain('no column for the score');
  });

  test('takes a column such as model for the runs if it was asked to, or if documents repeat', () => {
    const two = 'model,qid,docno,score\nx,1,a,2\ny,1,a,3\ny,1,b,1\n';
    expect(rowsOfRun(parseCsvRun(two, { run: 'x' }).run)).toEqual([['1', 'a', 2]]);
    expect(messageOf(() => parseCsvRun(two))).toBe('input: holds 2 runs (x, y); --run NAME picks one');
    expect(messageOf(() => parseCsvRun(two, { run: 'z' }))).toContain('holds no run z; there are x, y');
    // here it is something else
    const products = 'qid,docno,score,model,name\n1,a,2,X1,Shoe\n1,b,1,X2,Boot\n';
    expect(rowsOfRun(parseCsvRun(products).run)).toEqual([
      ['1', 'a', 2],
      ['1', 'b', 1],
    ]);
  });

  test('keeps white space, line ends and anything else in ids', () => {
    const csv = latin1Bytes('qid,docno,score\n"a,b",  x ,1\n"line\nend","say ""so""",2\n=1+1,\xff,3\n"#1",__proto__,4\n');
    expect(rowsOfRun(parseCsvRun(csv).run)).toEqual([
      ['a,b', '  x ', 1],
      ['line\nend', 'say "so"', 2],
      ['=1+1', '\xff', 3],
      ['#1', '__proto__', 4],
    ]);
  });

  const header = 'qid,docno,score\n1,good,1\n';
  const badLines: [string, string][] = [
    ['1,a', 'expected 3 fields as in the header, found 2; --lenient skips such lines'],
    ['1,a,2,3', 'expected 3 fields as in the header, found 4; --lenient skips such lines'],
    ['1,a,', 'expected a finite number as score, found nothing; --lenient skips such lines'],
    ['1,a,high', 'expected a finite number as score, found "high"; --lenient skips such lines'],
    ['1,a,inf', 'expected a finite number as score, found "inf"; --lenient skips such lines'],
    [',a,1', 'expected a topic id, found nothing; --lenient skips such lines'],
    ['1,"",1', 'expected a document id, found nothing; --lenient skips such lines'],
    ['1,a\0,1', 'holds a NUL byte, expected text; --lenient skips such lines'],
    ['1,"a"b,1', 'has text behind the closing quote of a field; quotes within quotes are doubled; --lenient skips such lines'],
    ['1,good,2', 'topic "1" has document "good" already on line 2 (ranks 1 and 2); keep one of them; --lenient keeps the first'],
  ];
  test.each(badLines)('refuses %j', (line, message) => {
    expect(messageOf(() => parseCsvRun(`${header}${line}\n2,d,1\n`, { source: 'r.csv' }))).toBe(`r.csv:3: ${message}`);
    const { run, skipped } = parseCsvRun(`${header}${line}\n2,d,1\n`, { lenient: true });
    expect(rowsOfRun(run)).toEqual([
      ['1', 'good', 1],
      ['2', 'd', 1],
    ]);
    expect(skipped.count).toBe(1);
  });

  test('counts lines within quotes', () => {
    expect(messageOf(() => parseCsvRun('qid,docno,score\n1,"a\nb\nc",1\n1,x,y\n', { source: 'r' }))).toMatch(/^r:5: /);
  });

  test('refuses a quote that is never closed', () => {
    expect(messageOf(() => parseCsvRun(`${header}1,"a,1\n2,b,1\n`, { source: 'r' }))).toBe(
      'r:3: opens a quote that is never closed; quotes within quotes are doubled; --lenient skips such lines',
    );
    const reader = createCsvRunReader({ source: 'r' });
    reader.push(new TextEncoder().encode(`${header}1,"`));
    const chunk = new Uint8Array(1 << 22).fill(120);
    expect(
      messageOf(() => {
        for (let i = 0; i < 20; i++) reader.push(chunk);
      }),
    ).toBe('r:3: is longer than 67108864 bytes; the quote that it opens may never be closed');
  });

  test('refuses a header that does not say what is what', () => {
    expect(messageOf(() => parseCsvRun('a,b,c\n1,2,3\n', { source: 'r' }))).toBe(
      'r:1: has no column for the topic, the document and the score or rank; it has a, b, c; say which they are: --columns topic=NAME,doc=NAME,score=NAME (rank=NAME instead of score=NAME if 1 is best), or numbers if there is no header',
    );
    expect(messageOf(() => parseCsvRun('qid,docno,c\n', { source: 'r', lenient: true }))).toMatch(
      /--columns score=NAME \(rank=NAME instead of score=NAME if 1 is best\), or/,
    );
    expect(messageOf(() => parseCsvRun('q,docno,score\n1,a,2\n', { source: 'r', columns: { topic: 7 } }))).toBe(
      'r:1: expected at least 7 columns, found "q", "docno", "score"; columns are counted from 1',
    );
    expect(messageOf(() => parseCsvRun('1,2\n', { source: 'r', columns: { topic: 1, doc: 2, score: 3 } }))).toBe(
      'r:1: expected at least 3 fields, found 2; --lenient skips such lines',
    );
  });

  test('refuses files that hold nothing', () => {
    expect(messageOf(() => parseCsvRun('', { source: 'r' }))).toBe('r: holds no lines; expected columns for topic, doc and score or rank');
    expect(messageOf(() => parseCsvRun('qid,docno,score\n', { source: 'r' }))).toBe(
      'r: holds nothing but a header; expected columns for topic, doc and score or rank',
    );
  });

  test('refuses options that make no sense', () => {
    expect(messageOf(() => parseCsvRun('', { columns: { topic: 0 } }))).toBe('invalid column for topic: 0; columns are counted from 1');
    for (const delimiter of ['', ',,', '"', '\n', 'é']) {
      expect(messageOf(() => parseCsvRun('', { delimiter }))).toBe(
        `invalid delimiter: "${delimiter === '\n' ? '\\x0a' : delimiter}"; give one character, such as , or ;`,
      );
    }
  });

  test('keeps ranks on request, where there are any', () => {
    expect(rowsOfRun(parseCsvRun('qid,docno,score,rank\n1,a,2,1\n1,b,1,\n', { ranks: true }).run)).toEqual([
      ['1', 'a', 2, 1],
      ['1', 'b', 1, Number.NaN],
    ]);
    expect(messageOf(() => parseCsvRun('qid,docno,score,rank\n1,a,2,x\n', { ranks: true }))).toBe(
      'input:2: expected a finite number as rank, found "x"; --lenient skips such lines',
    );
  });
});

describe('parseCsvQrels', () => {
  test('reads the judgements of BEIR and of ir_measures', () => {
    expect(rowsOfQrels(parseCsvQrels('query-id\tcorpus-id\tscore\n1\ta\t2\n', { delimiter: '\t' }).qrels)).toEqual([['1', 'a', 2]]);
    expect(rowsOfQrels(parseCsvQrels('query_id,doc_id,relevance,iteration\n1,a,2,0\n').qrels)).toEqual([['1', 'a', 2]]);
  });

  test('keeps groups and sub-groups on request', () => {
    const csv = 'qid,subtopic,subgroup,docno,rel\n1,x,s,a,1\n1,x,t,a,2\n1,,,a,3\n';
    expect(rowsOfQrels(parseCsvQrels(csv, { subgroups: true }).qrels)).toEqual([
      ['1', 'a', 1, 'x', 's'],
      ['1', 'a', 2, 'x', 't'],
      ['1', 'a', 3, '0', '0'],
    ]);
  });
});

describe('formatCsvRun and formatCsvQrels', () => {
  test('quote what needs it and nothing else', () => {
    const run = toRun({ '#q': { 'a,b': 1, 'a"b': 2, 'a\nb': 3, 'a\rb': 4, 'a;b': 5, ' a ': 6, '=a': -0 } });
    expect(text(formatCsvRun(run))).toBe(
      'query_id,doc_id,score\n"#q","a,b",1\n"#q","a""b",2\n"#q","a\nb",3\n"#q","a\rb",4\n"#q",a;b,5\n"#q", a ,6\n"#q",=a,-0\n',
    );
    expect(text(formatCsvRun(toRun({ q: { 'a,b': 1, 'a;b': 2 } }), ';'))).toBe('query_id;doc_id;score\nq;a,b;1\nq;"a;b";2\n');
  });

  test('write groups', () => {
    const qrels = toQrels([{ topic: 'q', doc: 'a', grade: 0.5, iteration: 'x,y' }]);
    expect(text(formatCsvQrels(qrels))).toBe('query_id,doc_id,relevance,iteration\nq,a,0.5,"x,y"\n');
  });

  test('refuse NUL bytes', () => {
    expect(messageOf(() => formatCsvRun(toRun({ q: { 'a\0': 1 } })))).toBe(
      'document "a\\x00" holds a NUL byte, which CSV cannot have; JSON and JSONL can hold any text',
    );
  });
});

test('a topic without a document is a topic that was answered with nothing', () => {
  const { run } = parseCsvRun('query,product_id,position\nmouse,p1,1\ncable,,\nmouse,p2,2\nmonitor,p3,1\n');
  expect(Array.from({ length: run.topics.size }, (_, topic) => run.topics.text(topic))).toEqual(['mouse', 'cable', 'monitor']);
  expect([...run.offsets]).toEqual([0, 2, 2, 3]);
  expect(run.ranksOnly).toBe(true);
});

test('an empty rating is no judgement', () => {
  const { qrels } = parseCsvQrels('query,sku,rating\nmouse,p1,3\nmouse,p2,\n -5 jacket,,\n');
  expect([...qrels.grades]).toEqual([3]);
  expect(qrels.topics.size).toBe(1);
});

test('one of several runs can be chosen', () => {
  const two = 'Snapshot Name,Case ID,Query Text,Doc ID,Doc Position\na,7,mouse,p1,1\nb,7,mouse,p2,1\n';
  expect(() => parseCsvRun(two)).toThrow('holds 2 runs (a, b); --run NAME picks one');
  const { run } = parseCsvRun(two, { run: 'b' });
  expect(run.docs.text(run.docOf[0])).toBe('p2');
});
