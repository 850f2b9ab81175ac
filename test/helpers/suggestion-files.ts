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
  'either.json': '{"1": {"a": 7}}',
};
