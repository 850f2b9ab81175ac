import { row, type SuggestionRow } from './suggestion-files.js';
import { dataRows } from './suggestion-rows-data.js';
import { engineRows } from './suggestion-rows-engines.js';
import { fileRows } from './suggestion-rows-files.js';
import { laterRows } from './suggestion-rows-learning.js';
import { measureRows } from './suggestion-rows-measures.js';

const eval_ = 'eval qrels r -m AP';

export const suggestionRows: readonly SuggestionRow[] = [
  // reading
  row('eval qrels bad.run -m AP', /(--lenient) skips such lines/, 'eval qrels bad.run -m AP $1', /\b0?\.7500/),
  row(
    'eval qrels ranks.csv -m AP --columns score=position',
    /(--columns rank=position) ranks by it/,
    'eval qrels ranks.csv -m AP $1',
    /\b0?\.7500/,
  ),
  row(
    'train linear-regression --train nan.txt --model nan.json --quiet',
    /(--missing nan) takes it for an unknown value/,
    // all four documents are ranked
    ['train linear-regression --train nan.txt --model nan.json --quiet $1', 'score nan.json nan.txt --quiet'],
    /^(.+\n){4}$/,
  ),
  row(
    'eval qrels r -m AP --columns where=1',
    /roles are (topic), (doc)\S*, score, rank.*columns are names, or numbers from (1)/,
    'eval qrels bare.csv -m AP --columns $1=$3,$2=2,rank=3',
    /\b0?\.7500/,
  ),
  row(
    'eval qrels ranks.csv -m AP --columns topic=1,topic=2',
    /name it (once)/,
    'eval qrels ranks.csv -m AP --columns topic=1',
    /\b0?\.7500/,
  ),
  row(
    'convert r out.xyz',
    /end the name in \S+.*(\.jsonl).* or in nothing, or/,
    ['convert r out$1', 'eval qrels out$1 -m AP'],
    /\b0?\.7500/,
  ),
  row('convert r out.zst', /end the name in (\.gz), or in nothing/, ['convert r out$1', 'eval qrels out$1 -m AP'], /\b0?\.7500/),
  row(
    'convert either.json out.csv',
    /say which with (--kind run) or --kind qrels/,
    ['convert either.json out.run $1', 'PRINT out.run'],
    /^1 Q0 a [01] 7 /,
  ),
  row(
    'convert either.json out.csv',
    /say which with --kind run or (--kind qrels)/,
    ['convert either.json out.qrels $1', 'PRINT out.qrels'],
    /^1 0 a 7\n/,
  ),
  row(
    'convert r out.csv --to qrels --kind run',
    /give one of them/,
    ['convert r out.csv --kind run', 'eval qrels out.csv -m AP'],
    /\b0?\.7500/,
  ),

  // arguments
  row('evl qrels r', /did you mean (\w+)\? gradus --help lists them all/, '$1 qrels r -m AP', /\b0?\.7500/),
  row('--quiet eval', /gradus (--help) lists them all/, '$1', /eval/),
  row(`${eval_} --missin skip`, /did you mean (--\w+)\?/, `${eval_} $1 skip`, /\b0?\.7500/),
  row(`${eval_} --missing skp`, /did you mean (\w+)\?/, `${eval_} --missing $1`, /\b0?\.7500/),
  row(`${eval_} --missing`, /write (--missing) \S+/, `${eval_} $1 zero`, /\b0?\.7500/),
  row(`${eval_} --missing skip --missing zero`, /give it once/, `${eval_} --missing zero`, /\b0?\.7500/),
  row(`${eval_} --json --format csv`, /give one of them/, `${eval_} --format csv`, /,0\.75/),
  row(`${eval_} -o out.docx`, /end the name in .*(\.csv).*, or in nothing/, [`${eval_} -o out$1`, 'PRINT out$1'], /,0\.75/),
  row(
    'eval qrels r s -m AP --name a',
    /give (--name) once for each run/,
    'eval qrels r s -m AP $1 a $1 b',
    / a +b\nAP +0?\.7500 +0?\.5000/,
  ),
  row('compare qrels r s -m AP --name a', /give (--name) once for each run/, 'compare qrels r s -m AP $1 a $1 b', /\ba\b[\s\S]*0?\.7500/),
  row(
    'report qrels r s --no-audit -m AP --name a',
    /give (--name) once for each run/,
    'report qrels r s --no-audit -m AP $1 a $1 b',
    /\ba\b[\s\S]*0?\.7500/,
  ),
  row(`${eval_} --no-summary`, /add (--per-topic)/, `${eval_} --no-summary $1`, /1 +1\.0000\n2 +0?\.5000/),
  row(`${eval_} --all-topics --missing skip`, /give one of them/, `${eval_} --all-topics`, /\b0?\.7500/),
  row(
    `${eval_} --format parquet`,
    /name a file with (--output)/,
    [`${eval_} --format parquet $1 out.parquet`, 'PRINT out.parquet'],
    /^PAR1/,
  ),
  row(`eval qrels - - -m AP`, /standard input can be read only (once)/, 'eval qrels r s -m AP', /0?\.7500[\s\S]*0?\.5000/),
  row(`${eval_} --trust-unique`, /add (--engine duckdb) or --engine spark/, `${eval_} --trust-unique $1`, /\b0?\.7500/),
  row(`${eval_} --memory-limit 1GB`, /add (--engine duckdb) or --engine spark/, `${eval_} --memory-limit 1GB $1`, /\b0?\.7500/),
  row(`${eval_} --allow-network`, /add (--engine duckdb), or leave it out/, `${eval_} --allow-network $1`, /\b0?\.7500/),
  row(`${eval_} --lenient --engine duckdb`, /leave one of them out/, `${eval_} --engine duckdb`, /\b0?\.7500/),
  row(`${eval_} -o r`, /name another file to write to/, [`${eval_} -o other.txt`, 'PRINT other.txt'], /\b0?\.7500/),

  // measures
  row('eval qrels r -m APP', /did you mean (\w+)\? gradus measures lists them all/, 'eval qrels r -m $1', /\b0?\.7500/),
  row("eval qrels r -m ''", /gradus (measures) lists them all/, '$1', /\bAP\b/),
  // (31 / 32 + 1 / 32 / 2) / 2 = .4922
  row('eval five r -m ERR', /as in (ERR\(max_rel=5\))/, 'eval five r -m $1', /\b0?\.4922/),
  row('eval five r -m ERR', /with (max_rel='data')/, 'eval five r -m "ERR($1)"', /\b0?\.4922/),
  row('eval qrels r -m AP(foo=1)', /it has .*(rel)/, 'eval qrels r -m AP($1=1)', /\b0?\.7500/),
  row('eval qrels r -m P(cutoff=?)', /write a (number)/, 'eval qrels r -m P(cutoff=2)', /\b0?\.5000/),
  row('eval qrels r -m P', /write it as (P@\d+|P\(\S+\))/, 'eval qrels r -m $1', /0?\.\d{4}/),
  row(`${eval_} --convention trec_evl`, /did you mean (\w+)\?/, `${eval_} --convention $1`, /\b0?\.7500/),
  ...laterRows,
  ...fileRows,
  ...engineRows,
  ...measureRows,
  ...dataRows,
];
