import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { optionsOf } from '../../src/cli/parse/arguments.js';
import { loadAllCommands } from '../helpers/all-commands.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { runShell } from '../helpers/run-gradus.js';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'gradus-same-file-')));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(parent, 'case-'));
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Whoever reads this has something to say about it; so a refusal that does not mention it came before. */
const content = '\0 this is neither a run nor a model\n';

/** A command line in which a word {NAME} stands for the file of that argument or option. */
const lines: Readonly<Record<string, readonly string[]>> = {
  eval: ['{QRELS} {RUN} --known {--known} --expected {--expected} -o {--output}'],
  compare: [
    '{QRELS} {RUN} other.run --by-topic --queries {--queries} --documents {--documents} -o {--output}',
    '{QRELS} {RUN} other.run -f latex --bibtex {--bibtex} -o {--output}',
    '--scores {--scores} --scores b.csv -o {--output}',
  ],
  gate: [
    '{QRELS} {BASELINE} {CANDIDATE} --weights {--weights} --must-not-fail {--must-not-fail} --save-baseline {--save-baseline} --summary {--summary} --junit {--junit} -o {--output}',
  ],
  report: [
    '{QRELS} {RUN} -o {--output}',
    '{QRELS} {RUN} --queries {--queries} -f md -o {--output}',
    '{QRELS} {RUN} -f pdf -o {--output}',
    '{QRELS} {RUN} --agree {--agree} -o {--output}',
    '{QRELS} {RUN} --documents {--documents} -f md -o {--output}',
    '--trec --scores {--scores} -o {--output}',
    '--training {--training} -o {--output}',
  ],
  fuse: ['{RUN} other.run --tune AP --qrels {--qrels} --train-topics {--train-topics} -o {--output}'],
  correlate: ['{A} {B} -o {--output}'],
  leaderboard: [
    '{QRELS} {RUN} other.run -o {--output}',
    '--scores {--scores} -o {--output}',
    '--preferences {--preferences} -o {--output}',
  ],
  agree: ['{JUDGE} other.qrels --runs {--runs} --runs b.run --merged {--merged} -o {--output}'],
  correct: ['{HUMAN} {MACHINE} {RUN} -o {--output}'],
  'interleave lists': ['{A} {B} -o {--output}'],
  'interleave test': ['{LOG} -o {--output}'],
  risk: ['{QRELS} {RUN} other.run -o {--output}', '--scores {--scores} -o {--output}'],
  'plan labels': ['{HUMAN} {MACHINE} {RUN} -o {--output}'],
  'plan topics': ['{QRELS} {RUN} other.run -o {--output}', '--scores {--scores} -o {--output}'],
  'plan reliability': ['{QRELS} {RUN} other.run -o {--output}', '--scores {--scores} -o {--output}'],
  'plan equivalence': ['{QRELS} {RUN} other.run -o {--output}', '--scores {--scores} -o {--output}'],
  'pool bounds': ['{QRELS} {RUN} --chances {--chances} -o {--output}'],
  'pool next': ['{QRELS} {RUN} -o {--output}'],
  'pool replay': ['{QRELS} {RUN} other.run -o {--output}'],
  'pool reuse': ['{QRELS} {RUN} other.run --groups {--groups} -o {--output}'],
  reproduce: [
    '{QRELS} {ORIGINAL} {REPRODUCED} --advanced {--advanced} --advanced-again {--advanced-again} --replication {--replication} -o {--output}',
  ],
  'meta power': ['{QRELS} {RUN} other.run --chart {--chart} -o {--output}'],
  'meta informativeness': ['{QRELS} {RUN} --chart {--chart} -o {--output}'],
  'meta stability': ['{QRELS} {RUN} other.run -o {--output}', '{QRELS} {RUN} other.run --pool 10 --groups {--groups} -o {--output}'],
  explain: ['{QRELS} {RUN} --as trec_eval,ranklib --topics 3 --queries {--queries} -o {--output}'],
  audit: ['{QRELS} {RUN} -o {--output}'],
  'train coordinate-ascent': [
    '--train {--train} --validate {--validate} --test {--test} --feature-names {--feature-names} --model {--model} -o {--output}',
  ],
  'train lambdamart': [
    '--train {--train} --query-weights {--query-weights} --doc-weights {--doc-weights} --init-scores {--init-scores} --baseline {--baseline} --watch {--watch} --history {--history} --from {--from} --checkpoint {--checkpoint} --model {--model}',
  ],
  score: ['{MODEL} {DATA} --feature-names {--feature-names} --qrels {--qrels} -o {--output}'],
  'model explain': ['{MODEL} {DATA} --background {--background} --feature-names {--feature-names} -o {--output}'],
  'model report': ['{MODEL} {DATA} --feature-names {--feature-names} -o {--output}'],
  'model convert': ['{MODEL} {OUTPUT} --to c'],
  'model inspect': ['{MODEL} -o {--output}'],
  'model importance': ['{MODEL} --data {--data} --feature-names {--feature-names} -o {--output}'],
  'cv coordinate-ascent': [
    '--train {--train} --feature-names {--feature-names} --predictions {--predictions} -o {--output}',
    '--fold Fold1 --models Fold1 -o {--output}',
  ],
  'clicks bias': ['{LOG} -o {--output}'],
  'clicks data': ['{LOG} {FEATURES} --feature-names {--feature-names} -o {--output}'],
  'clicks evaluate': ['{LOG} {RUN} -o {--output}'],
  tune: ['--train {--train} --feature-names {--feature-names} --state {--state} -o {--output}'],
  serve: ['{QRELS} {RUN}'],
  sql: ['qrels run -o {--output}'],
  convert: ['{INPUT} {OUTPUT} --topic-names {--topic-names} --metadata {--metadata}', '{INPUT} --to trec -o {--output}'],
};

