import { row, type SuggestionRow } from './suggestion-files.js';

const eval_ = 'eval qrels r -m AP';
const train = 'train linear-regression --train train.txt --quiet';
const search = 'tune --quiet --threads 1 --train train.txt';
const tune = 'tune --learners linear-regression --quiet --folds 2 --inner 2 --budget 2 --threads 1';
const ranked = 'score m.json train.txt --quiet';
/** The documents of query 1 in the order of their labels. */
const learned = /^1 Q0 01 1 .*\n1 Q0 02 2 .*\n1 Q0 03 3 /;

/** Suggestions about comparing, fusing and learning. */
export const laterRows: readonly SuggestionRow[] = [
  // comparing
  row('compare qrels r s -m AP --baseline x', /choose one of (\w+), (\w+)/, 'compare qrels r s -m AP --baseline $1', /0?\.7500/),
  row('compare --scores scores.csv qrels r', /give one or the other/, 'compare --scores scores.csv', /0?\.7500/),
  row(
    'compare qrels r s -m AP --test randomized-tukey --correction holm',
    /leave (--correction) out/,
    'compare qrels r s -m AP --test randomized-tukey --threads 1',
    /0?\.7500/,
  ),
  row('correlate r s -m AP', /leave it out, or give two files of scores/, 'correlate r s', /\d/),
  row('correlate r scores.csv', /compare two files of scores or two runs/, 'correlate r s', /\d/),
  row('correlate - -', /standard input can be read only once/, 'correlate r s', /\d/),
  row('explain qrels r --as trec_eval -m AP', /such as (--as trec_eval,ranklib); there are/, 'explain qrels r $1 -m AP', /0?\.75/),
  row('report qrels r --no-audit --header "a: b" -m AP', /add (--trec)/, 'report qrels r --header "a: b" $1', /a:? +b|a: b/),
  row('report qrels r --no-audit --about r -m AP', /add (--trec)/, 'report qrels r s --about r $1', /0?\.7500/),
  row(
    'report --trec --scores unnamed.csv --about r',
    /in order: (-m AP) for the first/,
    'report --trec --scores unnamed.csv --about r $1',
    /0?\.7500/,
  ),
  row(
    'report --trec --scores unnamed.csv --about r -m "AP P@10"',
    /give (-m) once for each --scores/,
    'report --trec --scores unnamed.csv --about r $1 AP',
    /0?\.7500/,
  ),
  row(
    'report --trec --scores unnamed.csv --scores unnamed.csv --about r -m "AP P@10" qrels',
    /give one or the other/,
    'report --trec --scores unnamed.csv --scores unnamed.csv --about r -m "AP P@10"',
    /0?\.7500/,
  ),
  row('report qrels r s --trec --about t', /their names are (\w+)/, 'report qrels r s --trec --about $1', /0?\.7500/),
  row(
    'report --trec --scores both.json --scores both.json --about r',
    /give each measure of a system once/,
    'report --trec --scores both.json --about r',
    /0?\.7500/,
  ),
  row('report qrels r --trec --about r', /give the runs of others too/, 'report qrels r s --trec --about r', /0?\.7500/),
  row('report --trec', /name them: QRELS RUN/, 'report qrels r --trec', /0?\.7500/),
  row('eval qrels r -m AP --siunitx', /add (--format latex)/, 'eval qrels r -m AP --siunitx $1', /siunitx/),
  row('report qrels r --trec --header x', /write (--header) '(Task: ad hoc)'/, 'report qrels r --trec $1 "$2"', /Task:? +ad hoc/),
  row(
    'gate qrels r r -m AP --min-topics 2 --max-drop x',
    /write (0\.01) or 5% for all measures/,
    'gate qrels r r -m AP --min-topics 2 --max-drop $1',
    /0?\.7500/,
  ),
  row(
    'gate qrels r r -m AP --min-topics 2 --max-drop RR=0.1',
    /add it: (-m 'AP' -m 'RR')/,
    'gate qrels r r $1 --min-topics 2 --max-drop RR=0.1',
    /RR[\s\S]*0?\.7500/,
  ),
  row(
    'gate qrels r r -m AP --min-topics 2 --max-unjudged x',
    /write 0\.2@10 or (20%@10)/,
    'gate qrels r r -m AP --min-topics 2 --max-unjudged $1',
    /0?\.7500/,
  ),
  row(
    'gate qrels summary.json r -m AP --min-topics 2',
    /store it again with gradus (eval) (-q --json)/,
    ['$1 qrels r -m AP $2 -o summary2.json', 'gate qrels summary2.json r -m AP --min-topics 2'],
    /0?\.7500/,
  ),
  row(
    'gate qrels ap.json r -m RR --min-topics 2',
    /store it again: gradus (eval) QRELS RUN (-q --json -m 'RR' -o ap\.json)/,
    ['$1 qrels r $2', 'gate qrels ap.json r -m RR --min-topics 2'],
    /0?\.7500/,
  ),

  // fusing
  row('fuse r s --tune AP', /name their file with (--qrels)/, 'fuse r s --method wsum --folds 2 --tune AP $1 qrels', /AP/),
  row(
    'fuse r s --method wsum --weights a',
    /write (0\.3,0\.7) or/,
    ['fuse r s --method wsum --weights $1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 b 1 0\.7/,
  ),
  row(
    'fuse r s --method wsum --weights r=1,x=2',
    /they are (\w+), (\w+)/,
    ['fuse r s --method wsum --weights $1=2,$2=1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1/,
  ),
  row(
    'fuse r s --method wsum --weights r=1',
    /s has no weight; give each run one/,
    ['fuse r s --method wsum --weights r=2,s=1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1/,
  ),
  row(
    'fuse r s --method wsum',
    /give weights, or have them tuned/,
    ['fuse r s --method wsum --weights 2,1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1/,
  ),
  row('fuse r s --method rrff', /did you mean (\w+)\?/, ['fuse r s --method $1 -o fused.run', 'PRINT fused.run'], /1 Q0 [ab] 1/),
  row('fuse r - -', /standard input can be read only once/, ['fuse r s --method rrf -o fused.run', 'PRINT fused.run'], /1 Q0 [ab] 1/),
  row(
    'fuse r s --method combmax --weights 1,2',
    /leave them out, or use (wsum)/,
    ['fuse r s --method $1 --weights 2,1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1/,
  ),
  row(
    'fuse r s --method wsum --tune AP --weights 1,2 --qrels qrels',
    /give one of them/,
    ['fuse r s --method wsum --weights 2,1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1/,
  ),

  // learning
  row('train linear-regression --model m.json', /name the documents to learn from/, [`${train} --model m.json`, ranked], learned),
  row(train, /say where the model is to be saved/, [`${train} --model m.json`, ranked], learned),
  row(
    `${train} --model m.json --objective nDCG@10`,
    /(--metric) says what is watched on validation data/,
    [`${train} --model m.json $1 nDCG@10 --validate train.txt`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --metric nDCG@10`,
    /give --validate FILE or (--validate-share 0\.2), or report it with (-m)/,
    [`${train} --model m.json --metric nDCG@10 $1`, ranked],
    learned,
  ),
  row(`${train} --model m.json --metric nDCG@10`, /or report it with (-m)/, `${train} --model m.json $1 nDCG@10`, /1\.0000/),
  row(
    `${train} --model m.json --grid l2=0.1,1`,
    /give --validate FILE or (--validate-share 0\.2)/,
    [`${train} --model m.json --grid l2=0.1,1 $1`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --random 3`,
    /give (--grid) OPTION=VALUES/,
    [`${train} --model m.json --random 3 $1 l2=0.1,1 --validate-share 0.2`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --validate-share 0.2 --grid l2=0.1..1`,
    /give (--random) N to draw from it/,
    [`${train} --model m.json --validate-share 0.2 --grid l2=0.1..1 $1 2`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --validate-share 0.2 --grid l2=1 --grid l2=2`,
    /put them together, as in (--grid l2=1,2)/,
    [`${train} --model m.json --validate-share 0.2 $1`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --validate-share 0.2 --validate train.txt`,
    /give one of them/,
    [`${train} --model m.json --validate train.txt`, ranked],
    learned,
  ),
  row(`${train} --model m.ts`, /end the name in (\.json); gradus model convert writes/, [`${train} --model m$1`, ranked], learned),
  row(
    `${train} --model m.json --validate wide.txt`,
    /(--num-features) says how many there are/,
    [`${train} --model m.json --validate wide.txt $1 3`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --columns label=1`,
    /leave --columns, --features and --ignore out/,
    [`${train} --model m.json`, ranked],
    learned,
  ),
  row(
    `train linear-regresion --train train.txt --model m.json --quiet`,
    /did you mean (\S+)\? it can be/,
    ['train $1 --train train.txt --model m.json --quiet', ranked],
    learned,
  ),
  row(
    'cv linear-regression --train train.txt --quiet --folds 9',
    /ask for fewer folds/,
    'cv linear-regression --train train.txt --quiet --folds 5 -m nDCG@10',
    /1\.0000/,
  ),
  row('tune', /name the documents to learn from/, `${tune} --train train.txt`, /is ahead/),
  row(
    `${search} --budget 1 --learners mart,linear-regression --folds 2 --inner 2`,
    /give (--budget 2) or more/,
    `${search} --learners mart,linear-regression --folds 2 --inner 2 $1`,
    /is ahead/,
  ),
  row(
    `${search} --learners linear-regression --folds 9`,
    /give (--folds 2 --inner 2)/,
    `${search} --learners linear-regression $1`,
    /is ahead/,
  ),
  row(
    `${tune} --train train.txt --grid mart:trees=2`,
    /they are (linear-regression); name others with (--learners)/,
    `${tune} --train train.txt $2 $1`,
    /is ahead/,
  ),
  row(
    `${tune} --train train.txt --objective yetirank`,
    /give (--learners lambdamart --grid loss=yetirank)/,
    'tune --quiet --folds 2 --inner 2 --budget 2 --threads 1 --train train.txt $1',
    /is ahead/,
  ),
  row(`${tune} --train train.txt --state qrels`, /name another (--state) FILE/, `${tune} --train train.txt $1 state.json`, /is ahead/),
  row(
    `cv linear-regression --train train.txt --quiet --also mart --predictions p.txt`,
    /leave it out/,
    `cv linear-regression --train train.txt --quiet --also mart --threads 1`,
    /is ahead/,
  ),
  row('help eval given.json', /write gradus (help eval)/, '$1', /score runs/),
  row('model convert given.json out', /give (--to) .*\b(c)\b/, ['model convert given.json out $1 $2', 'PRINT out'], /double/),
  row(
    'model convert given.json - --to onnx',
    /name a file in the place of -/,
    ['model convert given.json out.onnx --to onnx', 'PRINT out.onnx'],
    /gradus/i,
  ),
  row(
    'model explain given.json train.txt --query 1 --method path',
    /use (interventional)/,
    'model explain given.json train.txt --query 1 --method $1',
    /features add \(interventional/,
  ),
  row(
    'model convert given.json out.txt --to ranklib --function f',
    /it is (?:for) (--to typescript) and c and solr/,
    ['model convert given.json out.ts $1 --function f', 'PRINT out.ts'],
    /function f\b/,
  ),
  row(
    'score given.json train.txt --quiet --format letor --name x',
    /leave it out/,
    'score given.json train.txt --quiet --format letor',
    /\d/,
  ),

  // conventions, engines, reports
  row('eval qrels - -m AP --engine duckdb', /give a (file), a directory or a pattern/, `${eval_} --engine duckdb`, /\b0?\.7500/),
  row('report qrels r --trec --measure AP', /leave out one of the two/, 'report qrels r --no-audit --measure AP', /0?\.7500/),
  row(
    'eval qrels down.txt -m AP',
    /say what it is: (--columns topic=1,doc=2,rank=3) if 1 is best, (--columns topic=1,doc=2,score=3) if larger is better/,
    'eval qrels down.txt -m AP $2',
    /\b0?\.7500/,
  ),
  row(
    'eval qrels down.txt -m AP',
    /say what it is: (--columns topic=1,doc=2,rank=3) if 1 is best/,
    'eval qrels down.txt -m AP $1',
    /\b0?\.7500/,
  ),
  row('eval qrels r -m SetF@5', /write (SetF) alone/, 'eval qrels r -m $1', /0?\.6667/),
  row('eval qrels r -m nonsense', /(gradus) (measures) lists them all/, '$2', /nDCG/),

  row(
    'eval qrels odd.csv -m AP',
    /say which they are: --columns (topic)=NAME,(doc)=NAME,(score)=NAME/,
    'eval qrels odd.csv -m AP --columns $1=x,$2=y,$3=z',
    /\b0?\.7500/,
  ),
  row(
    'eval qrels odd.csv -m AP --engine duckdb',
    /say which they are: --columns (topic)=NAME,(doc)=NAME,(score)=NAME/,
    'eval qrels odd.csv -m AP --engine duckdb --columns $1=x,$2=y,$3=z',
    /\b0?\.7500/,
  ),
  row(
    'eval qrels r.json -m AP --engine duckdb',
    /gradus (convert) writes Parquet/,
    ['$1 r.json r.parquet --kind run', 'eval qrels r.parquet -m AP --engine duckdb'],
    /\b0?\.7500/,
  ),
  // a document of grade 1 satisfies with (2 - 1) / 16; it is first in topic 1, second in topic 2
  row('eval qrels r -m ERR --convention ranx', /every other measure is there without (--convention)/, 'eval qrels r -m ERR', /\b0?\.0469/),
  // (1 - 0.5) * 1 and (1 - 0.5) * 0.5
  row(
    "eval qrels r -m 'RBP(p=0.5)' --convention ir_measures",
    /only where rel is written out; write (RBP\S+)/,
    "eval qrels r -m '$1' --convention ir_measures",
    /\b0?\.3750/,
  ),

  // comparing
  row('compare --scores one-system.csv', /add a run to compare with/, 'compare --scores scores.csv', /0?\.7500/),
  row(
    'compare --scores gap.csv',
    /left out for all systems with the policy (skip), and count as 0 with the policy (zero)/,
    'compare --scores gap.csv --missing $1',
    /2 topics/,
  ),
  row('compare --scores gap.csv', /count as 0 with the policy (zero)/, 'compare --scores gap.csv --missing $1', /3 topics/),
  row(
    'compare --scores summary.json',
    /gradus (eval -q) and trec_eval -q print them/,
    ['$1 qrels r s -m AP --json -o q.json', 'compare --scores q.json'],
    /0?\.7500/,
  ),
  row(
    'compare --scores qrels',
    /what gradus (eval -q --json) or trec_eval -q prints/,
    ['$1 qrels r s -m AP -o q.json', 'compare --scores q.json'],
    /0?\.7500/,
  ),
  row('compare qrels r s -m NumRet', /such as (nDCG@10)/, 'compare qrels r s -m $1', /nDCG@10/),
  row(
    'gate qrels both.json r -m AP --min-topics 2',
    /store the baseline alone/,
    ['eval qrels r -m AP -q --json -o both2.json', 'gate qrels both2.json r -m AP --min-topics 2'],
    /0?\.7500/,
  ),
  row('eval qrels other-topics.run -m AP', /(both must name topics in the same way)/, eval_, /\b0?\.7500/),

  // fusing
  row(
    'fuse r one-topic.run --method rrf --topics error',
    /with the policy (union), or leave such topics out with (common)/,
    ['fuse r one-topic.run --method rrf --topics $1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1 [\s\S]*2 Q0 d 1 /,
  ),
  row(
    'fuse r one-topic.run --method rrf --topics error',
    /leave such topics out with (common)/,
    ['fuse r one-topic.run --method rrf --topics $1 -o fused.run', 'PRINT fused.run'],
    /^1 Q0 a 1 .*\n1 Q0 b 2 .*\n$/,
  ),
  row(
    'fuse r other-topics.run --method rrf --topics common',
    /with the policy (union)/,
    ['fuse r other-topics.run --method rrf --topics $1 -o fused.run', 'PRINT fused.run'],
    /1 Q0 a 1 [\s\S]*3 Q0 a 1 /,
  ),
  row(
    'fuse r s --method rrf --norm min-max',
    /leave it out, or fuse scores with (combsum) or wsum/,
    ['fuse r s --method $1 --norm min-max -o fused.run', 'PRINT fused.run'],
    /2 Q0 d 1 2 /,
  ),
  row('fuse r s --method rrf --gamma 2', /leave it out/, ['fuse r s --method rrf -o fused.run', 'PRINT fused.run'], /2 Q0 d 1 /),
  row('fuse r s --method combmax --tune AP --qrels qrels', /use (wsum)/, 'fuse r s --method $1 --folds 2 --tune AP --qrels qrels', /AP/),
  row('fuse r s --folds 2 --qrels qrels', /such as (--tune nDCG@10)/, 'fuse r s --method wsum --folds 2 --qrels qrels $1', /nDCG@10/),
  row(
    'fuse r s --method wsum --tune AP --folds 9 --qrels qrels',
    /use at most (2)/,
    'fuse r s --method wsum --tune AP --folds $1 --qrels qrels',
    /AP/,
  ),
  row(
    'fuse r s --method wsum --tune AP --train-topics two-columns.txt --qrels qrels',
    /cut the other columns off/,
    'fuse r s --method wsum --tune AP --train-topics one-topic.txt --qrels qrels',
    /AP/,
  ),

  // learning
  row(
    'train linear-regression --train train.txt --model m.json --quiet --query-weights w.txt',
    /leave (--query-weights) out/,
    ['train linear-regression --train train.txt --model m.json --quiet', ranked],
    learned,
  ),
  row(
    'cv linear-regression --train train.txt --quiet --folds 5 --metric nDCG@10',
    /give (--validate-share 0\.2), or report it with (-m)/,
    'cv linear-regression --train train.txt --quiet --folds 5 $2 nDCG@10',
    /1\.0000/,
  ),
  row(
    'cv linear-regression --train train.txt --quiet --folds 5 --metric nDCG@10',
    /give (--validate-share 0\.2)/,
    'cv linear-regression --train train.txt --quiet --folds 5 --metric nDCG@10 $1',
    /1\.0000/,
  ),
  row(
    `${train} --model m.json --validate-share 0.2 --grid l2`,
    /write it as rate=(0\.05,0\.1)/,
    [`${train} --model m.json --validate-share 0.2 --grid l2=$1`, ranked],
    learned,
  ),
  row(
    `${train} --model m.json --validate-share 0.2 --random 2 --grid l2=3..1`,
    /write it as rate=(0\.01\.\.0\.3)/,
    [`${train} --model m.json --validate-share 0.2 --random 2 --grid l2=$1`, ranked],
    learned,
  ),
  row(
    'train linear-regression --train t.csv --columns where=1 --model m.json --quiet',
    /roles are (topic), (label), doc; columns are names, or numbers from 1/,
    [
      'train linear-regression --train t.csv --columns $1=q,$2=y --model m.json --quiet',
      'score m.json t.csv --quiet --columns topic=q,label=y',
    ],
    /^1 Q0 2 1 .*\n1 Q0 3 2 .*\n2 Q0 4 1 .*\n2 Q0 5 2 /,
  ),
  row('model importance net.json', /give (--data), and features are shuffled there/, 'model importance net.json $1 train.txt', /1/),
  row('model convert net.json out.c', /write them as (onnx)/, ['model convert net.json out.$1', 'PRINT out.onnx'], /gradus/i),
  row(
    'model convert given.json out.txt --to xgboost',
    /it takes ensembles of trees/,
    ['model convert trees.json out.txt --to xgboost', 'PRINT out.txt'],
    /gbtree/,
  ),
];
