import { row, type SuggestionRow } from './suggestion-files.js';

const informativeness = 'meta informativeness qrels r s --min-per-grade 1';
const lambdamart = 'train lambdamart --model m.json --quiet --trees 2 --threads 1';

/** Suggestions about measures, conventions and the settings of learners. The values are those of run r by hand: topic 1 has its
 *  relevant document first, topic 2 second of two. */
export const measureRows: readonly SuggestionRow[] = [
  row('eval qrels r -m RR --sort AP', /sort by (RR), name/, 'eval qrels r -m RR --sort $1', / 0?\.7500/),
  row('eval qrels r -m RR --wide', /add (--format csv), or/, 'eval qrels r -m RR --wide $1', /run,RR\n.*,0\.75\n/),
  row('eval qrels r -m RR --wide', /or leave it out/, 'eval qrels r -m RR', / 0?\.7500/),
  row('eval qrels r -m NDCG2@10', /LETOR's NDCG is (nDCG\S+@10)/, 'eval qrels r -m "$1"', /nDCG\S+ +1\.0000/),
  row('eval qrels r -m IPrec', /write it as (IPrec@0\.5)/, 'eval qrels r -m $1', /IPrec@0\.5 +0?\.7500/),
  // all documents of topic 1 are relevant, and that of topic 2 is below the other
  row(
    'eval all-relevant r -m Accuracy --convention ir_measures',
    /count such topics as 1 with (no_pairs='one')/,
    'eval all-relevant r -m "Accuracy($1)" --convention ir_measures',
    / 0?\.5000/,
  ),
  // one relevant document of five expected; of one and of two
  row('eval qrels r -m RelativeRecall', /one for all as in (RelativeRecall\(expected=5\))/, 'eval qrels r -m $1', / 0?\.2000/),
  row(
    'eval qrels r -m RelativeRecall',
    /give the number for each topic/,
    ['WRITE expected.txt 1 1\n2 2\n', 'eval qrels r -m RelativeRecall --expected expected.txt'],
    / 0?\.7500/,
  ),
  row('eval qrels r -m PrefsSimp --engine duckdb', /leave it out, or evaluate in process/, 'eval qrels r -m PrefsSimp', / 0?\.5000/),
  row('eval no-relevant r -m "AP(empty=\'error\')"', /with (empty='skip'), or/, 'eval no-relevant r -m "AP($1)"', / 1\.0000/),
  row('eval no-relevant r -m "AP(empty=\'error\')"', /or give them a value/, 'eval no-relevant r -m AP(empty=0)', / 0?\.5000/),
  row('eval no-relevant r -m bpref --convention ranx', /leave out --convention ranx/, 'eval no-relevant r -m bpref', / 0?\.5000/),
  row(
    'eval no-relevant r -m bpref --convention ranx',
    /topic (2) has .*leave the topic out of the judgements/,
    ['WRITE less.qrels 1 0 a 1\n1 0 b 0\n', 'eval less.qrels r -m bpref --convention ranx'],
    / 1\.0000/,
  ),
  row('eval half r -m GAP', /as in (GAP\(thresholds=\[0\.5,1\]\))/, 'eval half r -m $1', / 0?\.7500/),
  // (1 / 16 + 1 / 16 / 2) / 2
  row(
    'eval named.qrels named.run -m ERR@20 --convention ir_measures',
    /name topics by numbers, or/,
    'eval qrels r -m ERR@20 --convention ir_measures',
    / 0?\.0469/,
  ),
  row(
    'eval named.qrels named.run -m ERR@20 --convention ir_measures',
    /or leave out --convention ir_measures/,
    'eval named.qrels named.run -m ERR@20',
    / 0?\.0469/,
  ),
  row(
    'eval five r -m ERR(max_rel=5)@10 --convention ir_measures',
    /or leave out --convention ir_measures/,
    'eval five r -m ERR(max_rel=5)@10',
    / 0?\.4922/,
  ),
  row(
    'eval five r -m ERR(max_rel=5)@10 --convention ir_measures',
    /grade 5, .*grades up to (4).*change the grades/,
    ['WRITE four.qrels 1 0 a $1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n', 'eval four.qrels r -m ERR@10 --convention ir_measures'],
    // (15 / 16 + 1 / 16 / 2) / 2
    / 0?\.4844/,
  ),
  // 1 and 1 / log2(3)
  row('eval qrels r -m "alpha_nDCG(ties=\'optimistic\')"', /with (ties='expected')/, 'eval qrels r -m "alpha_nDCG($1)"', / 0?\.8155/),
  row(
    'meta informativeness qrels r s -m AP',
    /a lower (--min-per-grade)/,
    'meta informativeness qrels r s -m AP $1 1',
    // every list is known in full
    /AP +0\.0000 +0\.0000 +0\n/,
  ),
  row(`${informativeness} -m "AP(ties='file')"`, /rules of its own, as in (AP)/, `${informativeness} -m $1`, /AP +0\.0000 +0\.0000 +0\n/),
  row(
    `${informativeness} -m nDCG --convention sklearn`,
    /leave (--convention) out/,
    `${informativeness} -m nDCG`,
    /nDCG +0\.0000 +0\.0000 +0\n/,
  ),
  row(
    'fuse r s --method wsum --folds 2 --tune NumRet --qrels qrels',
    /such as (nDCG@10)/,
    'fuse r s --method wsum --folds 2 --tune $1 --qrels qrels',
    /nDCG@10/,
  ),

  // learners
  row(
    'train train.txt --model m.json',
    /the file behind --train: (lambdamart --train train\.txt)/,
    ['train $1 --model m.json', 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --split-by documents --monotone 1`,
    /leave out monotone, or/,
    [`${lambdamart} --train train.txt --split-by documents`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --split-by documents --monotone 1`,
    /or splitBy=documents/,
    [`${lambdamart} --train train.txt --monotone 1`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --split-by documents --smoothing 1`,
    /leave out smoothing, or/,
    [`${lambdamart} --train train.txt --split-by documents`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --split-by documents --smoothing 1`,
    /or splitBy=documents/,
    [`${lambdamart} --train train.txt --smoothing 1`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --extra-trees --bins 300`,
    /leave out bins, or/,
    [`${lambdamart} --train train.txt --extra-trees`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --extra-trees --bins 300`,
    /or extraTrees/,
    [`${lambdamart} --train train.txt --bins 300`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --categorical 1 --monotone 1`,
    /leave it out of monotone or/,
    [`${lambdamart} --train train.txt --categorical 1`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --categorical 1 --monotone 1`,
    /or of categorical/,
    [`${lambdamart} --train train.txt --monotone 1`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  row(
    `${lambdamart} --train train.txt --categorical 99`,
    /ids go from (\d+) to/,
    [`${lambdamart} --train train.txt --categorical $1`, 'model inspect m.json'],
    /LambdaMART/i,
  ),
  // the first list is in the right order and worth 1; the other, without a relevant document, is left out or worth 0
  row(
    `${lambdamart} --train empty-list.txt --min-docs 1 --objective "nDCG(empty='error')@10"`,
    /with (empty='skip'), or/,
    `${lambdamart} --train empty-list.txt --min-docs 1 --objective "nDCG($1)@10"`,
    / 1\.0000/,
  ),
  row(
    `${lambdamart} --train empty-list.txt --min-docs 1 --objective "nDCG(empty='error')@10"`,
    /a value with (empty=0)/,
    `${lambdamart} --train empty-list.txt --min-docs 1 --objective "nDCG($1)@10"`,
    / 0?\.5000/,
  ),
  row(
    `${lambdamart} --train high-labels.txt --min-docs 1 --objective "nDCG(gain='exp')"`,
    /as in (nDCG\(gain='linear'\))/,
    `${lambdamart} --train high-labels.txt --min-docs 1 --objective "$1"`,
    / 1\.0000/,
  ),
  row(
    'train listnet --train train.txt --model m.json --quiet --rate 1e308 --epochs 3',
    /take a smaller (rate)/,
    'train listnet --train train.txt --model m.json --quiet --$1 0.1 --epochs 100',
    / 1\.0000/,
  ),
];
