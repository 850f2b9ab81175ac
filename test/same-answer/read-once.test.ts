/** Files are opened once, and pipes work wherever files do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/problem.js';
import { ScoreTable } from '../../src/core/score-table.js';
import { readToConvert } from '../../src/experiment/convert.js';
import { correlateSources } from '../../src/experiment/correlate.js';
import { scoreExperiment } from '../../src/experiment/experiment.js';
import { openMaterial, readMaterial } from '../../src/experiment/material.js';
import { planOf } from '../../src/experiment/plan.js';
import type { Platform } from '../../src/experiment/platform.js';
import { reportExperiment } from '../../src/experiment/report.js';
import { readTrainingData } from '../../src/experiment/training/training-data.js';
import { bytesSource } from '../../src/formats/source.js';
import { formatParquetScores } from '../../src/formats/tables/parquet-writer.js';
import { rowsOfQrels } from '../helpers/rows.js';
import { repository, runGradus } from '../helpers/run-gradus.js';

const data = join(repository, 'examples/data');
const names = { judgements: 'example.qrels', runs: ['bm25.run', 'neural.run'] };

/** Files that are pipes: whoever opens one twice gets nothing the second time. */
function countingPlatform(bytesOf: (name: string) => Uint8Array = (name) => readFileSync(join(data, name))): {
  platform: Platform;
  opened: Map<string, number>;
} {
  const opened = new Map<string, number>();
  return {
    opened,
    platform: {
      version: '0',
      source(name) {
        const { open, ...kept } = bytesSource(bytesOf(name), name, name);
        return {
          ...kept,
          isReopenable: false,
          openParts: undefined,
          async *open() {
            opened.set(name, (opened.get(name) ?? 0) + 1);
            if (opened.get(name) === 1) yield* open();
          },
        };
      },
      sha256: async () => 'abc',
    },
  };
}

const once = new Map([names.judgements, ...names.runs].map((name) => [name, 1]));

describe('every file is opened once', () => {
  test('to be scored', async () => {
    const { platform, opened } = countingPlatform();
    const { tables } = await scoreExperiment({ ...names, measures: 'AP RR' }, platform);
    expect(tables.map(({ systems }) => systems[0])).toEqual(['bm25', 'neural']);
    expect(opened).toEqual(once);
  });

  test('to be read as a whole', async () => {
    const { platform, opened } = countingPlatform();
    const { runs } = await readMaterial(await openMaterial(names, planOf({}), platform));
    expect(runs).toHaveLength(2);
    expect(opened).toEqual(once);
  });

  test.each([true, false])('for a report, audited or not', async (audit) => {
    const { platform, opened } = countingPlatform();
    const report = await reportExperiment({ ...names, measures: 'AP', audit }, platform);
    expect(report.kind === 'comparison' && report.audit.length).toBe(audit ? 3 : 0);
    expect(report.provenance.files.map(({ name, bytes }) => [name, bytes])).toEqual(
      [...once.keys()].map((name) => [name, readFileSync(join(data, name)).length]),
    );
    expect(opened).toEqual(once);
  });
});

