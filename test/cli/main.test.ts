import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { loadAllEntries } from '../../src/cli/commands.js';
import { main } from '../../src/cli/main.js';
import { ProgressMeter } from '../../src/cli/print/progress.js';
import { showingReading } from '../../src/cli/print/reading-progress.js';
import { allMeasures } from '../../src/measures/registry.js';
import { tellRead } from '../../src/node/reading-watch.js';
import { loadAllCommands } from '../helpers/all-commands.js';
import { CapturedContext, CapturedWriter } from '../helpers/captured-context.js';
import { repository, runGradus, runShell } from '../helpers/run-gradus.js';

async function gradus(
  argv: readonly string[],
  options: ConstructorParameters<typeof CapturedContext>[0] = {},
): Promise<[string, string, number]> {
  const context = new CapturedContext(options);
  const status = await main(argv, context);
  return [context.stdout.text, context.stderr.text, status];
}

describe('gradus', () => {
  test('--version prints the version of the package', () => {
    expect(runGradus(['--version']).stdout).toMatch(/^gradus \d+\.\d+\.\d+\n$/);
  });

  test('version prints the same as --version', () => {
    expect(runGradus(['version']).stdout).toBe(runGradus(['--version']).stdout);
  });

  test.each([
    [['eval', 'nowhere.qrels', 'nowhere.run', '--json']],
    [['eval', 'nowhere.qrels', 'nowhere.run', '-f', 'json']],
    [['eval', 'nowhere.qrels', 'nowhere.run', '--format=json']],
    [['compare', 'nowhere.qrels', 'a.run', 'b.run', '-fjson']],
    [['gate', 'nowhere.qrels', 'a.run', 'b.run', '--json']],
  ])('%j: what is wrong is JSON too', async (argv) => {
    const [out, err, status] = await gradus(argv);
    expect([out, status]).toEqual(['', 2]);
    expect(err).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(err)).toEqual({
      error: {
        status: 2,
        problems: [expect.objectContaining({ source: 'nowhere.qrels', message: expect.stringContaining('no such file') })],
      },
    });
  });

  test('bad arguments are JSON too, each with what to do about it', async () => {
    const [, err, status] = await gradus(['eval', 'q', 'r', '--per-topics', '--json']);
    expect(status).toBe(2);
    expect(JSON.parse(err).error.problems[0]).toEqual({
      message: 'gradus eval has no option --per-topics',
      wayOut: 'did you mean --per-topic?',
    });
  });

  test('a file called json does not ask for JSON, nor does an argument behind --', async () => {
    for (const argv of [
      ['eval', 'nowhere.qrels', 'json'],
      ['eval', '--', 'nowhere.qrels', '--json'],
    ]) {
      expect((await gradus(argv))[1]).toMatch(/^gradus: nowhere.qrels: /);
    }
  });

  test('without a command shows the overview on standard error, with --help on standard output', async () => {
    const [out, , status] = await gradus(['--help']);
    expect(status).toBe(0);
    expect(await gradus([])).toEqual(['', out, 2]);
    for (const { name, summary } of await loadAllEntries()) expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
  });

  test.each([
    [['evl'], 'there is no command evl; did you mean eval? gradus --help lists them all'],
    [['--json'], 'expected a command before --json; gradus --help lists them all'],
    [['constructor'], 'there is no command constructor; gradus --help lists them all'],
    [
      ['as', 'trec_evil'],
      'there is no tool trec_evil; did you mean trec_eval? it can be trec_eval, trec_eval@8.1, trec_eval@8.1+ndcg, trec_eval@9.0.7, trec_eval@9.0.8, trec_eval@10.0, letor2, letor3, letor4, mslr, yahoo, ranklib, ranklib@2.1, ranklib@2.3, ranklib@2.8, ranklib@2.10.1',
    ],
    [
      ['as', 'trec_eval@8.2'],
      'there is no version 8.2 of trec_eval; it can be 8.1, 8.1+ndcg, 9.0.7, 9.0.8, 10.0; without a version it is 9.0.8',
    ],
    [['as', 'letor4@4.0'], 'letor4 has no versions; write it as letor4'],
    [['as', 'letor4', 'rank', 'a', 'b', 'c', '1'], 'letor4 has no script rank; it has score, ttest'],
    [['help', 'evaluate'], 'there is no command evaluate; gradus --help lists them all'],
  ])('%j: one clear line', async (argv, message) => {
    expect(await gradus(argv)).toEqual(['', `gradus: ${message}\n`, 2]);
  });

  test('a defect is one line, with its place only if asked for', async () => {
    const context = new CapturedContext();
    const broken = {
      ...context,
      stdout: {
        ...context.stdout,
        write: () => {
          throw new TypeError('x is not a function');
        },
      },
    };
    expect(await main(['--help'], broken)).toBe(70);
    expect(context.stderr.text).toBe(
      'gradus: internal error: TypeError: x is not a function; this is a defect of Gradus, please report it (GRADUS_DEBUG=1 shows where it happened)\n',
    );
    context.stderr.text = '';
    expect(await main(['--help'], { ...broken, environment: { GRADUS_DEBUG: '1' } })).toBe(70);
    expect(context.stderr.text).toMatch(/\n {4}at /);
  });

  test('colours only a terminal, and only if it may', async () => {
    const [plain] = await gradus(['help', 'eval']);
    const [coloured] = await gradus(['help', 'eval'], { terminal: true });
    const [unwanted] = await gradus(['help', 'eval'], { terminal: true, environment: { NO_COLOR: '1' } });
    expect(coloured).toContain('\x1b[1mExamples:\x1b[22m');
    expect([plain, unwanted].map((text) => text.includes('\x1b'))).toEqual([false, false]);
    const [, , status] = await gradus(['measures', '--no-color'], { terminal: true });
    expect(status).toBe(0);
    expect((await gradus(['measures', '--no-color'], { terminal: true }))[0]).not.toContain('\x1b');
  });

  test('help fits the terminal', async () => {
    for (const { name } of [...(await loadAllEntries()), ...(await loadAllCommands())]) {
      const [out] = await gradus([...name.split(' '), '--help'], { columns: 60 });
      const tooLong = out.split('\n').filter((line) => line.length > 60 && !/^ {2}(gradus|source|zcat|\$)/.test(line));
      expect([name, tooLong]).toEqual([name, []]);
    }
  });

  test('every command shows examples that begin with what a user would type', async () => {
    for (const { name, examples } of [...(await loadAllEntries()), ...(await loadAllCommands())]) {
      expect([name, examples.length > 0]).toEqual([name, true]);
      for (const { command } of examples) expect(command).toMatch(/\bgradus /);
    }
  });
});

