/** Files are opened once, and pipes work wherever files do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/problem.js';
import { scoreExperiment } from '../../src/experiment/experiment.js';
import { openMaterial, readMaterial } from '../../src/experiment/material.js';
import { planOf } from '../../src/experiment/plan.js';
import type { Platform } from '../../src/experiment/platform.js';
import { reportExperiment } from '../../src/experiment/report.js';
import { bytesSource } from '../../src/formats/source.js';
import { repository, runGradus } from '../helpers/run-gradus.js';

const data = join(repository, 'examples/data');
const names = { judgements: 'example.qrels', runs: ['bm25.run', 'neural.run'] };

/** Files that are pipes: whoever opens one twice gets nothing the second time. */
function countingPlatform(): { platform: Platform; opened: Map<string, number> } {
  const opened = new Map<string, number>();
  return {
    opened,
    platform: {
      version: '0',
      source(name) {
        const { open, ...kept } = bytesSource(readFileSync(join(data, name)), name, name);
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

test.each(['eval', 'compare', 'gate', 'report', 'audit'])('gradus %s takes a run from a pipe', (command) => {
  const run = readFileSync(join(data, 'neural.run'));
  const ask = (path: string): ReturnType<typeof runGradus> =>
    runGradus([command, 'example.qrels', 'bm25.run', path, '--json'], { cwd: data, input: run });
  const fromFile = ask('neural.run');
  const fromPipe = ask('-');
  expect([fromPipe.stderr, fromPipe.status]).toEqual([fromFile.stderr.replaceAll('neural.run', 'standard input'), fromFile.status]);
  const bare = (text: string): string => text.replaceAll('neural.run', '-').replaceAll('standard input', '-');
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
