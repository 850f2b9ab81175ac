import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../src/core/numbers/random.js';
import { SharedParts } from '../src/core/shared-parts.js';
import { runTasks, shareWork, takeParts } from '../src/node/threads/resample.js';
import { estimatedMilliseconds, joinResults, runTask, type StatsTask } from '../src/stats/tasks.js';
import { repository, runGradus } from './helpers/run-gradus.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-threads-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function someSystems(count: number, topics: number): Float64Array[] {
  const random = seededRandom(41);
  return Array.from({ length: count }, () => Float64Array.from({ length: topics }, () => Math.round(1e4 * random.float()) / 1e4));
}

const systems = someSystems(4, 43);
const pairs = Int32Array.of(1, 0, 2, 0, 3, 1);
const tasks: readonly StatsTask[] = [
  { kind: 'ranges', systems, seed: 3, units: 333 },
  { kind: 'exceedances', systems, seed: 3, units: 517 },
  { kind: 'tests', systems, pairs, units: 3, test: 'randomization', alternative: 'less', seed: 3, resamples: 2000 },
  { kind: 'tests', systems, pairs, units: 3, test: 'bootstrap', alternative: 'greater', seed: 3, resamples: 500 },
  { kind: 'tests', systems, pairs, units: 3, test: 'wilcoxon', alternative: 'two-sided', seed: 3, resamples: undefined },
  { kind: 'intervals', systems, pairs: Int32Array.of(1, 0, 2, -1), units: 2, seed: 3, level: 0.9 },
];

describe('tasks of statistics', () => {
  test('come to the same in any number of parts', () => {
    const whole = tasks.map(runTask);
    for (const numParts of [1, 2, 3, 7, 1000]) {
      const shared = shareWork(tasks, numParts);
      takeParts(shared);
      expect(new SharedParts(shared.control).done).toBe(shared.parts.length);
      for (const [t, task] of tasks.entries()) {
        const results = shared.parts.filter((part) => part.task === t).map(({ result }) => result);
        expect(Float64Array.from(joinResults(task, results))).toEqual(whole[t]);
      }
    }
  });

  test('are done here when they are small, whatever the number of threads', async () => {
    expect(tasks.reduce((sum, task) => sum + estimatedMilliseconds(task), 0)).toBeLessThan(400);
    expect(await runTasks(tasks, { threads: 64 })).toEqual(tasks.map(runTask));
  });

  test('are refused when the program of a thread is missing: no module has been built beside the source', async () => {
    await expect(runTasks(tasks.slice(0, 1), { threads: 2, alone: 0 })).rejects.toThrow('this part of Gradus is missing');
    expect(await runTasks(tasks.slice(0, 1), { threads: 1, alone: 0 })).toEqual([runTask(tasks[0])]);
  });

  // the other threads alone, from the built modules and from the bundle of the command line
  test.each(['dist/node/threads/resample-worker.js', 'dist/bin/resample-worker.js'])('are done by the threads of %s', (worker) => {
    const built = (path: string): string => JSON.stringify(pathToFileURL(join(repository, path)).href);
    const script = join(folder, 'threads.mjs');
    writeFileSync(
      script,
      `
      import { SharedParts } from ${built('dist/core/shared-parts.js')};
      import { shareWork } from ${built('dist/node/threads/resample.js')};
      import { createTeam } from ${built('dist/node/threads/team.js')};
      import { runTask, joinResults } from ${built('dist/stats/tasks.js')};
      const systems = [[0.1, 0.5, 0.3, 0.9], [0.4, 0.2, 0.8, 0.7], [0.6, 0.1, 0.2, 0.3]].map((values) => Float64Array.from(values));
      const tasks = [{ kind: 'ranges', systems, seed: 3, units: 333 }, { kind: 'exceedances', systems, seed: 3, units: 517 }];
      const shared = shareWork(tasks, 5);
      const team = createTeam(3);
      await team.run(new URL(${built(worker)}), shared);
      await team.close();
      if (new SharedParts(shared.control).done !== shared.parts.length) throw new Error('parts were left');
      for (const [t, task] of tasks.entries()) {
        const found = joinResults(task, shared.parts.filter((part) => part.task === t).map(({ result }) => result));
        if (found.join() !== runTask(task).join()) throw new Error(task.kind + ' differs');
      }`,
    );
    const { stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

describe('gradus compare --threads', () => {
  /** A row per topic, a column per system. */
  function scoresFile(count: number, topics: number): string {
    const values = someSystems(count, topics);
    const rows = Array.from({ length: topics }, (_, t) => [`t${t + 1}`, ...values.map((own) => own[t])].join(','));
    const path = join(folder, `scores-${count}-${topics}.csv`);
    writeFileSync(path, `topic,${values.map((_, s) => `s${s}`).join(',')}\n${rows.join('\n')}\n`);
    return path;
  }

  test.each([
    ['randomised Tukey', 4, 30, ['--test', 'randomized-tukey', '--resamples', '350000']],
    ['randomisation and bootstrap intervals', 8, 50, ['--test', 'randomization', '--interval', 'bootstrap']],
    ['bootstrap of all pairs', 12, 50, ['--test', 'bootstrap', '--resamples', '320000']],
  ])('%s: the same bytes with one thread and with two', (_, count, topics, options) => {
    const file = scoresFile(count, topics);
    const [one, two] = ['1', '2'].map((threads) => runGradus(['compare', '--scores', file, '--json', ...options, '--threads', threads]));
    expect(one.status).toBe(0);
    expect(two.stderr).toBe(one.stderr);
    expect(two.stdout).toBe(one.stdout);
    expect(JSON.parse(one.stdout).measures[0].pairs.length).toBe((count * (count - 1)) / 2);
  });

  test('gate too: the same bytes with one thread and with two', () => {
    const data = join(repository, 'examples/data');
    const argv = [
      'gate',
      join(data, 'example.qrels'),
      join(data, 'hybrid.run'),
      join(data, 'bm25.run'),
      '--json',
      '--test',
      'bootstrap',
      '-m',
      'nDCG@10 AP',
    ];
    const [one, two] = ['1', '2'].map((threads) => runGradus([...argv, '--resamples', '250000', '--threads', threads]));
    expect(one.status).toBe(1);
    expect(two.stdout).toBe(one.stdout);
  });
});
