import type { JudgingRules } from '../core/judging/judging-rules.js';
import type { Measure } from '../measures/measure.js';
import { Passes } from '../measures/passes.js';
import type { PlanOptions } from '../measures/plan.js';
import type { Dialect } from './dialect.js';
import { Lines } from './lines.js';
import { Ranking } from './ranking.js';

/** The judgements of each topic, best first by some gain. */
export interface IdealRows {
  readonly lines: Lines;
  /** The table that the gains come from, and the expression that makes them of its columns. */
  readonly source: string;
  readonly gain: string;
  readonly condition: string;
}

/** A query under construction: everything that the measures of one statement share. */
export class Query {
  readonly dialect: Dialect;
  /** What is known of all judgements, for measures that scale grades. */
  readonly passes: Passes;
  private count = 0;
  /** Sums over the judged documents of a topic, whose grades are 0 or more. */
  readonly judgedSums: Map<string, string> = new Map();
  readonly rankings: Map<string, Ranking> = new Map();
  readonly ideals: Map<string, IdealRows> = new Map();

  constructor(dialect: Dialect, options: PlanOptions) {
    this.dialect = dialect;
    this.passes = new Passes(options);
  }

  readonly newName = (prefix: string): string => `${prefix}${++this.count}`;

  number(value: number): string {
    return this.dialect.number(value);
  }

  /** An expression as a 64-bit float, because some engines divide whole numbers as whole numbers. */
  real(expression: string): string {
    return `CAST(${expression} AS ${this.dialect.double})`;
  }

  /** 1 where the condition holds, and 0 elsewhere. */
  oneIf(condition: string): string {
    return `CASE WHEN ${condition} THEN ${this.number(1)} ELSE ${this.number(0)} END`;
  }

  /** A quotient that is `otherwise` where the divisor is 0 or less. */
  ratio(part: string, whole: string, otherwise: string = this.number(0)): string {
    return `CASE WHEN ${whole} > 0 THEN ${part} / ${whole} ELSE ${otherwise} END`;
  }

  /** The smaller of an expression and a number that may be infinite. */
  atMost(expression: string, limit: number): string {
    return limit === Infinity ? expression : `CASE WHEN ${expression} > ${limit} THEN ${this.number(limit)} ELSE ${expression} END`;
  }

  smaller(a: string, b: string): string {
    return `CASE WHEN ${a} < ${b} THEN ${a} ELSE ${b} END`;
  }

  /** The sum of an expression of `grade` over the judged documents of the topic. */
  judgedSum(expression: string): string {
    const text = `SUM(CASE WHEN grade >= 0 THEN ${expression} ELSE ${this.number(0)} END)`;
    const known = this.judgedSums.get(text);
    if (known !== undefined) return known;
    const name = this.newName('t');
    this.judgedSums.set(text, name);
    return name;
  }

  /** Judged documents from this grade up. */
  numRelevant(level: number): string {
    return this.judgedSum(this.oneIf(`grade >= ${this.number(level)}`));
  }

  /** The judged documents that are not relevant. */
  numNonRelevant(level: number): string {
    return level > 0 ? this.judgedSum(this.oneIf(`grade < ${this.number(level)}`)) : this.number(0);
  }

  get numJudged(): string {
    return this.judgedSum(this.number(1));
  }

  /** The highest grade of the topic; no value if nothing was judged. */
  highestGrade(): string {
    const text = 'MAX(CASE WHEN grade >= 0 THEN grade END)';
    const known = this.judgedSums.get(text);
    if (known !== undefined) return known;
    const name = this.newName('t');
    this.judgedSums.set(text, name);
    return name;
  }

  /** The documents with a positive gain, highest first; `gain` is an expression of `column`. */
  ideal(source: string, column: 'grade' | 'code', gain: string): Lines {
    const key = `${source} ${gain}`;
    const known = this.ideals.get(key);
    if (known !== undefined) return known.lines;
    const lines = new Lines(this.newName('ideal'), this.newName);
    this.ideals.set(key, { lines, source, gain, condition: `${column} >= 0` });
    return lines;
  }

  /** The rankings by these rules. */
  ranking(rules: JudgingRules): Ranking {
    const key = [rules.ties, rules.judgedOnly].join(' ');
    const known = this.rankings.get(key);
    if (known !== undefined) return known;
    const ranking = new Ranking(this, rules, `ranking${this.rankings.size + 1}`);
    this.rankings.set(key, ranking);
    return ranking;
  }
}

/** What an expression of a measure is made from. */
export interface Expression {
  readonly query: Query;
  readonly ranking: Ranking;
  readonly measure: Measure;
  readonly rules: JudgingRules;
}
