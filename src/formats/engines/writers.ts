/** Judgements as search engines and judgement tools take them. */
import { idText } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { writeCsv } from '../tables/csv.js';
import { writeJsonId } from '../tables/json-text.js';
import { rowsOfQrels } from '../tables/written-rows.js';
import { ByteWriter } from '../text/byte-writer.js';

/** A CSV file that Quepid imports: a row for each query, document and rating. */
export function writeQuepid(qrels: Qrels): Iterable<Uint8Array> {
  return writeCsv(withoutGroups(qrels, 'Quepid'), ',', ['query', 'docid', 'rating']);
}

/** A request to `_rank_eval` of Elasticsearch or OpenSearch. Its queries are the topics, in a template of which the field is to be filled
 *  in, and so is the name of the index. */
export function* writeRankEval(qrels: Qrels): Generator<Uint8Array> {
  const { topics, docs, offsets, docOf, values } = withoutGroups(qrels, 'Elasticsearch');
  const writer = new ByteWriter();
  let before = '{\n"requests": [\n';
  for (let topic = 0; topic < topics.size; topic++) {
    if (offsets[topic] === offsets[topic + 1]) continue;
    writer.text(`${before}{"id": `);
    before = ',\n';
    writeJsonId(writer, topics, topic);
    writer.text(', "template_id": "search", "params": {"query": ');
    writeJsonId(writer, topics, topic);
    writer.text('}, "ratings": [');
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      if (!Number.isInteger(values[row])) throw fraction(values[row], idText(topics, topic), idText(docs, docOf[row]));
      writer.text(`${row === offsets[topic] ? '' : ', '}{"_index": "INDEX", "_id": `);
      writeJsonId(writer, docs, docOf[row]);
      writer.text(', "rating": ');
      writer.number(values[row]);
      writer.text('}');
      const chunk = writer.takeFull();
      if (chunk !== undefined) yield chunk;
    }
    writer.text(']}');
  }
  writer.text('\n],\n"templates": [{"id": "search", "template": {"source": {"query": {"match": {"FIELD": "{{query}}"}}}}}],\n');
  writer.text('"metric": {"dcg": {"k": 10, "normalize": true}}\n}\n');
  yield writer.take();
}

function fraction(grade: number, topic: string, doc: string): InputError {
  return new InputError({
    message: `topic ${topic}, document ${doc}: the grade ${grade} is a fraction, which Elasticsearch cuts to a whole number`,
    wayOut: 'multiply the grades until they are whole',
  });
}

function withoutGroups(qrels: Qrels, tool: string): ReturnType<typeof rowsOfQrels> {
  if (qrels.groups !== undefined) {
    throw new InputError({ message: `${tool} takes one grade for each document, and these judgements have groups` });
  }
  return rowsOfQrels(qrels);
}
