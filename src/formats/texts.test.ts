import { expect, test } from 'vitest';
import { textKindOf } from './texts.js';

test.each([
  ['queries.jsonl', '{"_id":"q1","text":"usb hub","metadata":{}}', 'queries'],
  ['corpus.jsonl', '{"_id":"d1","title":"Hub","text":"seven ports"}', 'documents'],
  ['a.csv', 'qid,query\n1,usb hub', 'queries'],
  ['a.csv', 'QID;Query\n1;usb, hub', 'queries'],
  ['a.csv', 'sku,title,url\n1,Hub,https://x', 'documents'],
  ['queries.dev.tsv', "1048585\twhat is paula deen's brother", 'queries'],
  ['collection.tsv', '0\tThe presence of communication amid scientific minds', 'documents'],
  // judgements and runs that have a text beside their ids
  ['a.csv', 'query,docid,rating\nmouse,p1,3', undefined],
  ['a.csv', 'qid,query,docno,score\n1,mouse,p1,3', undefined],
  ['queries.csv', 'qid,docno,title,rank\n1,mouse,p1,3', undefined],
  ['queries.jsonl', '{"query_id":"q1","response":{"hits":{}}}', undefined],
  ['a.tsv', '1\tp7', undefined],
  ['a.qrels', 'q1 0 d1 1', undefined],
])('%s: %s', (name, text, kind) => {
  expect(textKindOf(name, new TextEncoder().encode(text))).toBe(kind);
});
