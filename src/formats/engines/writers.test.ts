import { expect, test } from 'vitest';
import { toQrels } from '../../core/qrels.js';
import { readJudgements } from '../read.js';
import { findFormat } from '../registry.js';
import { bytesSource } from '../source.js';
import { joinChunks } from '../text/byte-writer.js';

const judged = { 'wireless mouse': { p10: 3, 'p"1,1': 0 }, 'café grinder': { 'a b': -1 } };

async function written(name: string, qrels = toQrels(judged)): Promise<Uint8Array> {
  const chunks = await findFormat(name, 'qrels').write.qrels?.(qrels);
  return joinChunks(chunks ?? []);
}

test.each(['quepid', 'elasticsearch'])('%s files are recognised, and hold the judgements that were written', async (name) => {
  const { qrels } = await readJudgements(bytesSource(await written(name), 'x', 'x'));
  const rows: [string, string, number][] = [];
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      rows.push([qrels.topics.text(topic), qrels.docs.text(qrels.docOf[row]), qrels.grades[row]]);
    }
  }
  expect(rows).toEqual([
    ['wireless mouse', 'p10', 3],
    ['wireless mouse', 'p"1,1', 0],
    ['café grinder', 'a b', -1],
  ]);
});

test('a request has what the engine asks for: ids, a template with its parameters, ratings with their index, a metric', async () => {
  const request = JSON.parse(new TextDecoder().decode(await written('elasticsearch')));
  expect(Object.keys(request)).toEqual(['requests', 'templates', 'metric']);
  expect(request.requests[0]).toEqual({
    id: 'wireless mouse',
    template_id: 'search',
    params: { query: 'wireless mouse' },
    ratings: [
      { _index: 'INDEX', _id: 'p10', rating: 3 },
      { _index: 'INDEX', _id: 'p"1,1', rating: 0 },
    ],
  });
});

test('grades that Elasticsearch would cut are refused', async () => {
  await expect(written('elasticsearch', toQrels({ q1: { d1: 0.5 } }))).rejects.toThrow(
    'topic q1, document d1: the grade 0.5 is a fraction, which Elasticsearch cuts to a whole number; multiply the grades',
  );
});
