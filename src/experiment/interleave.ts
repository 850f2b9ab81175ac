/** Rankings that are interleaved, and what clicks on them say. */
import { seededRandom } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';
import type { Run } from '../core/run.js';
import { readRun } from '../formats/read.js';
import { type ByteSource, readText } from '../formats/source.js';
import {
  balancedCredit,
  type InterleavedList,
  type InterleavingCredit,
  type InterleavingMethod,
  type InterleavingTest,
  interleave,
  interleavingMethods,
  interleavingTest,
  probabilisticCredit,
  teamDraftCredit,
} from '../stats/clicks/interleaving.js';

/** One list to be shown, with all that is needed to give credit for clicks on it. */
export interface InterleavedTopic extends InterleavedList {
  readonly topic: string;
  readonly method: InterleavingMethod;
  /** The first documents of both rankings, as many as the list has. */
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** How rankings are interleaved. */
export interface InterleavingRequest {
  readonly method?: InterleavingMethod | undefined;
  /** Documents of a list. */
  readonly length?: number | undefined;
  readonly seed?: number | undefined;
}

/** Interleaves two runs: one list for each topic that both answer. */
export async function interleaveRuns(
  first: ByteSource,
  second: ByteSource,
  { method = 'team-draft', length = 10, seed = 1 }: InterleavingRequest = {},
): Promise<InterleavedTopic[]> {
  const a = rankingsOf((await readRun(first)).run);
  const b = rankingsOf((await readRun(second)).run);
  const topics = [...a.keys()].filter((topic) => b.has(topic)).sort();
  if (topics.length === 0) {
    throw new InputError({
      message: `${first.name} and ${second.name} have no topic in common`,
      wayOut: 'both must name topics in the same way',
    });
  }
  return topics.map((topic, t) => {
    const [ownA, ownB] = [a, b].map((rankings) => rankings.get(topic)?.slice(0, length) ?? []);
    return { topic, method, ...interleave(method, ownA, ownB, length, seededRandom(seed, t)), a: ownA, b: ownB };
  });
}

/** Documents of each topic by descending score; equal scores as they were read. */
function rankingsOf({ topics, docs, offsets, docOf, scores }: Run): Map<string, string[]> {
  const rankings = new Map<string, string[]>();
  for (let t = 0; t + 1 < offsets.length; t++) {
    const rows = Array.from({ length: offsets[t + 1] - offsets[t] }, (_, i) => offsets[t] + i);
    rows.sort((x, y) => scores[y] - scores[x] || x - y);
    rankings.set(
      topics.text(t),
      rows.map((row) => docs.text(docOf[row])),
    );
  }
  return rankings;
}

/** What clicks on interleaved lists say. */
export interface InterleavingResult extends InterleavingTest {
  readonly impressions: number;
  /** Users, where all lines name one: they are what is tested then. */
  readonly users: number | null;
  /** Credit in all. */
  readonly creditA: number;
  readonly creditB: number;
}

const LINE_HELP = 'write lines of JSON as gradus interleave lists makes them, with the documents that were clicked as "clicked":["d1"]';

/** Reads lists that were shown with the clicks on them, one JSON object per line, and tests who won. */
export async function interleavingResultOf(source: ByteSource): Promise<InterleavingResult> {
  const differences: number[] = [];
  const byUser = new Map<string, number>();
  const credit = { a: 0, b: 0 };
  let named = 0;
  for (const [i, line] of (await readText(source)).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const refuse = (message: string): never => {
      throw new InputError({ source: source.name, line: i + 1, message, wayOut: LINE_HELP });
    };
    const shown = impressionOf(line, refuse);
    const own = creditOf(shown);
    credit.a += own.a;
    credit.b += own.b;
    differences.push(own.a - own.b);
    if (shown.user === undefined) continue;
    named++;
    byUser.set(shown.user, (byUser.get(shown.user) ?? 0) + own.a - own.b);
  }
  if (differences.length === 0) throw new InputError({ source: source.name, message: 'holds no list', wayOut: LINE_HELP });
  const isByUser = named === differences.length;
  return {
    impressions: differences.length,
    users: isByUser ? byUser.size : null,
    creditA: credit.a,
    creditB: credit.b,
    ...interleavingTest(isByUser ? [...byUser.values()] : differences),
  };
}

interface Shown extends Omit<InterleavedTopic, 'topic'> {
  readonly clicked: readonly string[];
  readonly user: string | undefined;
}

function impressionOf(line: string, refuse: (message: string) => never): Shown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse(`expected an object of JSON, found ${line.slice(0, 60)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(`expected an object of JSON, found ${line.slice(0, 60)}`);
  const record = value as Readonly<Record<string, unknown>>;
  const texts = (name: string): readonly string[] => {
    const own = record[name];
    if (!Array.isArray(own) || own.some((text) => typeof text !== 'string')) return refuse(`expected a list of texts as "${name}"`);
    return own as readonly string[];
  };
  const method = interleavingMethods.find((name) => name === record.method);
  if (method === undefined) {
    const found = record.method === undefined ? 'none' : JSON.stringify(record.method).slice(0, 60);
    return refuse(`expected one of ${interleavingMethods.join(', ')} as "method", found ${found}`);
  }
  const list = texts('list');
  const teams = method === 'team-draft' ? texts('teams') : undefined;
  if (teams !== undefined && (teams.length !== list.length || teams.some((team) => team !== 'A' && team !== 'B'))) {
    return refuse('expected A or B for each document of the list as "teams"');
  }
  const { user } = record;
  return {
    method,
    list,
    teams: teams as Shown['teams'],
    a: method === 'team-draft' ? [] : texts('a'),
    b: method === 'team-draft' ? [] : texts('b'),
    clicked: texts('clicked'),
    user: typeof user === 'string' || typeof user === 'number' ? String(user) : undefined,
  };
}

function creditOf(shown: Shown): InterleavingCredit {
  const { method, a, b, list, clicked } = shown;
  if (method === 'team-draft') return teamDraftCredit(shown, clicked);
  return method === 'balanced' ? balancedCredit(a, b, list, clicked) : probabilisticCredit(a, b, list, clicked);
}