async function gradus(argv: readonly string[]): Promise<{ status: number; err: string }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, err: context.stderr.text };
}

const commands = await loadAllCommands();

/** Arguments and options of a command that name files. */
function namesOf(command: (typeof commands)[number], use: 'input' | 'output'): string[] {
  return [
    ...command.arguments.filter(({ file }) => file === use).map(({ name }) => name),
    ...optionsOf(command)
      .filter(({ file }) => file === use)
      .map(({ long }) => `--${long}`),
  ];
}

interface Pair {
  readonly command: string;
  readonly line: string;
  readonly input: string;
  readonly output: string;
}

const pairs = commands.flatMap((command): Pair[] =>
  (lines[command.name] ?? []).flatMap((line) => {
    const inputs = namesOf(command, 'input').filter((name) => line.includes(`{${name}}`));
    const outputs = [...namesOf(command, 'output'), '--summary'].filter((name) => line.includes(`{${name}}`));
    return inputs.flatMap((input) => outputs.map((output) => ({ command: command.name, line, input, output })));
  }),
);

test('the lines above name every file argument and file option of every command', () => {
  for (const command of commands) {
    // what is so for one learner is so for all
    const [name] = command.name.split(' ');
    const alike = ['train', 'cv'].includes(name) ? Object.keys(lines).filter((key) => key.startsWith(`${name} `)) : [command.name];
    const text = alike.flatMap((key) => lines[key] ?? []).join(' ');
    for (const name of [...namesOf(command, 'input'), ...namesOf(command, 'output')]) expect(text).toContain(`{${name}}`);
  }
  expect(pairs.length).toBeGreaterThan(50);
});

describe('an output that is one of the inputs is refused before anything is read', () => {
  test.each(pairs.map((pair) => [pair.command, pair.output, pair.input, pair] as const))(
    'gradus %s: %s is %s',
    async (_, __, ___, pair) => {
      // the documented way to store the next baseline, unless the baseline is a run
      const replaces = pair.output === '--save-baseline' && pair.input === 'BASELINE';
      if (replaces) return;
      const shared = join(folder, 'shared file');
      const link = join(folder, 'link to it');
      writeFileSync(shared, content);
      symlinkSync('shared file', link);
      const spellings = [shared, join(folder, '.', 'x', '..', 'shared file').replace('/shared', '//shared'), link];
      mkdirSync(join(folder, 'x'));
      for (const spelling of spellings) {
        const argv = pair.line.split(' ').map((word) => {
          const name = /^\{(.*)\}$/.exec(word)?.[1];
          if (name === pair.output) return spelling;
          if (name === pair.input) return shared;
          return name === undefined ? word : join(folder, name);
        });
        const { status, err } = await gradus([...pair.command.split(' '), ...argv]);
        expect(err).toContain(`gradus: ${spelling}: ${pair.output} would overwrite ${pair.input}`);
        expect(err).toContain('which is the same file; name another file to write to\n');
        expect(err).not.toContain('internal');
        expect(status).toBe(2);
      }
      expect(readFileSync(shared, 'utf8')).toBe(content);
      expect(readdirSync(folder).sort()).toEqual(['link to it', 'shared file', 'x']);
    },
  );
});

