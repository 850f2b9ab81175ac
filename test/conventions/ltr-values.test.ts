import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateUnder } from '../../src/conventions/evaluate-under.js';
import { findConvention } from '../../src/conventions/registry.js';
import { formatFixed, formatJava, formatPerl } from '../../src/core/numbers/print.js';
import { letorFolder } from '../helpers/letor-golden.js';

type Numbers = Record<string, Record<string, number>>;

function read(path: string): string[] {
  return readFileSync(join(letorFolder, path), 'latin1').trimEnd().split('\n');
}

/** Labels and scores of a recorded test set, documents named by their lines. */
function testSet(folder: string, system: string): { labels: Numbers; scores: Numbers } {
  const predictions = read(`data/${folder}/pred.${system}.txt`).map(Number);
  const labels: Numbers = {};
  const scores: Numbers = {};
  for (const [i, line] of read(`data/${folder}/test.txt`).entries()) {
    const [label, qid] = line.split(' ');
    const id = qid.slice(4);
    labels[id] ??= {};
    scores[id] ??= {};
    labels[id][`line${i}`] = Number(label);
    scores[id][`line${i}`] = predictions[i];
  }
  return { labels, scores };
}

/** The mean of a measure under a convention, through the same way as any other evaluation. */
function meanUnder(convention: string, folder: string, system: string, measure: string): number {
  const { labels, scores } = testSet(folder, system);
  return evaluateUnder(findConvention(convention), labels, scores, [measure]).aggregate(0);
}

const systems = ['A', 'C', 'T', 'W'];
const upTo = (n: number, name: string): string[] => Array.from({ length: n }, (_, i) => `${name}@${i + 1}`);

describe('conventions give the numbers of the tools, means over queries included', () => {
  it.each([
    ['letor4', 'edge2_l4', 'A'],
    ['letor4', 'edge2_l4', 'T'],
    ['letor4', 'edge2_l4', 'P'],
    ['mslr', 'edge4_mslr', 'A'],
    ['mslr', 'edge4_mslr', 'B'],
  ])('%s on %s, system %s', (convention, folder, system) => {
    const averages = read(`expected/${convention}/${folder}.${system}.flag1.out`).filter((line) => line.startsWith('Average'));
    const [precisions, ndcgs] = averages.map((line) => line.split('\t').slice(1));
    const mean = (measure: string): string => formatFixed(meanUnder(convention, folder, system, measure), 4);
    expect([...upTo(10, 'P'), 'AP'].map(mean)).toEqual(precisions);
    expect([...upTo(10, 'nDCG'), 'MeanNDCG'].map(mean)).toEqual(ndcgs);
  });

  it.each([
    ['letor2', 'edge2_l3', 'A', 'flag1'],
    ['letor2', 'edge2_l3', 'C', 'flag0'],
    ['letor3', 'edge2_l3', 'A', 'flag0'],
    ['letor3', 'edge2_l3', 'T', 'flag0'],
    ['letor3', 'edge2_l3', 'W', 'flag0'],
  ])('%s on %s, system %s', (convention, folder, system, flag) => {
    const lines = read(`expected/${convention}/${folder}.${system}.${flag}.out`);
    const averages = ['precision:', 'MAP:', 'NDCG:'].map((start) =>
      lines
        .find((line) => line.startsWith(start))
        ?.slice(start.length)
        .trim()
        .split('\t'),
    );
    // all but the last of fifteen digits: topics are summed in another order here
    const mean = (measure: string): number => meanUnder(convention, folder, system, measure);
    for (const [block, measures] of [upTo(16, 'P'), ['AP'], upTo(16, 'nDCG')].entries()) {
      measures.forEach((measure, i) => {
        expect(mean(measure), measure).toBeCloseTo(Number(averages[block]?.[i]), 13);
      });
    }
    expect(formatPerl(mean('AP'))).toHaveLength(averages[1]?.[0].length ?? 0);
  });

  it.each(systems.flatMap((system) => (system === 'T' || system === 'A' ? [['edge2_l4', system]] : [])))(
    'yahoo on %s, system %s',
    (folder, system) => {
      for (const line of read(`expected/yahoo/${folder}.${system}.stdout`)) {
        const [, k, err, ndcg] = /^k=(\d+)\tERR=(\S+)\tNDCG=(\S+)$/.exec(line) ?? [];
        expect(meanUnder('yahoo', folder, system, `nDCG@${k}`)).toBeCloseTo(Number(ndcg), 13);
        expect(meanUnder('yahoo', folder, system, 'ERR')).toBeCloseTo(Number(err), 13);
      }
    },
  );

  it.each([
    ['ranklib@2.8', '2.8', 'edge2_l4', 'A'],
    ['ranklib@2.8', '2.8', 'edge2_l4', 'T'],
    ['ranklib@2.8', '2.8', 'edge4_mslr', 'B'],
    ['ranklib@2.10.1', '2.10.1', 'edge2_l4', 'A'],
  ])('%s (%s) on %s, system %s', (convention, version, folder, system) => {
    const names: Record<string, string> = { MAP: 'AP', BEST: 'Best' };
    let compared = 0;
    for (const line of read(`expected/ranklib/${version}.${folder}.${system}.score.stdout`)) {
      const [, metric, at, value] = /^(\w+)@?(\d*)\t.* on test data: (\S+)$/.exec(line) ?? [];
      // a depth left out, or of 0, means something else in each metric
      if ((at === '' && metric !== 'MAP') || at === '0' || metric !== metric.toUpperCase()) continue;
      const ours = `${names[metric] ?? metric.replace('NDCG', 'nDCG')}${at === '' ? '' : `@${at}`}`;
      const mean = meanUnder(convention, folder, system, ours);
      expect(formatJava(Math.floor(mean * 10000 + 0.5) / 10000), line).toBe(value);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(8);
  });
});
