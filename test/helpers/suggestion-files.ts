/** A command that ends in a suggestion, and the same command with the suggestion followed. */
export interface SuggestionRow {
  readonly before: string;
  /** The suggestion as it is printed; what its groups match is `$1`, `$2` … in the lines that follow. */
  readonly suggestion: RegExp;
  /** Lines to run one after another. */
  readonly after: readonly string[];
  /** What the last of them prints. */
  readonly prints: RegExp;
}

export const row = (before: string, suggestion: RegExp, after: string | readonly string[], prints: RegExp): SuggestionRow => ({
  before,
  suggestion,
  after: typeof after === 'string' ? [after] : after,
  prints,
});

/** Files that the rows read. Run r has average precision 1 and 1/2, .75 in the mean; run s has 1/2 and 1/2, .5 in the mean. */
export const suggestionFiles: Readonly<Record<string, string>> = {
  qrels: '1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n',
  five: '1 0 a 5\n1 0 b 0\n2 0 c 1\n2 0 d 0\n',
  r: '1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 d 1 2 r\n2 Q0 c 2 1 r\n',
  s: '1 Q0 b 1 2 s\n1 Q0 a 2 1 s\n2 Q0 d 1 2 s\n2 Q0 c 2 1 s\n',
  'bad.run': '1 Q0 a 1 2 r\n1 Q0 b 2 x r\n1 Q0 b 2 1 r\n2 Q0 d 1 2 r\n2 Q0 c 2 1 r\n',
  'down.txt': '1 a 2\n1 b 1\n2 d 2\n2 c 1\n',
  'other-topics.run': '3 Q0 a 1 2 o\n',
  'two-columns.txt': '1 x\n2 y\n',
  'one-system.csv': 'topic,r\n1,1\n2,0.5\n',
  'gap.csv': 'topic,r,s\n1,1,0.5\n2,0.5,\n3,0.5,0.25\n',
  'bare.csv': '1,a,1\n1,b,2\n2,d,1\n2,c,2\n',
  'ranks.csv': 'query_id,doc_id,position\n1,a,1\n1,b,2\n2,d,1\n2,c,2\n',
  'one-topic.run': '1 Q0 a 1 2 o\n1 Q0 b 2 1 o\n',
  'scores.csv': 'topic,r,s\n1,1,0.5\n2,0.5,0.5\n',
  'train.txt': [
    ...[1, 2, 3, 4, 5].flatMap((q) => [`2 qid:${q} 1:3 2:${q}`, `1 qid:${q} 1:2 2:${q + 1}`, `0 qid:${q} 1:1 2:${q}`]),
    '',
  ].join('\n'),
  'nan.txt': '1 qid:1 1:3 2:nan\n0 qid:1 1:2 2:1\n1 qid:2 1:3 2:1\n0 qid:2 1:1 2:1\n',
  'wide.txt': '1 qid:1 1:3 2:1 3:1\n0 qid:1 1:2 2:1 3:0\n',
  'odd.csv': 'x,y,z\n1,a,2\n1,b,1\n2,d,2\n2,c,1\n',
  'r.json': '{"1": {"a": 2, "b": 1}, "2": {"d": 2, "c": 1}}',
  'one-topic.txt': '1\n',
  'w.txt': '1\n1\n1\n1\n1\n',
  't.csv': 'q,y,f\n1,1,3\n1,0,2\n2,1,5\n2,0,1\n',
  'all-relevant': '1 0 a 1\n1 0 b 1\n2 0 c 1\n2 0 d 0\n',
  'no-relevant': '1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 0\n',
  half: '1 0 a 0.5\n1 0 b 0\n2 0 c 0.5\n2 0 d 0\n',
  'named.qrels': 'x 0 a 1\nx 0 b 0\ny 0 c 1\ny 0 d 0\n',
  'named.run': 'x Q0 a 1 2 r\nx Q0 b 2 1 r\ny Q0 d 1 2 r\ny Q0 c 2 1 r\n',
  'empty-list.txt': '2 qid:1 1:3\n1 qid:1 1:2\n0 qid:1 1:1\n0 qid:2 1:1\n0 qid:2 1:2\n',
  'high-labels.txt': '2000 qid:1 1:3\n1 qid:1 1:2\n0 qid:1 1:1\n',
  'inf.txt': '1 qid:1 1:3 2:inf\n0 qid:1 1:2 2:1\n1 qid:2 1:3 2:1\n0 qid:2 1:1 2:1\n',
  'no-qid.txt': '1 1:3\n0 1:2\n',
  'from-0.txt': '1 qid:1 0:3\n0 qid:1 0:2\n',
  'words.csv': 'qid,label,x,url\n1,1,3,a\n1,0,2,b\n',
  'no-label.csv': 'qid,clicks,x\n1,1,3\n1,0,2\n',
  'records-without-label.jsonl': '{"qid":1,"clicks":1,"x":3}\n{"qid":1,"clicks":0,"x":2}\n',
  'same-names.csv': 'qid,label,x,x\n1,1,3,1\n1,0,2,1\n',
  'twice.qrels': '1 0 a 1\n1 0 a 0\n1 0 b 0\n2 0 c 1\n2 0 d 0\n',
  'twice.run': '1 Q0 a 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n2 Q0 d 1 2 r\n2 Q0 c 2 1 r\n',
  'twice.json': '{"1": {"a": 2, "b": 1, "b": 9}, "2": {"d": 2, "c": 1}}',
  'shape.json': '{"1": {"a": 2, "b": 1}, "2": 5}',
  'quotes.csv': 'topic,doc,score\n1,a,2\n1,"b"x,1\n2,d,2\n2,c,1\n',
  'mixed.jsonl': '{"topic":1,"doc":"a","score":2}\n{"topic":1,"doc":"b","rank":2}\n',
  'equal-ranks.csv': 'topic,doc,rank\n1,a,1\n1,b,1\n2,d,1\n2,c,2\n',
  'five-fields.run': '1 Q0 a 1 2\n1 Q0 b 2 1\n',
  'semicolons.csv': 'topic;doc;score\n1;a;2\n1;b;1\n2;d;2\n2;c;1\n',
  'same-topic.csv': 'topic,r,s\n1,1,0.5\n1,0.5,0.5\n',
  'list-test.txt': '1 qid:1 1:3\n0 qid:1 1:2\n0 qid:2 1:3\n1 qid:2 1:1\n',
  predictions: '2\n1\n2\n1\n',
  'meta-first.json': '{"by":{"x":1},"topic":1,"doc":"a","score":2}\n{"by":{"x":1},"topic":1,"doc":"b","score":1}\n',
  'records.jsonl': '{"q":1,"d":"a","v":2}\n{"q":1,"d":"b","v":1}\n{"q":2,"d":"d","v":2}\n{"q":2,"d":"c","v":1}\n',
  'either.json': '{"1": {"a": 7}}',
};
