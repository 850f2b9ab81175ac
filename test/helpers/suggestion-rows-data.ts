import { row, type SuggestionRow } from './suggestion-files.js';

const train = 'train linear-regression --model m.json --quiet';
const right = / 1\.0000\n/;
const meanOfR = / 0?\.7500\n/;
const both = / r +0?\.7500[\s\S]* s +0?\.5000/;

/** Suggestions in words: data as the message asks for it, or another choice. */
export const dataRows: readonly SuggestionRow[] = [
  // runs, judgements and tables of scores
  row(
    "eval qrels 'part-?.csv' -m AP --engine duckdb",
    /give files with the same header/,
    ['WRITE part-2.csv topic,doc,score\n2,d,2\n2,c,1\n', "eval qrels 'part-?.csv' -m AP --engine duckdb"],
    meanOfR,
  ),
  row(
    'eval list-test.txt two-numbers -m AP',
    /each line must hold one number and nothing else/,
    ['WRITE one-number 2\n1\n2\n1\n', 'eval list-test.txt one-number -m AP'],
    meanOfR,
  ),
  row(
    'eval list-test.txt w.txt -m AP',
    /check that both files belong together/,
    ['WRITE belongs 2\n1\n2\n1\n', 'eval list-test.txt belongs -m AP'],
    meanOfR,
  ),
  row('eval qrels empty.run -m AP', /expected lines of topic Q0 document rank score tag/, 'eval qrels r -m AP', meanOfR),
  row(
    'compare --scores two-runs.txt',
    /give each run a file of its own/,
    [
      'WRITE first.txt map 1 1\nmap 2 0.5\nrunid all r\n',
      'WRITE second.txt map 1 0.5\nmap 2 0.5\nrunid all s\n',
      'compare --scores first.txt --scores second.txt',
    ],
    both,
  ),
  row(
    'compare --scores word.csv',
    /leave the field empty if there is no value/,
    ['WRITE word.csv topic,r,s\n1,1,0.5\n2,0.5,0.5\n3,1,\n', 'compare --scores word.csv --missing skip'],
    both,
  ),
  row('compare one.qrels r s -m AP', /add topics/, 'compare qrels r s -m AP', both),
  row('compare --scores both.json -m RR', /they have (AP)/, 'compare --scores both.json -m $1', both),
  row(
    'eval qrels ranks.csv -m AP --columns topic=9',
    /columns are counted from (1)/,
    'eval qrels ranks.csv -m AP --columns topic=$1',
    meanOfR,
  ),
  row(
    "convert semicolons.csv out.run --delimiter ';;'",
    /give one character, such as , or (;)/,
    ["convert semicolons.csv one-character.run --delimiter '$1'", 'eval qrels one-character.run -m AP'],
    meanOfR,
  ),
  row(
    'convert nul.json nul.csv --kind run',
    /JSON and (JSONL) can hold any text/,
    ['convert nul.json nul.jsonl --kind run', 'PRINT nul.jsonl'],
    /"doc_id": ?"a\\u0000", ?"score": ?1/,
  ),
  row(
    'convert blank.json blank.run --kind run',
    /JSON, JSONL and CSV can hold any id/,
    ['convert blank.json blank.csv --kind run', 'PRINT blank.csv'],
    /^1,a b,1/m,
  ),
  row(
    'convert pairs.prefs pairs.qrels --from prefs',
    /prefs, JSON, JSONL and CSV can/,
    ['convert pairs.prefs pairs.csv --from prefs', 'PRINT pairs.csv'],
    /^1,a,2,1,1\n1,b,1,1,1\n/m,
  ),
  row(
    'eval twice.qrels r -m AP --engine duckdb',
    /keep one line per topic and document/,
    ['WRITE once-each.qrels 1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n', 'eval once-each.qrels r -m AP --engine duckdb'],
    meanOfR,
  ),
  row(
    'eval qrels no-number.csv -m AP --engine duckdb',
    /every row needs a topic, a document and a number; look for empty cells and NaN/,
    ['WRITE no-number.csv topic,doc,score\n1,a,2\n1,b,1\n2,d,2\n2,c,1\n', 'eval qrels no-number.csv -m AP --engine duckdb'],
    meanOfR,
  ),
  row(
    'eval qrels half-rank.csv -m AP --engine duckdb',
    /correct the ranks/,
    ['WRITE half-rank.csv topic,doc,rank\n1,a,1\n1,b,2\n2,d,1\n2,c,2\n', 'eval qrels half-rank.csv -m AP --engine duckdb'],
    meanOfR,
  ),
  row(
    'eval qrels r -m RelativeRecall --expected empty.run',
    /expected lines of a topic and a number/,
    // one relevant document is found, where one and where two were expected
    ['WRITE counts 1 1\n2 2\n', 'eval qrels r -m RelativeRecall --expected counts'],
    meanOfR,
  ),
  row(
    'eval qrels r -m RelativeRecall --expected counts-twice',
    /keep one line per topic/,
    ['WRITE counts-once 1 1\n2 2\n', 'eval qrels r -m RelativeRecall --expected counts-once'],
    meanOfR,
  ),

  // measures, orders, SQL
  row("eval qrels r -m 'AP('", /write it as (AP\(cutoff=)…\)/, "eval qrels r -m '$15)'", meanOfR),
  row("eval qrels r -m 'GAP(g=[1,2])'", /(clicks) takes any counts/, "eval qrels r -m 'GAP($1=[1,2])'", meanOfR),
  row("eval qrels r -m 'RR(cutoff=10)@5'", /give it once/, "eval qrels r -m 'RR@5'", meanOfR),
  row(
    'eval pairs.prefs r -m "PrefsSimp(ties=\'expected\')"',
    /order equal scores by (docno), docno-ascending or file/,
    'eval pairs.prefs r -m "PrefsSimp(ties=\'$1\')"',
    right,
  ),
  row("sql '' run -m AP", /give a name such as (runs) or catalog\.schema\.runs/, 'sql $1 run -m AP', /FROM "runs"/),
  row(
    'meta informativeness qrels r s -m bpref --min-per-grade 1',
    /choose (AP), GAP, or one of/,
    'meta informativeness qrels r s -m $1 --min-per-grade 1',
    /\nAP +0?\.\d{4}/,
  ),
  row(
    'meta informativeness grades grades.run --sweep --min-per-grade 1',
    /give GAP with shares of your own by (-m)/,
    "meta informativeness grades grades.run $1 'GAP(g=[0.5,0.25,0.25])' --min-per-grade 1",
    /GAP\(g=\[0\.5,0\.25,0\.25\]\) +0?\.\d{4}/,
  ),

  // orders of systems
  row('correlate r other-topics.run', /compare runs over the same topics/, 'correlate r s', /mean of 2 +0?\.0000 .* 0?\.9500 /),
  row(
    'correlate scores.csv other-systems.csv',
    /systems are matched by name/,
    ['WRITE same-systems.csv topic,r,s\n1,1,0.5\n2,0.5,0.4\n', 'correlate scores.csv same-systems.csv'],
    /tau-b +1\.0000/,
  ),
  row(
    'correlate lacking.csv scores.csv',
    /give it a value, or leave the topic out for all systems/,
    ['WRITE lacking.csv topic,r,s\n1,1,0.5\n', 'correlate lacking.csv scores.csv'],
    /tau-b +1\.0000/,
  ),
  row(
    'correlate ap-rr.json p.json',
    /score both with the same measure, or give files with one measure each/,
    ['eval qrels r s -m AP -q --json -o only-ap.json', 'correlate only-ap.json both.json'],
    /tau-b +1\.0000/,
  ),

  // fusing
  row(
    'fuse r s --method wsum --tune AP --train-topics both-topics.txt --qrels qrels',
    /name fewer, or use (folds)/,
    'fuse r s --method wsum --tune AP --$1 2 --qrels qrels',
    /chosen on all parts but one, 2 times/,
  ),
  row(
    'fuse r s --method wsum --tune AP --train-topics unjudged-topic.txt --qrels qrels',
    /name judged topics only/,
    'fuse r s --method wsum --tune AP --train-topics one-topic.txt --qrels qrels',
    /chosen on the training topics/,
  ),
  row(
    'fuse r s r --method wsum --tune AP --folds 2 --qrels qrels',
    /give each run a name of its own/,
    'fuse r s --method wsum --tune AP --folds 2 --qrels qrels',
    /\n +1 +r /,
  ),
  row(
    'fuse r ranks.csv --method combsum',
    /normalise by rank or (borda), or take a method that looks at ranks/,
    ['fuse r ranks.csv --method combsum --norm $1 -o fused.run', 'PRINT fused.run'],
    /^1 Q0 a 1 2 combsum\n1 Q0 b 2 1 combsum\n/,
  ),
  row(
    'fuse r ranks.csv --method combsum',
    /take a method that looks at ranks: (rrf)/,
    ['fuse r ranks.csv --method $1 -o fused.run', 'eval qrels fused.run -m AP'],
    meanOfR,
  ),
  row(
    'fuse r below-0.run --method combsum --norm max',
    /normalise with (min-max) or z-score/,
    ['fuse r below-0.run --method combsum --norm $1 -o fused.run', 'PRINT fused.run'],
    /^1 Q0 a 1 2 combsum\n1 Q0 b 2 0 combsum\n/,
  ),
  row(
    'fuse huge.run huge-too.run --method combsum --norm none',
    /the scores or weights are too large; normalise with (min-max)/,
    ['fuse huge.run huge-too.run --method combsum --norm $1 -o fused.run', 'PRINT fused.run'],
    /^1 Q0 a 1 2 combsum\n1 Q0 b 2 0 combsum\n/,
  ),
  row(
    'fuse r s --method rrf --absent least',
    /use absent (zero)/,
    ['fuse r s --method rrf --absent $1 -o fused.run', 'PRINT fused.run'],
    // 2 / 61 and 2 / 62
    /2 Q0 d 1 0\.03278\d+ rrf\n2 Q0 c 2 0\.03225\d+ rrf\n/,
  ),
  row(
    'fuse r s --method wsum --tune AP --folds 2 --qrels qrels --step 0.0000001',
    /use a step of at least (0\.0001)/,
    'fuse r s --method wsum --tune AP --folds 2 --qrels qrels --step $1',
    /10001 weightings tried/,
  ),

  // features and models
  row(`${train} --train words.jsonl`, /(--ignore memo) leaves it out/, `${train} --train words.jsonl $1 -m AP`, right),
  row(
    `${train} --train no-features.csv`,
    /check the columns/,
    ['WRITE no-features.csv qid,label,x\n1,1,3\n1,0,2\n', `${train} --train no-features.csv -m AP`],
    right,
  ),
  row(`${train} --train no-features.txt`, /check that it is a feature file/, `${train} --train train.txt -m AP`, right),
  row(
    `${train} --train x-y.csv --validate x-z.csv`,
    /check that the files have the same columns/,
    ['WRITE x-y-too.csv qid,label,y,x\n2,0,2,2\n2,1,1,3\n', `${train} --train x-y.csv --validate x-y-too.csv -m AP`],
    /validation +1 +1\.0000\n/,
  ),
  row(
    `${train} --train x-y.csv --train x-z.csv`,
    /give files that name or number their features alike/,
    ['WRITE more-x-y.csv qid,label,x,y\n2,1,3,1\n2,0,2,2\n', `${train} --train x-y.csv --train more-x-y.csv -m AP`],
    /train +2 +1\.0000\n/,
  ),
  row(
    'score x-y.json x-z.csv --quiet',
    /name the columns as in the training data/,
    [
      'WRITE named.csv qid,label,y,x\n1,0,2,2\n1,1,1,3\n',
      'score x-y.json named.csv --quiet --qrels named-lists.qrels -o named.run',
      'eval named-lists.qrels named.run -m AP',
    ],
    right,
  ),
  row(
    `${train} --train query-1.txt --train query-1-and-2.txt`,
    /give different queries different ids, or put the documents of a query into one file/,
    ['WRITE query-3.txt 1 qid:3 1:3\n0 qid:3 1:2\n', `${train} --train query-3.txt --train query-1-and-2.txt -m AP`],
    /train +3 +1\.0000\n/,
  ),
  row(
    'train ranknet --train same-labels.txt --model m.json --quiet --threads 1',
    /give queries with documents of different labels/,
    'train ranknet --train train.txt --model m.json --quiet --threads 1 --rate 0.05 -m AP',
    right,
  ),
  row(
    `${train} --train same-labels.txt --validate-share 0.5`,
    /add queries/,
    `${train} --train train.txt --validate-share 0.5 -m AP`,
    /validation +\d +1\.0000\n/,
  ),
  row(
    `${train} --train train.txt --validate-share 0.99`,
    /take another share, between 0 and 1/,
    `${train} --train train.txt --validate-share 0.4 -m AP`,
    /validation +2 +1\.0000\n/,
  ),
  row(
    'train linear-regression --train tiny.txt --model m.json --quiet --normalise minmax',
    /normalise by (query-minmax)/,
    'train linear-regression --train tiny.txt --model m.json --quiet --normalise $1 -m AP',
    right,
  ),
  row(
    "train adarank --train train.txt --model m.json --quiet --objective 'AP(agg=geometric)'",
    /leave agg and floor out/,
    'train adarank --train train.txt --model m.json --quiet --objective AP -m AP',
    right,
  ),
  row(
    "train adarank --train train.txt --model m.json --quiet --objective 'AP(decimals=2)'",
    /leave decimals out, or take a convention that does not round/,
    'train adarank --train train.txt --model m.json --quiet --objective AP -m AP',
    right,
  ),
  row(
    'train adarank --train train.txt --model m.json --quiet --objective "AP(ties=\'expected\')"',
    /leave ties out/,
    'train adarank --train train.txt --model m.json --quiet --objective AP -m AP',
    right,
  ),
  row(
    'train adarank --train train.txt --model m.json --quiet --objective yetirank',
    /take (lambdamart), or a measure as the objective/,
    'train lambdamart --train train.txt --model m.json --quiet --threads 1 --min-docs 1 --objective yetirank -m AP',
    right,
  ),
  row(
    'train lambdamart --train train.txt --model m.json --quiet --threads 1 --objective Rprec',
    /(AdaRank) and coordinate ascent take any measure/,
    'train adarank --train train.txt --model m.json --quiet --objective Rprec -m Rprec',
    right,
  ),
  row(
    'train linear-regression --train train.txt --model same.json -o same.json',
    /name two files/,
    ['train linear-regression --train train.txt --model one.json -o other.txt --quiet -m AP', 'PRINT other.txt'],
    right,
  ),
  row(
    'model convert by-query.json by-query.onnx',
    /train it without normalisation, or with (zscore) or minmax over all data/,
    [
      'train linear-regression --train train.txt --model over-all.json --quiet --normalise $1',
      'model convert over-all.json over-all.onnx',
      'PRINT over-all.onnx',
    ],
    /gradus/i,
  ),
  row(
    'model convert relu.json relu.txt --to ranklib',
    /train with (tanh) or sigmoid/,
    [
      'train ranknet --train train.txt --model tanh.json --quiet --epochs 1 --threads 1 --activation $1',
      'model convert tanh.json tanh.txt --to ranklib',
      'PRINT tanh.txt',
    ],
    /^## RankNet\n## No. of features = 2\n/,
  ),
];
