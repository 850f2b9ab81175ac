import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { gradus, testFolder } from '../helpers/in-process.js';

const { at, save } = testFolder('report-trust');

interface Table {
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 1}`);
const docs = ['a', 'b', 'c', 'd'];
const lists = (tag: string, order: (t: number) => string): string =>
  topics.map((topic, t) => [...order(t)].map((doc, i) => `${topic} Q0 ${doc} ${i + 1} ${9 - i} ${tag}\n`).join('')).join('');
const judged = (grade: (t: number, d: number) => number | undefined): string =>
  topics.map((topic, t) => docs.map((doc, d) => (grade(t, d) === undefined ? '' : `${topic} 0 ${doc} ${grade(t, d)}\n`)).join('')).join('');

let files: string[] = [];
beforeAll(() => {
  // a is relevant everywhere; d of every third topic was not judged
  const qrels = save(
    'human.qrels',
    judged((t, d) => (d === 3 && t % 3 === 0 ? undefined : d === 0 || (d + t) % 5 === 0 ? 1 : 0)),
  );
  save(
    'machine.qrels',
    judged((t, d) => (d === 0 || t % 4 === d ? 1 : 0)),
  );
  files = [
    qrels,
    save(
      'good.run',
      lists('good', (t) => (t % 5 === 0 ? 'badc' : 'abdc')),
    ),
    save(
      'poor.run',
      lists('poor', () => 'dcba'),
    ),
  ];
});

async function tablesOf(...more: string[]): Promise<Map<string, Table>> {
  const { out, err, status } = await gradus('report', ...files, '-m', 'AP', '-f', 'json', '--no-audit', ...more);
  expect(status, err).toBe(0);
  return new Map((JSON.parse(out).trust as Table[]).map((table) => [table.id, table]));
}

describe('a report', () => {
  test('says how sure the ranks are, as the leaderboard does', async () => {
    const tables = await tablesOf();
    expect([...tables.keys()]).toEqual(['ranks']);
    const [board] = JSON.parse((await gradus('leaderboard', ...files, '-m', 'AP', '--json')).out).results;
    const { rows, caption } = tables.get('ranks') as Table;
    expect(rows).toEqual(
      board.systems.map((own: (typeof board.systems)[number]) => [
        String(own.rank),
        `${own.set.low}`,
        `${own.marginal.low}`,
        own.system,
        own.mean,
        `[${own.interval.low.toFixed(4)}, ${own.interval.high.toFixed(4)}]`,
        own.probabilityBest,
        own.lostWithout === null ? '' : `${own.lostWithout} topics`,
      ]),
    );
    expect(caption).toContain('hold for all systems together with 95%');
    expect(caption).toContain('Groups whose systems cannot be told apart: good / poor.');
  });

  test('compares its judgements with others, every number with its interval', async () => {
    const tables = await tablesOf('--agree', at('machine.qrels'));
    const agreed = JSON.parse(
      (await gradus('agree', files[0], at('machine.qrels'), '--runs', files[1], '--runs', files[2], '-m', 'AP', '--json')).out,
    );
    const [pair] = agreed.pairs;
    const { rows, columns } = tables.get('agreement') as Table;
    expect(rows[0].slice(0, 3)).toEqual(['machine', pair.pairs, 12]);
    const cell = (name: string): unknown[] => {
      const place = columns.findIndex((column) => column.name === name);
      return rows[0].slice(place, place + 2);
    };
    expect(cell('kappa')).toEqual([pair.kappa.value, `[${pair.kappa.interval.low.toFixed(4)}, ${pair.kappa.interval.high.toFixed(4)}]`]);
    expect(cell('alpha')[0]).toBe(pair.alpha.value);
    for (const name of ['agreement', 'kappa', 'weighted kappa', 'alpha', 'AC1', 'shift']) expect(cell(name)[1]).toMatch(/^\[.+, .+\]$/);
    const conclusions = tables.get('agreement-conclusions') as Table;
    // both judges put good first: tau is 1 in every sample of topics
    expect(conclusions.rows).toEqual([['machine', 'AP', 1, '[1.0000, 1.0000]', 0, expect.any(Number), expect.any(Number), 0, 'good']]);
  });

  test('says what missing judgements can change, as gradus pool bounds does', async () => {
    const tables = await tablesOf('--bounds');
    const [{ runs, pairs }] = JSON.parse((await gradus('pool', 'bounds', ...files, '-m', 'AP', '--json')).out).measures;
    const { rows } = tables.get('bounds') as Table;
    expect(rows.map((row) => row.slice(1, 6))).toEqual(
      runs.map(({ run, value, low, high, expected }: (typeof runs)[number]) => [run, value, low, high, expected]),
    );
    const [difference] = (tables.get('bounds-differences') as Table).rows;
    expect([difference[3], difference[4], difference.at(-1)]).toEqual([pairs[0].low, pairs[0].high, pairs[0].settled]);
  });

  test.each(['html', 'md', 'tex', 'txt'])('has these parts as %s', async (form) => {
    const path = at(`report.${form}`);
    const { status, err } = await gradus(
      'report',
      ...files,
      '-m',
      'AP',
      '--agree',
      at('machine.qrels'),
      '--bounds',
      '--no-audit',
      '-o',
      path,
    );
    expect(status, err).toBe(0);
    const text = readFileSync(path, 'utf8');
    for (const words of ['How sure the ranks are', 'Agreement of judges', 'What missing judgements can change', 'kappa', 'lowest']) {
      expect(text).toContain(words);
    }
  });

  test('refuses what it has no use for', async () => {
    const refused = await gradus('report', ...files, '--trec', '--bounds');
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('the TREC report has no use for --bounds')]);
  });
});
