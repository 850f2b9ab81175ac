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
