import { row, type SuggestionRow } from './suggestion-files.js';

const train = 'train linear-regression --model m.json --quiet';

/** Suggestions about what files hold: each is followed by writing the file as the message asks. */
export const fileRows: readonly SuggestionRow[] = [
  // S and C are relevant as well: both rankings of topic 2 have only relevant documents
  row('eval esci.csv r -m AP', /map words to numbers first: (--grades \S+)/, 'eval esci.csv r -m AP $1', /\b1\.0000/),
  row('eval esci.csv r -m AP --grades E', /write a number for each word, as in (--grades \S+)/, 'eval esci.csv r -m AP $1', /\b1\.0000/),
  row(
    'eval qrels r -m AP --grades E=3',
    /(leave) --grades out, or write the words as they are in the file/,
    'eval qrels r -m AP',
    /\b0?\.7500/,
  ),
  // runs and judgements
  row('eval twice.qrels r -m AP', /(--lenient) keeps the first/, 'eval twice.qrels r -m AP $1', / 0?\.7500/),
  row(
    'eval twice.qrels r -m AP',
    /keep one of them/,
    ['WRITE once.qrels 1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n', 'eval once.qrels r -m AP'],
    / 0?\.7500/,
  ),
  row('eval qrels twice.run -m AP', /(--lenient) keeps the first/, 'eval qrels twice.run -m AP $1', / 0?\.7500/),
  row('eval qrels twice.json -m AP', /(--lenient) keeps the first/, 'eval qrels twice.json -m AP $1', / 0?\.7500/),
  // topic 2 is not answered any more
  row('eval qrels shape.json -m AP', /(--lenient) skips such entries/, 'eval qrels shape.json -m AP $1', / 0?\.5000/),
  row('eval qrels quotes.csv -m AP', /(--lenient) skips such lines/, 'eval qrels quotes.csv -m AP $1', / 0?\.7500/),
  row(
    'eval qrels quotes.csv -m AP',
    /quotes within quotes are doubled/,
    ['WRITE doubled.csv topic,doc,score\n1,a,2\n1,"b""x",1\n2,d,2\n2,c,1\n', 'eval qrels doubled.csv -m AP'],
    / 0?\.7500/,
  ),
  row(
    'eval qrels mixed.jsonl -m AP',
    /give scores to all entries/,
    ['WRITE scored.jsonl {"topic":1,"doc":"b","score":2}\n{"topic":1,"doc":"a","score":1}\n', 'eval qrels scored.jsonl -m AP'],
    / 0?\.2500/,
  ),
  row(
    'eval qrels equal-ranks.csv -m AP',
    /give each document a rank of its own/,
    ['WRITE own-ranks.csv topic,doc,rank\n1,a,1\n1,b,2\n2,d,1\n2,c,2\n', 'eval qrels own-ranks.csv -m AP'],
    / 0?\.7500/,
  ),
  row('eval qrels equal-ranks.csv -m AP', /(--lenient) keeps the first/, 'eval qrels equal-ranks.csv -m AP $1', / 0?\.7500/),
  row(
    'eval qrels five-fields.run -m AP',
    /write all six; the last one is any name for the run/,
    ['WRITE six.run 1 Q0 a 1 2 any\n1 Q0 b 2 1 any\n', 'eval qrels six.run -m AP'],
    / any\nAP +0?\.5000/,
  ),
  row(
    'eval qrels three-fields.run -m AP',
    /if all lines are topic, document and score: (--columns [^;]+);/,
    'eval qrels three-fields.run -m AP $1',
    / 0?\.7500/,
  ),
  row('eval r qrels -m AP', /six fields are a run, which comes after the judgements/, 'eval qrels r -m AP', / 0?\.7500/),
  row('eval r r -m AP', /six fields are a run, which comes after the judgements/, 'eval qrels r -m AP', / 0?\.7500/),
  row('eval qrels qrels -m AP', /four fields are judgements, which come before the run/, 'eval qrels r -m AP', / 0?\.7500/),
  row(
    'eval qrels pipes.csv -m AP',
    /gradus (convert --delimiter '\|') rewrites/,
    ['$1 pipes.csv rewritten.run', 'eval qrels rewritten.run -m AP'],
    / 0?\.7500/,
  ),
  row(
    'eval qrels meta-first.json -m AP',
    /gradus (convert --from jsonl) reads/,
    ['$1 meta-first.json meta.run --kind run', 'eval qrels meta.run -m AP'],
    / 0?\.5000/,
  ),
  row('eval qrels records.jsonl -m AP', /(--columns doc)=NAME,score=NAME/, 'eval qrels records.jsonl -m AP $1=d,score=v', / 0?\.7500/),
  row(
    'eval qrels ranks.csv -m AP --columns rank=place',
    /name one that is there: (--columns rank)=NAME/,
    'eval qrels ranks.csv -m AP $1=position',
    / 0?\.7500/,
  ),
  row('eval qrels r -m AP --columns topic=0', /leave (--columns) out/, 'eval qrels r -m AP', / 0?\.7500/),
  row(
    'eval qrels records.jsonl -m AP --columns topic=q,doc=d,score=v,grade=g',
    /leave (grade=g) out/,
    'eval qrels records.jsonl -m AP --columns topic=q,doc=d,score=v',
    / 0?\.7500/,
  ),
  row('eval qrels predictions -m AP', /give that test file instead of judgements/, 'eval list-test.txt predictions -m AP', / 0?\.7500/),

  // tables of scores, names, places to write to
  row(
    'compare --scores same-topic.csv',
    /which of the two is meant cannot be known; remove one/,
    ['WRITE one-topic-each.csv topic,r,s\n1,1,0.5\n2,0.5,0.5\n', 'compare --scores one-topic-each.csv'],
    / r +0?\.7500[\s\S]* s +0?\.5000/,
  ),
  row('compare qrels r r -m AP', /rename or remove one of them/, 'compare qrels r s -m AP', / r +0?\.7500[\s\S]* s +0?\.5000/),
  row(
    'compare qrels r s -m AP --correction nope',
    /expected one of (bonferroni)/,
    'compare qrels r s -m AP --correction $1',
    / r +0?\.7500[\s\S]* s +0?\.5000/,
  ),
  row('eval qrels r -m AP -o nowhere/x', /make it first, or name another/, ['eval qrels r -m AP -o x', 'PRINT x'], / 0?\.7500/),
  row('eval qrels r -m AP -o .', /name a file in it/, ['eval qrels r -m AP -o ./in-it', 'PRINT ./in-it'], / 0?\.7500/),
  row('eval qrels r -m AP -o nowhere/', /name a file, without a slash/, ['eval qrels r -m AP -o nowhere', 'PRINT nowhere'], / 0?\.7500/),

  row("eval qrels r -m AP -o ''", /name a file, or (-) for standard output/, ['eval qrels r -m AP -o named', 'PRINT named'], / 0?\.7500/),

  // features
  row(
    `${train} --train inf.txt`,
    /leave it out and call it missing with (--missing nan)/,
    [
      'WRITE finite.txt 1 qid:1 1:3\n0 qid:1 1:2 2:1\n1 qid:2 1:3 2:1\n0 qid:2 1:1 2:1\n',
      `${train} --train finite.txt $1`,
      'score m.json finite.txt --quiet -o finite.run',
      'PRINT finite.run',
    ],
    // no document was left out
    /^(.+\n){4}$/,
  ),
  row(
    `${train} --train no-qid.txt`,
    /write qid: and the id of the query behind each label/,
    ['WRITE with-qid.txt 1 qid:1 1:3\n0 qid:1 1:2\n', `${train} --train with-qid.txt -m AP`],
    / 1\.0000/,
  ),
  row(
    `${train} --train from-0.txt`,
    /number the features from (1)/,
    ['WRITE from-1.txt 1 qid:1 $1:3\n0 qid:1 $1:2\n', `${train} --train from-1.txt -m AP`],
    / 1\.0000/,
  ),
  row(`${train} --train words.csv`, /(--ignore memo) leaves the column out/, `${train} --train words.csv $1 -m AP`, / 1\.0000/),
  row(
    `${train} --train no-label.csv`,
    /say which they are: (--columns label)=NAME/,
    `${train} --train no-label.csv $1=clicks -m AP`,
    / 1\.0000/,
  ),
  row(
    'train linear-regression --train records-without-label.jsonl --model m.json --quiet',
    /(--columns label)=NAME says which it is/,
    'train linear-regression --train records-without-label.jsonl --model m.json --quiet $1=clicks -m AP',
    / 1\.0000/,
  ),
  row(
    `${train} --train same-names.csv`,
    /give each feature a name of its own/,
    ['WRITE own-names.csv qid,label,x,y\n1,1,3,1\n1,0,2,1\n', `${train} --train own-names.csv -m AP`],
    / 1\.0000/,
  ),
];
