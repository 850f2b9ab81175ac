import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRankLibVersion, rankLibVersions } from '../../conventions/ranklib-versions.js';
import { findConvention } from '../../conventions/registry.js';
import { objectiveOf } from '../../ltr/objectives/index.js';
import { learnerEntries } from '../../ltr/registry.js';
import { makeScorer } from './metrics.js';
import { measureOfMetric, optionsFromFlags } from './training.js';
import { parseRankLibTraining } from './training-options.js';

describe('measureOfMetric(text)', () => {
  it("is worth what RankLib's own metric is, to the last bit", () => {
    const metric = fc.constantFrom(
      'NDCG@3',
      'NDCG@10',
      'ndcg',
      'NDCG@0',
      'DCG@4',
      'ERR@10',
      'ERR@2',
      'MAP',
      'P@1',
      'P@3',
      'P@0',
      'RR@2',
      'RR@10',
    );
    const version = fc.constantFrom(...rankLibVersions.filter(({ cutsReciprocalRank }) => cutsReciprocalRank));
    const labels = fc.array(fc.constantFrom(0, 0, 1, 2, 3, 4, 0.5, 2.5), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(metric, version, labels, (text, rankLib, list) => {
        const convention = findConvention(`ranklib@${rankLib.name}`);
        const objective = objectiveOf(measureOfMetric(text, 4, convention)).prepare(
          Float64Array.from(list),
          Uint32Array.of(0, list.length),
        );
        const order = Uint32Array.from(list.keys());
        const expected = makeScorer(text, { version: rankLib, gmax: 4, judgements: undefined }).score('q', Float64Array.from(list));
        expect(objective.value(0, order)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes the highest label from -gmax', () => {
    expect(measureOfMetric('ERR@10', 2, findConvention('ranklib')).text).toContain('max_rel=2');
  });
});

describe('optionsFromFlags(learner, ranker, flags)', () => {
  const rankers = learnerEntries.filter(({ ranklib }) => ranklib !== undefined);

  it('every ranker of RankLib has its learner, and its defaults have their options', async () => {
    expect(rankers.map(({ ranklib }) => ranklib).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const chosen: Record<string, unknown> = {};
    for (const { name, ranklib = 0, load } of rankers) chosen[name] = optionsFromFlags(await load(), ranklib, new Map());
    expect(chosen.lambdamart).toMatchObject({
      trees: 1000,
      leaves: 10,
      rate: 0.1,
      minDocs: 1,
      patience: 100,
      bins: 255,
      splitBy: 'documents',
      cutPairs: true,
      truncation: 30,
    });
    expect(chosen.ranknet).toMatchObject({ epochs: 100, layers: 1, units: 10, rate: 0.00005 });
    expect(chosen.rankboost).toMatchObject({ rounds: 300 });
    expect(chosen.adarank).toMatchObject({ rounds: 500, tolerance: 0.002, maxRepeats: 5, reweighting: 'product', settled: 'all' });
    expect(chosen['coordinate-ascent']).toMatchObject({ restarts: 5, steps: 25, tolerance: 0.001, slack: 0 });
    expect(chosen.listnet).toMatchObject({ epochs: 1500, rate: 0.00001 });
    expect(chosen['random-forest']).toMatchObject({ trees: 300, leaves: 100, featureSample: 0.3, querySample: 1, minDocs: 1 });
    expect(chosen['linear-regression']).toMatchObject({ l2: 1e-10 });
  });

  it('reads flags, and refuses those of other rankers and values out of range together with others', async () => {
    const mart = await rankers.find(({ name }) => name === 'mart')!.load();
    expect(
      optionsFromFlags(
        mart,
        0,
        new Map([
          ['-tree', '50'],
          ['-shrinkage', '0.2'],
        ]),
      ),
    ).toMatchObject({ trees: 50, rate: 0.2 });
    expect(() =>
      optionsFromFlags(
        mart,
        0,
        new Map([
          ['-epoch', '5'],
          ['-r', '5'],
        ]),
      ),
    ).toThrow(/-epoch is no parameter of MART.*\n-r is no parameter of MART/);
    expect(() => optionsFromFlags(mart, 0, new Map([['-tree', '0']]))).toThrow(/trees of .*: expected a whole number from 1/);
  });
});

describe('parseRankLibTraining(argv)', () => {
  it('folds the case of options from 2.8 on, where the later of two metrics sets both', () => {
    const argv = ['-TRAIN', 't', '-metric2t', 'MAP', '-metric2T', 'P@5'];
    expect(parseRankLibTraining(argv, defaultRankLibVersion)).toMatchObject({ train: 't', trainMetric: 'P@5', testMetric: 'P@5' });
    const older = rankLibVersions.find(({ name }) => name === '2.3')!;
    expect(
      parseRankLibTraining(
        argv.map((word) => word.replace('-TRAIN', '-train')),
        older,
      ),
    ).toMatchObject({ trainMetric: 'MAP', testMetric: 'P@5' });
    expect(() => parseRankLibTraining(['-TRAIN', 't'], older)).toThrow('RankLib has no parameter -TRAIN');
  });

  it('has the defaults of RankLib', () => {
    expect(parseRankLibTraining(['-train', 't'], defaultRankLibVersion)).toMatchObject({
      ranker: 4,
      trainMetric: 'ERR@10',
      gmax: 4,
      silent: false,
    });
  });

  it.each([
    [['-tvs', '1.5'], '-tvs needs a share between 0 and 1, found 1.5'],
    [['-norm', 'minmax'], '-norm is sum, zscore or linear, found minmax'],
    [['-thread', '0'], '-thread needs a whole number from 1 to 1024, or -1 for all cores, found 0'],
    [['-thread', '1025'], '-thread needs a whole number from 1 to 1024, or -1 for all cores, found 1025'],
    [['-kcvmd', 'd'], '-kcvmd saves the models of folds, and there is no -kcv'],
    [['-kcv', '5', '-test', 'x'], '-kcv tests on parts of the training data; leave -test out'],
    [['-gmax'], '-gmax needs a value'],
  ])('refuses %j', (argv, sentence) => {
    expect(() => parseRankLibTraining(['-train', 't', ...argv], defaultRankLibVersion)).toThrow(sentence);
  });
});
