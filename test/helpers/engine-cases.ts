import type { JudgingRules } from '../../src/core/judging/judging-rules.js';
import { seededRandom } from '../../src/core/numbers/random.js';
import type { ScoreTable } from '../../src/core/score-table.js';
import type { Measure } from '../../src/measures/measure.js';
import { parseMeasure } from '../../src/measures/parse.js';
import { whyNotInSql } from '../../src/sql/compile.js';
import { duckdb } from '../../src/sql/dialects/duckdb.js';
import { spellingsFor } from './measure-variants.js';

export interface Row {
  readonly topic: string;
  readonly doc: string;
  readonly value: number;
}

/** Runs with many ties and scores that differ only beyond 32 bits, judgements with grades, fractions, pooled documents that
 *  nobody judged, and topics that only one side has. Ids hold what trips collations and quotes. */
export function engineCollection(numTopics: number, depth: number, seed = 7): { run: Row[]; qrels: Row[] } {
  const random = seededRandom(seed);
  const run: Row[] = [];
  const qrels: Row[] = [];
  const prefixes = ['d', 'D', 'é', "o'", 'a_', 'A-', '"', 'z\\'];
  for (let t = 0; t < numTopics; t++) {
    const topic = t % 7 === 3 ? `Q'${t}` : `q${t}`;
    const isAnswered = t % 29 !== 5;
    const isJudged = t % 31 !== 7;
    const length = t % 13 === 2 ? 3 : depth;
    const docs = Array.from({ length: depth + 50 }, (_, i) => `${prefixes[(i + t) % prefixes.length]}${(i * 7919) % 100_003}`);
    if (isAnswered) {
      for (let i = 0; i < length; i++) {
        const coarse = 20 - Math.floor(i / 4) / 10;
        run.push({ topic, doc: docs[i], value: i % 11 === 5 ? coarse + 1e-9 : i % 17 === 4 ? -0 : coarse });
      }
    }
    if (!isJudged) continue;
    const allNonRelevant = t % 23 === 11;
    for (let i = 0; i < docs.length; i++) {
      if (random.below(10) > 0 && i > 2) continue;
      const grade = [0, 0, 0, 1, 1, 2, 3, 0.5, -1, 4][random.below(10)];
      qrels.push({ topic, doc: docs[i], value: allNonRelevant ? 0 : grade });
    }
  }
  return { run, qrels };
}

/** Every spelling of every measure that has a form in SQL by these rules. */
export function expressibleMeasures(rules: Partial<JudgingRules>, highestGrade: number): Measure[] {
  const deep = [
    'nDCG@100',
    "nDCG(gain='exp')@100",
    "nDCG(discount='jk',base=3)@50",
    'ERR@100',
    'nERR@50',
    'RBP@50',
    'AP@100',
    'P@1000',
    'Judged@10',
    'Grade@5',
    'nDCG(gains={-1:1,2:5})@10',
    'AP(judged_only=true)',
    'nDCG(empty=0.5)@10',
    "P(empty='skip')@5",
    'IPrec(empty=1)@0.3',
  ];
  return [...new Set([...spellingsFor('ranking'), ...deep])]
    .map((text) => parseMeasure(text))
    .filter((measure) => whyNotInSql(measure, duckdb, rules, { highestGrade }) === undefined);
}

export const ENGINE_TOLERANCE = 1e-12;

/** The measures whose values differ by more than the tolerance, relative where values are above 1; and the largest difference. */
export function differences(expected: ScoreTable, found: ScoreTable): { worst: number; failures: string[] } {
  const failures: string[] = [];
  if (expected.topics.join('\n') !== found.topics.join('\n')) failures.push(`topics: ${expected.topics.length} and ${found.topics.length}`);
  let worst = 0;
  for (const [m, measure] of expected.measures.entries()) {
    for (let t = 0; t < Math.min(expected.topics.length, found.topics.length); t++) {
      const a = expected.value(t, m);
      const b = found.value(t, m);
      if (Number.isNaN(a) && Number.isNaN(b)) continue;
      const difference = Math.abs(a - b) / Math.max(1, Math.abs(a));
      if (!(difference <= worst)) worst = difference;
      if (difference <= ENGINE_TOLERANCE) continue;
      failures.push(`${measure}, topic ${expected.topics[t]}: ${a} and ${b}`);
      break;
    }
  }
  return { worst, failures };
}

/** How many values are not the same in every bit. */
export function unequalBits(expected: ScoreTable, found: ScoreTable, measure: string): number {
  return expected.column(measure).reduce((count, value, t) => (Object.is(value, found.column(measure)[t]) ? count : count + 1), 0);
}