describe('files that hide behind names', () => {
  const qrels = '1 0 a 1\n1 0 b 0\n';
  const run = '1 Q0 a 1 2 tag\n1 Q0 b 2 1 tag\n';

  beforeEach(() => {
    writeFileSync(join(folder, 'qrels'), qrels);
    writeFileSync(join(folder, 'run'), run);
  });

  function expectRefusal(line: string, message: string): void {
    const { stderr, status } = runShell(line, { cwd: folder });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(status).toBe(2);
    expect(readFileSync(join(folder, 'run'), 'utf8')).toBe(run);
    expect(readFileSync(join(folder, 'qrels'), 'utf8')).toBe(qrels);
  }

  test('a hard link', () => {
    linkSync(join(folder, 'run'), join(folder, 'other name'));
    expectRefusal(
      "gradus eval qrels run -o 'other name'",
      'gradus: other name: --output would overwrite RUN (run), which is the same file',
    );
  });

  test('standard input that is redirected from the output', () => {
    expectRefusal('gradus eval qrels - -o run < run', '--output would overwrite RUN (standard input)');
    expectRefusal('gradus convert /dev/stdin run --kind run < run', 'OUTPUT would overwrite INPUT (/dev/stdin)');
    expectRefusal('gradus convert /dev/fd/3 run --kind run 3< run', 'OUTPUT would overwrite INPUT (/dev/fd/3)');
  });

  test('standard output that goes to an input', () => {
    expectRefusal('gradus convert run - --to csv >> run', 'standard output: OUTPUT would overwrite INPUT (run)');
    expectRefusal('gradus eval qrels run >> run', 'standard output: this would overwrite RUN (run)');
    expectRefusal('gradus eval qrels run -o /dev/stdout >> qrels', '--output would overwrite QRELS (qrels)');
    expectRefusal('gradus eval qrels run -o /dev/fd/4 4>> qrels', '--output would overwrite QRELS (qrels)');
  });

  test('a file of a folder or pattern that an engine reads', () => {
    mkdirSync(join(folder, 'parts'));
    writeFileSync(join(folder, 'parts', '1.parquet'), content);
    for (const input of ['parts', "'parts/*.parquet'", "'p*/?.parquet'"]) {
      expectRefusal(`gradus eval qrels ${input} --engine duckdb -f csv -o ./parts/1.parquet`, '--output would overwrite RUN');
    }
    expect(readFileSync(join(folder, 'parts', '1.parquet'), 'utf8')).toBe(content);
  });

  test('folds that are read and written', () => {
    mkdirSync(join(folder, 'Fold1'));
    writeFileSync(join(folder, 'Fold1', 'train.txt'), content);
    symlinkSync('train.txt', join(folder, 'Fold1', 'fold-1.json'));
    expectRefusal('gradus cv coordinate-ascent --fold Fold1 --models Fold1', '--models would overwrite --fold (Fold1/train.txt)');
  });

  test('a run that is the baseline is not replaced by its scores, while stored scores are', () => {
    expectRefusal('gradus gate qrels run run -m AP --min-topics 2 --save-baseline run', '--save-baseline would overwrite');
    writeFileSync(join(folder, 'two.qrels'), `${qrels}2 0 a 1\n`);
    writeFileSync(join(folder, 'two.run'), `${run}2 Q0 a 1 2 tag\n`);
    const stored = runShell(
      'gradus eval two.qrels two.run -q --json -m AP -o base.json && gradus gate two.qrels base.json two.run -m AP --min-topics 2 --save-baseline base.json',
      { cwd: folder },
    );
    expect(stored.stderr).toBe('');
    expect(stored.status).toBe(0);
    expectRefusal('gradus gate two.qrels run two.run -m AP --save-baseline ./run', 'run: --save-baseline would overwrite BASELINE (run)');
  });

  test('two outputs that are one file', () => {
    writeFileSync(join(folder, 'm.json'), content);
    writeFileSync(join(folder, 'data.txt'), content);
    const before = readdirSync(folder);
    for (const [a, b] of [
      ['new', 'new'],
      ['new', './x/../new'],
      ['m.json', 'm.json'],
    ]) {
      mkdirSync(join(folder, 'x'), { recursive: true });
      const line =
        a === 'm.json' ? `gradus score qrels data.txt -o ${a} --qrels ${b}` : `gradus score m.json data.txt -o ${a} --qrels ${b}`;
      expectRefusal(line, `--qrels and --output both write to ${a}, and only one would be left; name two files`);
    }
    expectRefusal('gradus score m.json data.txt -o - --qrels /dev/stdout', '--qrels and --output both write to standard output');
    expect(readdirSync(folder).filter((name) => name !== 'x')).toEqual(before);
  });

  test('the tools that Gradus stands in for are kept from it too', () => {
    expectRefusal('gradus as letor4 score run qrels ./run 1', './run: the output would overwrite the first argument (run)');
    expectRefusal('gradus as mslr ttest run qrels qrels', 'qrels: the output would overwrite the second argument');
    expectRefusal('gradus as ranklib -rank run -load qrels -score run', 'run: -score would overwrite -rank');
    expectRefusal('gradus as ranklib -rank run -load qrels -indri qrels', 'qrels: -indri would overwrite -load');
    expectRefusal('gradus as ranklib -test run -metric2T NDCG@10 -idv run', 'run: -idv would overwrite -test');
    expectRefusal('gradus as ranklib -train run -save run -ranker 4', 'run: -save would overwrite -train');
    expectRefusal('gradus as ranklib -train run -feature qrels -save ./qrels', './qrels: -save would overwrite -feature');
  });

  test('following the advice works', () => {
    const { stderr, status } = runShell('gradus eval qrels run -m AP -o another', { cwd: folder });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('devices and pipes may be both', () => {
    const { stdout, status } = runShell(
      "printf '1 Q0 a 1 2 tag\\n' | gradus convert - - --kind run --to csv | cat; gradus eval qrels run -o /dev/null",
      {
        cwd: folder,
      },
    );
    expect(stdout).toBe('query_id,doc_id,score\n1,a,2\n');
    expect(status).toBe(0);
  });
});