describe('gradus measures', () => {
  test('lists every measure', async () => {
    const [out] = await gradus(['measures']);
    for (const { name } of allMeasures) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  test('explains a measure by any of its names, once', async () => {
    const [out] = await gradus(['measures', 'nDCG', 'ndcg_cut_10']);
    expect(out.match(/^nDCG: /gm)).toHaveLength(1);
    for (const part of ['ndcg_cut_10 stands for nDCG@10', 'Formula', 'gain', 'ndcg_cut.K', 'https://doi.org/10.1145/582415.582418']) {
      expect(out).toContain(part);
    }
  });

  test('--json gives the same to scripts', async () => {
    const [out] = await gradus(['measures', 'P', '--json']);
    const [reference] = JSON.parse(out);
    expect(reference).toMatchObject({ name: 'P', usage: 'P@K' });
    expect(reference.parameters).toContainEqual(expect.objectContaining({ name: 'cutoff', required: true }));
    expect(reference.parameters).toContainEqual(expect.objectContaining({ name: 'rel', default: '1', required: false }));
  });

  test('reports all unknown names', async () => {
    const [, err, status] = await gradus(['measures', 'nDGC', 'foo']);
    expect(err.trimEnd().split('\n')).toHaveLength(2);
    expect(status).toBe(2);
  });
});

describe('ProgressMeter', () => {
  const meterAt = (writer: CapturedWriter, times: number[], quiet = false): ProgressMeter =>
    new ProgressMeter(writer, 'reading', quiet, () => times.shift() ?? 0);

  test('appears on a terminal after half a second, and leaves nothing behind', () => {
    const writer = new CapturedWriter(true);
    const meter = meterAt(writer, [0, 400, 1000, 1050, 2000]);
    for (const done of [0, 10, 25, 26, 50]) meter.update(done, 100);
    meter.clear();
    expect(writer.text.split('\r').slice(1)).toEqual([
      `reading ${'█'.repeat(6)}${'░'.repeat(18)}  25 %, 3 s left\x1b[K`,
      `reading ${'█'.repeat(12)}${'░'.repeat(12)}  50 %, 2 s left\x1b[K`,
      '\x1b[K',
    ]);
  });

  test('is silent in a pipe, under --quiet, and for short work', () => {
    for (const [terminal, quiet, time] of [
      [false, false, 1000],
      [true, true, 1000],
      [true, false, 100],
    ] as const) {
      const writer = new CapturedWriter(terminal);
      const meter = meterAt(writer, [0, time], quiet);
      meter.update(0, 2);
      meter.update(1, 2);
      meter.clear();
      expect(writer.text).toBe('');
    }
  });
});

describe('showingReading', () => {
  const paths = ['examples/data/bm25.run', 'examples/data/neural.run'].map((path) => join(repository, path));
  const total = paths.reduce((sum, path) => sum + statSync(path).size, 0);

  test('shows one line over all files, and takes it away before anything is written', async () => {
    const times = [0, 1000, 2000, 3000];
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 4000);
    const context = { stdout: new CapturedWriter(true), stderr: new CapturedWriter(true), environment: {} };
    await showingReading(paths, context, async (own) => {
      for (const share of [0.25, 0.25, 0.25]) tellRead(share * total);
      own.stdout.write('done');
    });
    vi.restoreAllMocks();
    const shown = context.stderr.text.split('\r').slice(1);
    expect(shown.map((line) => line.slice(0, 15))).toEqual(['reading 2 files', 'reading 2 files', '\x1b[K']);
    expect(shown[1]).toContain(' 75 %');
  });

  test('shows nothing in a pipe', async () => {
    const context = { stdout: new CapturedWriter(false), stderr: new CapturedWriter(false), environment: {} };
    expect(await showingReading(paths, context, async (own) => own === context)).toBe(true);
  });
});

describe('bin/gradus.js', () => {
  test('says what to do if the program was not built', () => {
    const { stderr, status } = runShell(
      'folder=$(mktemp -d) && mkdir "$folder/bin" && cp bin/* "$folder/bin" && node "$folder/bin/gradus.js"; code=$?; rm -r "$folder"; exit $code',
    );
    expect(stderr).toBe('gradus: the program is not built; run `npm run build` in its folder first\n');
    expect(status).toBe(2);
  });

  test('says which Node it needs', () => {
    const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.1' }); require('./bin/gradus.js')`;
    const { stderr, status } = runShell(`node -e "${script}"`);
    expect(stderr).toBe('gradus: Node 18.20.1 is too old; Gradus needs Node 20.19 or newer\n');
    expect(status).toBe(2);
  });
});