describe('every file is opened once', () => {
  /** The same for what is in memory. */
  function platformOf(files: Readonly<Record<string, Uint8Array | string>>): ReturnType<typeof countingPlatform> {
    return countingPlatform((name) => (typeof files[name] === 'string' ? new TextEncoder().encode(files[name]) : files[name]));
  }

  test('to compare two runs, or two files of scores, Parquet in a pipe too', async () => {
    const { platform, opened } = countingPlatform();
    const [bm25, neural] = names.runs.map((name) => platform.source(name));
    const runs = await correlateSources(bm25, neural);
    expect(runs.of === 'runs' && runs.agreement.topics.length).toBeGreaterThan(1);
    expect([...opened.values()]).toEqual([1, 1]);
    const table = new ScoreTable(['x', 'y', 'z'], ['1'], [{ name: 'AP', aggregate: 'mean', empty: 'skip' }], Float64Array.of(1, 2, 3));
    const scored = platformOf({ a: await formatParquetScores(table), b: 'topic,x,y,z\n1,3,2,4\n' });
    const scores = await correlateSources(scored.platform.source('a'), scored.platform.source('b'), { measures: ['AP'] });
    // one of three pairs is the other way round: (2 - 1) / 3
    expect(scores.of === 'scores' && scores.results.map(({ tauA }) => tauA)).toEqual([1 / 3]);
    expect([...scored.opened.values()]).toEqual([1, 1]);
  });

  test('to be converted', async () => {
    const { platform, opened } = platformOf({ q: '1 qid:7 1:0.5 # docid = a\n0 qid:7 1:1 # docid = b\n' });
    const converted = await readToConvert(platform.source('q'), { target: 'q.qrels' });
    expect('qrels' in converted && rowsOfQrels(converted.qrels)).toEqual([
      ['7', 'a', 1],
      ['7', 'b', 0],
    ]);
    expect(opened).toEqual(new Map([['q', 1]]));
  });

  test('to train, of whatever format', async () => {
    const { platform, opened } = platformOf({
      't.txt': '1 qid:1 1:0.5 2:1\n0 qid:1 1:1 2:2\n',
      't.csv': 'qid,label,1,2\n2,2,3,4\n3,0,5,6\n',
      'v.jsonl': '{"qid":9,"label":1,"features":[7,8]}\n',
      weights: '1\n2\n0.5\n',
    });
    const notes: string[] = [];
    const files = { train: ['t.txt', 't.csv'], validate: ['v.jsonl'], queryWeights: 'weights' };
    const { train, validation, queryWeights, tests } = await readTrainingData(files, { onNote: (note) => notes.push(note) }, platform);
    expect([...train.labels]).toEqual([1, 0, 2, 0]);
    expect([...(train.features?.values ?? [])]).toEqual([0.5, 1, 1, 2, 3, 4, 5, 6]);
    expect([...(validation?.labels ?? []), ...(validation?.features?.values ?? [])]).toEqual([1, 7, 8]);
    expect([...(queryWeights ?? []), tests.length, notes.length]).toEqual([1, 2, 0.5, 0, 0]);
    expect([...opened.values()]).toEqual([1, 1, 1, 1]);
  });
});

test.each(['eval', 'compare', 'gate', 'report', 'audit'])('gradus %s takes a run from a pipe', (command) => {
  const run = readFileSync(join(data, 'neural.run'));
  const ask = (path: string): ReturnType<typeof runGradus> =>
    runGradus([command, 'example.qrels', 'bm25.run', path, '--json'], { cwd: data, input: run });
  const fromFile = ask('neural.run');
  const fromPipe = ask('-');
  expect([fromPipe.stderr, fromPipe.status]).toEqual([fromFile.stderr.replaceAll('neural.run', 'standard input'), fromFile.status]);
  // a fingerprint has no checksum of what came through a pipe, which cannot be read again
  const bare = (text: string): string =>
    text
      .replace(/"runs": \[(\s*\{\s*"name": [^\]]*)?\]/, '"runs"')
      .replaceAll('neural.run', '-')
      .replaceAll('standard input', '-');
  expect(bare(fromPipe.stdout)).toBe(bare(fromFile.stdout));
});

test('a file that is not there shows before any other is read', async () => {
  const { platform, opened } = countingPlatform();
  const missing = new InputError({ source: 'none.run', message: 'cannot be read' });
  const source: Platform['source'] = (name) => {
    const check = (): void => {
      throw missing;
    };
    return { ...platform.source(name === 'none.run' ? 'bm25.run' : name), ...(name === 'none.run' ? { check } : {}) };
  };
  await expect(scoreExperiment({ ...names, runs: ['bm25.run', 'none.run'] }, { ...platform, source })).rejects.toBe(missing);
  expect(opened.size).toBe(0);
  const { stderr, status } = runGradus(['eval', 'example.qrels', 'bm25.run', 'none.run'], { cwd: data });
  expect([stderr, status]).toEqual(['gradus: none.run: cannot be read: no such file or directory\n', 2]);
});
