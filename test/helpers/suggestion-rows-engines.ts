import { row, type SuggestionRow } from './suggestion-files.js';

/** Suggestions about tables and files of search engines and judgement tools. */
export const engineRows: readonly SuggestionRow[] = [
  row(
    'eval qrels rising.csv -m AP',
    /leave the scores out of the file, or give (--columns rank=place)/,
    'eval qrels rising.csv -m AP $1',
    / 0?\.7500/,
  ),
  row(
    'eval qrels rising.csv -m AP',
    /(--columns score=score) keeps the order of the scores/,
    'eval qrels rising.csv -m AP $1',
    / 0?\.7500/,
  ),
  row('eval one-unknown.csv r -m AP', /say which it is: (--columns doc=thing)/, 'eval one-unknown.csv r -m AP $1', / 0?\.7500/),
  row('eval bare-grades.tsv r -m AP', /say what it is: (--columns topic=1,doc=2,grade=3)/, 'eval bare-grades.tsv r -m AP $1', / 0?\.7500/),
  row('eval qrels bare.csv -m AP', /say what it is: (--columns topic=1,doc=2,rank=3)/, 'eval qrels bare.csv -m AP $1', / 0?\.7500/),
];

/** Files that these rows read. */
export const engineFiles: Readonly<Record<string, string>> = {
  // by rank AP is 1 and 1/2; by score 1/2 and 1
  'rising.csv': 'query_id,doc_id,place,score\n1,a,1,0.1\n1,b,2,0.5\n2,d,1,0.1\n2,c,2,0.5\n',
  'one-unknown.csv': 'query,thing,rating\n1,a,1\n1,b,0\n2,c,1\n2,d,0\n',
  'bare-grades.tsv': '1\ta\t1\n1\tb\t0\n2\tc\t1\n2\td\t0\n',
};
