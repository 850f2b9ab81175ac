import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

// topic 1: the ranking is a (1), b (0), d (unjudged); the relevant documents are a (1) and c (2)
// topic 2 is judged, and run A does not answer it; run B ranks x (0) before a (1)
let folder: string;
let qrels: string;
let runA: string;
let runB: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-eval-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  qrels = file('qrels', '1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n2 0 x 0\n');
  runA = file('a.run', '1 Q0 a 1 3 A\n1 Q0 b 2 2 A\n1 Q0 d 3 1 A\n');
  runB = file('b.run', '1 Q0 a 1 3 B_1\n1 Q0 b 2 2 B_1\n1 Q0 d 3 1 B_1\n2 Q0 x 1 9 B_1\n2 Q0 a 2 8 B_1\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

/** Only the values, by measure. */
async function means(...argv: string[]): Promise<Record<string, number>> {
  const { out } = await gradus('eval', ...argv, '--json');
  return JSON.parse(out).runs[0].all;
}

describe('gradus eval', () => {
  test('averages over all judged topics and says what was missing', async () => {
    const { out, err, status } = await gradus('eval', qrels, runA, '-m', 'AP RR P@2');
    // topic 1: AP = (1/1) / 2, RR = 1, P@2 = 1/2; topic 2 counts as 0
    expect(out).toBe('measure       A\nAP       0.2500\nRR       0.5000\nP@2      0.2500\n');
    expect(err).toBe(`gradus: ${runA}: 1 of 2 judged topics not answered, counted as empty rankings\n`);
    expect(status).toBe(0);
  });

  test('--quiet keeps notes to itself', async () => {
    expect((await gradus('eval', qrels, runA, '-m', 'AP', '--quiet')).err).toBe('');
  });

  test('--missing skip averages over answered topics', async () => {
    expect(await means(qrels, runA, '-m', 'AP RR', '--missing', 'skip')).toEqual({ AP: 0.5, RR: 1 });
  });

  test('puts several runs side by side, by tag, or by file where tags are the same', async () => {
    const { out } = await gradus('eval', qrels, runA, runB, '-m', 'RR', '--quiet');
    expect(out).toBe('measure       A     B_1\nRR       0.5000  0.7500\n');
    const same = await gradus('eval', qrels, runB, runB, '-m', 'RR', '-f', 'tsv');
    expect(same.out).toBe(`run\tmeasure\tvalue\n${runB}\tRR\t0.75\n${runB}\tRR\t0.75\n`);
    const named = await gradus('eval', qrels, runB, runB, '-m', 'RR', '-f', 'tsv', '--name', 'x', '--name', 'y');
    expect(named.out).toBe('run\tmeasure\tvalue\nx\tRR\t0.75\ny\tRR\t0.75\n');
  });

  test('-q prints topics before the values over all of them, -n only topics', async () => {
    const { out } = await gradus('eval', qrels, runB, '-m', 'RR NumRelRet', '-q');
    expect(out).toBe('topic      RR  NumRelRet\n1      1.0000          1\n2      0.5000          1\nall    0.7500          2\n');
    const topics = await gradus('eval', qrels, runB, '-m', 'RR', '-q', '-n', '-f', 'csv');
    expect(topics.out).toBe('run,topic,measure,value\nB_1,1,RR,1\nB_1,2,RR,0.5\n');
  });

  test.each([
    [
      'trec',
      'RR                    \t1\t1.0000\nRR                    \t2\t0.5000\nrunid                 \tall\tB_1\nRR                    \tall\t0.7500\n',
    ],
    ['csv', 'run,topic,measure,value\nB_1,1,RR,1\nB_1,2,RR,0.5\n'],
    ['md', '| topic |     RR |\n| ----- | -----: |\n| 1     | 1.0000 |\n| 2     | 0.5000 |\n| all   | 0.7500 |\n'],
    [
      'latex',
      [
        '\\begin{table}',
        '\\centering\\small\\setlength{\\tabcolsep}{3pt}\\setlength{\\belowcaptionskip}{6pt}',
        '\\caption{Scores by topic.}',
        '\\begin{tabular}{@{}lr@{}}',
        '\\toprule',
        'topic & RR \\tabularnewline',
        '\\midrule',
        '1 & 1.0000 \\tabularnewline',
        '2 & 0.5000 \\tabularnewline',
        'all & 0.7500 \\tabularnewline',
        '\\bottomrule',
        '\\end{tabular}',
        '\\end{table}',
        '',
      ].join('\n'),
    ],
    [
      'jsonl',
      '{"run":"B_1","topic":"1","scores":{"RR":1}}\n{"run":"B_1","topic":"2","scores":{"RR":0.5}}\n{"run":"B_1","topics":2,"scores":{"RR":0.75}}\n',
    ],
  ])('--format %s', async (form, expected) => {
    expect((await gradus('eval', qrels, runB, '-m', 'RR', '-q', '-f', form)).out).toBe(expected);
  });

  test('--json tells everything a script needs, in full precision', async () => {
    const { out } = await gradus('eval', qrels, runA, '-m', 'nDCG@10', '-q', '--json', '--depth', '50');
    const result = JSON.parse(out);
    const expected = 1 / (2 + 1 / Math.log2(3)); // a at rank 1; c and a in the best order
    expect(result.runs).toEqual([
      {
        run: 'A',
        file: runA,
        topics: 2,
        provenance: {
          engine: 'gradus',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          runRows: expect.any(Number),
          qrelsRows: expect.any(Number),
        },
        all: { 'nDCG@10': expect.closeTo(expected / 2, 15) },
        perTopic: [
          { topic: '1', scores: { 'nDCG@10': expect.closeTo(expected, 15) } },
          { topic: '2', scores: { 'nDCG@10': 0 } },
        ],
      },
    ]);
    expect(result).toMatchObject({
      gradus: expect.stringMatching(/^\d+\.\d+\.\d+/),
      convention: 'gradus',
      rules: { ties: 'docno', depth: 50, missingTopics: 'empty' },
      qrels,
      measures: ['nDCG@10'],
      warnings: [expect.stringContaining('1 of 2 judged topics')],
    });
  });

  test('--digits sets the decimals, rounded as C rounds', async () => {
    expect((await gradus('eval', qrels, runB, '-m', 'RR', '-p', '1')).out).toContain('RR       0.8');
    expect((await gradus('eval', qrels, runB, '-m', 'RR', '-p', '0')).out).toContain('RR         1');
    expect((await gradus('eval', qrels, runB, '-m', 'P@2', '-p', '20')).out).toContain('0.50000000000000000000');
  });

  test('--rel applies to measures that do not say so themselves, and shows in their names', async () => {
    // at grade 2 topic 1 has only c, which was not retrieved, and topic 2 has nothing
    expect(await means(qrels, runB, '-l', '2', '-m', 'RR P(rel=1)@1 NumRel')).toEqual({ 'RR(rel=2)': 0, 'P@1': 0.5, 'NumRel(rel=2)': 1 });
  });

  test('rules of judging reach the judge', async () => {
    // only the first document: x is not relevant in topic 2
    expect(await means(qrels, runB, '-m', 'RR', '-M', '1')).toEqual({ RR: 0.5 });
    // d goes, so that 2 of 2 documents are judged in topic 1
    expect(await means(qrels, runB, '-m', 'NumRet', '-J')).toEqual({ NumRet: 4 });
  });

  test('--ties decides about equal scores', async () => {
    const tied = join(folder, 'tied.run');
    writeFileSync(tied, '2 Q0 a 1 5 T\n2 Q0 x 2 5 T\n1 Q0 c 1 1 T\n');
    const rr = async (ties: string): Promise<number> => (await means(qrels, tied, '-m', 'RR', '--missing', 'skip', '--ties', ties)).RR;
    // topic 1 always gives 1; in topic 2, x comes before a in descending order of the names
    expect([await rr('docno'), await rr('docno-ascending'), await rr('file')]).toEqual([0.75, 1, 1]);
  });

  test('--convention follows another tool, and -c asks for all topics', async () => {
    expect(await means(qrels, runA, '-m', 'AP', '--convention', 'trec_eval')).toEqual({ AP: 0.5 });
    expect(await means(qrels, runA, '-m', 'AP', '--convention', 'trec_eval', '-c')).toEqual({ AP: 0.25 });
    const { out } = await gradus('eval', qrels, runA, '-m', 'AP', '--convention', 'trec_eval', '--json');
    expect(JSON.parse(out).convention).toBe('trec_eval@9.0.8');
  });

  test('measures are printed once each, in the order of asking, whatever they were called', async () => {
    const { out } = await gradus('eval', qrels, runB, '-m', 'recip_rank map', '-m', 'MRR', '-m', 'P@1,2', '-f', 'csv', '--wide');
    expect(out.split('\n')[0]).toBe('run,RR,AP,P@1,P@2');
  });

  test.each([
    [['-n'], '--no-summary without --per-topic leaves nothing to print'],
    [['--json', '-f', 'csv'], '--json and --format csv ask for different forms'],
    [['-c', '--missing', 'skip'], '--all-topics and --missing skip contradict each other'],
    [['--name', 'a', '--name', 'b'], '2 names for 1 run'],
    [['-m', ''], 'no measure'],
    [['--convention', 'trec_evil'], 'found trec_evil; did you mean trec_eval?'],
  ])('refuses %j', async (argv, message) => {
    const { out, err, status } = await gradus('eval', qrels, runA, ...argv);
    expect([out, status]).toEqual(['', 2]);
    expect(err).toContain(message);
  });
});
