import { expect, test } from 'vitest';
import { parseScoreFile } from './score-file.js';

test('parseScoreFile refuses a number beyond all doubles, in JSON as in text', () => {
  const json = '{"systems":[{"system":"a","perTopic":[{"topic":"1","scores":{"AP":1e400}}]}]}';
  expect(() => parseScoreFile(json)).toThrow('expected a number for topic 1 of a, found one beyond all doubles');
  expect(() => parseScoreFile('AP 1 1e400\n')).toThrow('expected a number for topic 1, found "1e400"');
});
