import { expect, test } from 'vitest';
import { parseScoreFile } from '../read.js';

test('parseScoreFile refuses a number beyond all doubles, in JSON as in text', () => {
  const json = '{"systems":[{"system":"a","perTopic":[{"topic":"1","scores":{"AP":1e400}}]}]}';
  expect(() => parseScoreFile(json)).toThrow('expected a number for topic 1 of a, found one beyond all doubles');
  expect(() => parseScoreFile('AP 1 1e400\n')).toThrow('expected a number for topic 1, found "1e400"');
});

test('parseScoreFile keeps a topic called all in JSON, which tells topics and means apart', () => {
  const rows = (...topics: string[]): string => topics.map((topic, i) => `{"topic":"${topic}","scores":{"AP":${i}}}`).join(',');
  const json = `{"runs":[{"run":"a","all":{"AP":0.5},"perTopic":[${rows('all', 'x')}]}]}`;
  const table = parseScoreFile(json);
  expect(table.topics).toEqual(['all', 'x']);
  expect([...table.column('AP')]).toEqual([0, 1]);
  // where one run has means only, its row is no topic
  const mixed = parseScoreFile(`{"runs":[{"run":"a","perTopic":[${rows('x', 'y')}]},{"run":"b","all":{"AP":0.5}}]}`);
  expect(mixed.topics).toEqual(['x', 'y']);
});

test('parseScoreFile passes over the grades in digits that trec_eval -m all_trec prints among its numbers', () => {
  const table = parseScoreFile("runid\tall\ta\nmap\t1\t0.5\nrelstring_10\t1\t'0010000000'\nrelstring\t2\t'0-1'\nmap\t2\t1\n");
  expect(table.measures).toEqual(['map']);
  expect([...table.column('map')]).toEqual([0.5, 1]);
});

test('parseScoreFile numbers the topics of a table that has a column per system and nothing else', () => {
  const table = parseScoreFile('a,"b c"\n0.5,1\n,0.25\n');
  expect(table.systems).toEqual(['a', 'b c']);
  expect(table.topics).toEqual(['1', '2']);
  expect([...table.column('score', 'a')]).toEqual([0.5, Number.NaN]);
  expect([...table.column('score', 'b c')]).toEqual([1, 0.25]);
  expect(table.notes).toEqual(['input: the topics have no names and are numbered by row']);
});

test.each(['0.5,1\n1,0.5\n', 'a,b\nx,0.5\n', 'a,b\n0.5\n', 'a\n0.5\n', 'a,\n0.5,1\n'])(
  'parseScoreFile does not take %j for such a table',
  (text) => {
    expect(() => parseScoreFile(text)).toThrow(/expected scores/);
  },
);

test('parseScoreFile refuses a later row of such a table that is not numbers', () => {
  expect(() => parseScoreFile('a,b\n0.5,1\nx,1\n')).toThrow('input:3: expected a number for topic 2, found "x"');
});

test('parseScoreFile reads tables with semicolons and decimal commas', () => {
  for (const text of ['topic;a;b\n1;0,5;1\n2;0,25;0\n', 'topic,a,b\n1,0.5,1\n2,0.25,0\n']) {
    const table = parseScoreFile(text);
    expect(table.topics).toEqual(['1', '2']);
    expect([...table.column('score', 'a')]).toEqual([0.5, 0.25]);
  }
  expect([...parseScoreFile('a;b\n0,5;1\n0,25;0\n').column('score', 'a')]).toEqual([0.5, 0.25]);
});
