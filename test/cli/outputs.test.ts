import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launcher, repository, runGradus, runShell } from '../helpers/run-gradus.js';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'gradus-outputs-')));
const large = join(parent, 'large.run');
let folder: string;

const firstProcess = fileURLToPath(new URL('../helpers/first-process.cjs', import.meta.url));
const csv = 'run,measure,value\ntag,AP,1\n';
const evaluation = ['eval', 'qrels', 'run', '-m', 'AP', '-f', 'csv'];

beforeAll(() => {
  const file = openSync(large, 'w');
  for (let topic = 0; topic < 300; topic++) {
    let text = '';
    for (let rank = 1; rank <= 2000; rank++) text += `${topic} Q0 doc-${(rank * 7919) % 100_003}-${topic} ${rank} ${3000 - rank}.5 tag\n`;
    writeSync(file, text);
  }
  closeSync(file);
});

beforeEach(() => {
  folder = mkdtempSync(join(parent, 'case-'));
  writeFileSync(join(folder, 'qrels'), '1 0 a 1\n1 0 b 0\n');
  writeFileSync(join(folder, 'run'), '1 Q0 a 1 2 tag\n1 Q0 b 2 1 tag\n');
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

function others(): string[] {
  return readdirSync(folder).filter((name) => !['qrels', 'run'].includes(name));
}

describe('temporary files of a process that was killed', () => {
  test('do not block the next one, which has the same number in a container', () => {
    for (const name of ['.out.csv.1.tmp', `.out.csv.${process.pid}.tmp`]) writeFileSync(join(folder, name), 'half');
    const { stderr, status } = spawnSync(process.execPath, ['--require', firstProcess, launcher, ...evaluation, '-o', 'out.csv'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(csv);
  });

  test('stay behind after SIGKILL and do not matter', async () => {
    const child = start(['convert', large, 'out.run.gz']);
    await eventually(() => others().length > 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(others()).toEqual([expect.stringMatching(/^\.gradus-\w+\.tmp$/)]);
    expect(runGradus(['convert', 'run', 'out.run.gz'], { cwd: folder }).status).toBe(0);
    expect(others()).toHaveLength(2);
  });
});

test('many processes that write one file all succeed', async () => {
  const children = Array.from({ length: 6 }, () => start([...evaluation, '-o', 'out.csv']));
  const statuses = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(statuses).toEqual(Array(6).fill(0));
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(csv);
  expect(others()).toEqual(['out.csv']);
});

test('names as long as any can be', () => {
  for (const name of [`${'n'.repeat(251)}.csv`, `${'日'.repeat(83)}.csv`]) {
    expect(runGradus([...evaluation, '-o', name], { cwd: folder }).stderr).toBe('');
    expect(readFileSync(join(folder, name), 'utf8')).toBe(csv);
  }
  const report = runGradus(['report', 'qrels', 'run', '-o', `${'ü'.repeat(126)}.md`], { cwd: folder });
  expect(report.stderr).not.toContain('cannot');
  expect(report.status).toBe(0);
});

describe('devices, pipes and descriptors as outputs', () => {
  test('/dev/stdout goes on where the shell writes', () => {
    const line = `{ echo head; gradus ${evaluation.join(' ')} -o /dev/stdout; echo tail; }`;
    expect(runShell(line, { cwd: folder }).stdout).toBe(`head\n${csv}tail\n`);
    expect(runShell(`${line} > all; cat all`, { cwd: folder }).stdout).toBe(`head\n${csv}tail\n`);
    expect(runShell(`gradus ${evaluation.join(' ')} -o /dev/fd/3 3>> all; cat all`, { cwd: folder }).stdout).toBe(
      `head\n${csv}tail\n${csv}`,
    );
    expect(runShell(`gradus convert run /proc/self/fd/1 --to jsonl | cat`, { cwd: folder }).stdout).toContain('"a"');
  });

  test('/dev/null and /dev/full', () => {
    expect(runGradus([...evaluation, '-o', '/dev/null'], { cwd: folder }).status).toBe(0);
    const full = runGradus([...evaluation, '-o', '/dev/full'], { cwd: folder });
    expect(full.stderr).toMatch(/^gradus: \/dev\/full: cannot write: no space left on the device.*\n$/);
    expect(full.status).toBe(2);
  });

  test('a pipe is opened once, so that its reader gets everything', () => {
    writeFileSync(join(folder, 'train.txt'), '1 qid:1 1:1 # docid=a\n0 qid:1 1:0 # docid=b\n');
    const train = 'gradus train linear-regression --train train.txt --quiet';
    const line = `mkfifo pipe; cat pipe > copy & ${train} --model pipe > /dev/null; wait; ${train} --model model > /dev/null; cmp copy model && echo same`;
    expect(runShell(line, { cwd: folder }).stdout).toBe('same\n');
    const score = 'gradus score model train.txt --quiet -o >(cat > scored); sleep 0.3; wc -l < scored';
    expect(runShell(score, { cwd: folder }).stdout.trim()).toBe('2');
  });

  test('a descriptor that is not open', () => {
    const { stderr, status } = runGradus([...evaluation, '-o', '/dev/fd/99'], { cwd: folder });
    expect(stderr).toBe('gradus: /dev/fd/99: cannot write: it is closed\n');
    expect(status).toBe(2);
  });
});

describe('a report in Markdown that fails', () => {
  test('leaves no folder of pictures', () => {
    mkdirSync(join(folder, 'r.md'));
    const { stderr, status } = runGradus(['report', 'qrels', 'run', '-o', 'r.md'], { cwd: folder });
    expect(stderr).toBe('gradus: r.md: cannot write: it is a directory; name a file in it\n');
    expect(status).toBe(2);
    expect(others()).toEqual(['r.md']);
    runGradus(['report', 'qrels', 'run', '-o', 'missing/r.md'], { cwd: folder });
    expect(others()).toEqual(['r.md']);
    runGradus(['report', 'qrels', 'no-such-run', '-o', 's.md'], { cwd: folder });
    expect(others()).toEqual(['r.md']);
  });
});

/** Starts the program in the folder of the case, which is also where its temporary files go. */
function start(argv: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [launcher, ...argv], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: folder, ...environment },
  });
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let attempt = 0; !holds(); attempt++) {
    if (attempt > 3000) throw new Error('it never came to that');
    await sleep(5);
  }
}

describe('SIGINT, SIGTERM and SIGHUP remove what was begun', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

  test.each(signals)('%s: an output that is being written', async (signal) => {
    writeFileSync(join(folder, 'out.run.gz'), 'old');
    const child = start(['convert', large, 'out.run.gz']);
    await eventually(() => others().length > 1);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(others()).toEqual(['out.run.gz']);
    expect(readFileSync(join(folder, 'out.run.gz'), 'utf8')).toBe('old');
  });

  test.each(signals)('%s: the folder that DuckDB spills to', async (signal) => {
    const child = start(['eval', 'qrels', large, '--engine', 'duckdb', '-m', 'AP']);
    await eventually(() => others().some((name) => name.startsWith('gradus-duckdb-')) && readdirSync(join(folder, others()[0])).length > 0);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(others()).toEqual([]);
  });

  test.each(signals)('%s: the browser that prints a PDF, with its profile', async (signal) => {
    const browser = join(parent, 'browser');
    // as Chromium does, it starts others, which write to the profile
    writeFileSync(
      browser,
      `#!/bin/sh
for word; do case $word in --user-data-dir=*) profile=\${word#*=};; esac; done
mkdir -p "$profile"
(while :; do date > "$profile/$$"; done) &
sleep 60
`,
    );
    chmodSync(browser, 0o755);
    const child = start(['report', 'qrels', 'run', '-o', 'r.pdf'], { CHROME_PATH: browser });
    const profile = (): string[] => others().filter((name) => name.startsWith('gradus-pdf-'));
    await eventually(() => profile().length > 0 && readdirSync(join(folder, profile()[0])).includes('profile'));
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    await sleep(50);
    expect(others()).toEqual([]);
  });

  test('training saves the best model so far, and the status says which signal it was', async () => {
    // feature 4 is always the same, which is said when the data has been read
    const lines = Array.from({ length: 400 }, (_, i) => `${i % 3} qid:${i >> 4} 1:${(i * 7) % 11} 2:${(i * 5) % 13} 3:${i % 17} 4:1\n`);
    writeFileSync(join(folder, 'train.txt'), lines.join(''));
    const ending = async (signal: (typeof signals)[number]): Promise<unknown> => {
      const argv = ['train', 'lambdamart', '--train', 'train.txt', '--model', `${signal}.json`, '--trees', '100000', '--threads', '1'];
      const child = spawn(process.execPath, [launcher, ...argv], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.on('data', (text) => {
        if (String(text).includes('feature 4')) setTimeout(() => child.kill(signal), 1000);
      });
      return (await once(child, 'exit'))[0];
    };
    expect(await Promise.all(signals.map(ending))).toEqual([130, 143, 129]);
    for (const signal of signals) expect(JSON.parse(readFileSync(join(folder, `${signal}.json`), 'utf8')).learner).toBe('lambdamart');
    expect(others()).toHaveLength(4);
  });

  test('so does training with the arguments of RankLib', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `${i % 3} qid:${i >> 4} 1:${(i * 7) % 11} 2:${(i * 5) % 13} 3:${i % 17}\n`);
    writeFileSync(join(folder, 'train.txt'), lines.join(''));
    const argv = ['as', 'ranklib', '-train', 'train.txt', '-ranker', '6', '-tree', '100000', '-thread', '1', '-save', 'm.txt'];
    const child = spawn(process.execPath, [launcher, ...argv], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    let isStarted = false;
    child.stdout.on('data', (text) => {
      if (isStarted || !String(text).includes('#iter')) return;
      isStarted = true;
      setTimeout(() => child.kill('SIGTERM'), 1000);
    });
    expect((await once(child, 'exit'))[0]).toBe(143);
    expect(readFileSync(join(folder, 'm.txt'), 'utf8')).toContain('## LambdaMART');
  });

  test('in programs that use the library, which may listen themselves', async () => {
    const module = pathToFileURL(join(repository, 'dist/node/cleanup.js')).href;
    const script = (own: string): string =>
      `import { withTemporaryFolder } from ${JSON.stringify(module)}; ${own}
       await withTemporaryFolder('test', async () => { console.log('ready'); await new Promise((done) => setTimeout(done, 600)); });`;
    for (const [own, ending] of [
      ['', [null, 'SIGTERM']],
      ["process.on('SIGTERM', () => console.log('heard'));", [0, null]],
    ] as const) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script(own)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, TMPDIR: folder },
      });
      await once(child.stdout, 'data');
      expect(others()).toHaveLength(1);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual(ending);
      expect(others()).toEqual([]);
    }
  });
});
