import type { JudgingRules } from '../core/judging/judging-rules.js';
import { Lines } from './lines.js';
import { NotInSql } from './not-in-sql.js';
import type { Query } from './query.js';

/** The answered documents of each topic in their order, joined with their grades. Lines without a judgement are left out as
 *  soon as they have been counted, unless somebody asks for them, because hardly any measure can tell where they stood. */
export class Ranking {
  readonly lines: Lines;
  readonly rules: JudgingRules;
  private readonly query: Query;
  private readonly name: string;
  private keepsUnjudged = false;
  /** Means over the documents of equal score, by the expression whose mean they are. */
  private readonly tieSums: Map<string, string> = new Map();
  private readonly tieTotals: Map<string, string> = new Map();
  private readonly ownCount: string | undefined;

  constructor(query: Query, rules: JudgingRules, name: string) {
    this.query = query;
    this.rules = rules;
    this.name = name;
    this.lines = new Lines(name, query.newName);
    if (rules.ties === 'file' || rules.ties === 'rank' || rules.ties === 'quicksort') {
      throw new NotInSql(`ties='${rules.ties}' needs what the file says of order, and a table has none`);
    }
    if (rules.byGroup) throw new NotInSql('judgements by groups are not a plain table');
    if (this.isExpected) {
      if (rules.judgedOnly && rules.depth < Infinity) {
        throw new NotInSql("ties='expected' with judged_only and a depth lets the order decide how many documents there are");
      }
      this.keepsUnjudged = !rules.judgedOnly;
    }
    this.ownCount = rules.judgedOnly ? this.lines.sum(query.number(1)) : undefined;
  }

  /** True if all orders of equal scores are to be averaged. */
  get isExpected(): boolean {
    return this.rules.ties === 'expected';
  }

  /** Unjudged documents are first taken out and then ranked, which is the same as the other way round unless the depth cuts. */
  private get condensesFirst(): boolean {
    return this.rules.judgedOnly && this.rules.depth === Infinity;
  }

  /** How many documents the ranking has, as a column of topics. */
  get numRetrieved(): string {
    return this.ownCount ?? `${this.name}_size`;
  }

  /** The place as a 64-bit float, for lines. */
  get place(): string {
    return this.query.real('place');
  }

  /** From here on lines without a judgement are kept. */
  keepUnjudged(): void {
    this.keepsUnjudged = true;
    if (this.rules.missingTopics === 'placeholder' && !this.rules.judgedOnly) {
      throw new NotInSql('a gain for documents without a judgement does not go with a placeholder for missing topics');
    }
  }

  /** Whether a document is relevant: 1 or 0, or how often it is over all orders of equal scores. */
  relevance(level: number): string {
    return this.mean(this.query.oneIf(`code >= ${this.query.number(level)}`));
  }

  /** An expression of `code`, or its mean over the documents of equal score where all orders count. */
  mean(expression: string): string {
    return this.isExpected ? `${this.tieSum(expression)} / tie_size` : expression;
  }

  /** The sum of an expression over the documents of equal score. */
  tieSum(expression: string): string {
    return remembered(this.tieSums, `SUM(${expression}) OVER (PARTITION BY topic, score)`, () => this.query.newName('e'));
  }

  /** The sum over all documents down to the last of equal score. */
  tieTotal(expression: string): string {
    const window = `SUM(${expression}) OVER (PARTITION BY topic ORDER BY score DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
    return remembered(this.tieTotals, window, () => this.query.newName('e'));
  }

  /** Relevant documents among the first so many. */
  hits(level: number, cutoff: number = Infinity): string {
    return this.lines.sum(this.relevance(level), cutoff);
  }

  /** Relevant documents down to this line, of a ranking whose order is given. */
  runningHits(level: number): string {
    return this.lines.running(this.query.oneIf(`code >= ${this.query.number(level)}`));
  }

  /** Judged documents among the first so many. */
  judged(cutoff: number = Infinity): string {
    return this.lines.sum(this.mean(this.query.oneIf('code >= 0')), cutoff);
  }

  /** How many of the first so many there are. */
  seen(cutoff: number): string {
    return this.query.atMost(this.numRetrieved, cutoff);
  }

  /** The table that lines are taken from. */
  get source(): string {
    return `${this.name}_graded`;
  }

  /** The number of documents of each topic, as columns of the topics. */
  sizes(): string[] {
    if (this.ownCount !== undefined) return [];
    const { depth, missingTopics } = this.rules;
    const size = this.query.atMost(this.query.real('s.size'), depth);
    const otherwise = this.query.number(missingTopics === 'placeholder' ? 1 : 0);
    return [`CASE WHEN s.size IS NULL THEN ${otherwise} ELSE ${size} END AS ${this.name}_size`];
  }

  /** The tables from the run to `source`. */
  tables(): string[] {
    const { query, name, rules } = this;
    const joined =
      this.keepsUnjudged || this.isExpected || rules.ties === 'optimistic' || rules.ties === 'pessimistic' || this.condensesFirst;
    const code = `CASE WHEN j.grade >= 0 THEN j.grade ELSE ${query.number(-2)} END`;
    const limit = rules.judgedOnly ? rules.depth : Math.min(rules.depth, this.lines.deepest);
    const where = [
      ...(limit < Infinity ? [`place <= ${limit}`] : []),
      ...(this.keepsUnjudged || !joined ? [] : [`code <> ${query.number(-1)}`]),
    ];
    const condition = where.length > 0 ? `\n  WHERE ${where.join(' AND ')}` : '';
    const tables: string[] = [];
    if (!joined) {
      tables.push(
        `${name}_ranked AS (\n  SELECT topic, doc, ${this.rowNumber()} AS place\n  FROM answers\n)`,
        `${name}_cut AS (\n  SELECT topic, doc, place\n  FROM ${name}_ranked${condition}\n)`,
        `${name}_kept AS (\n  SELECT k.topic AS topic, k.place AS place, ${code} AS code\n  FROM ${name}_cut k JOIN judged j ON j.topic = k.topic AND j.doc = k.doc\n)`,
      );
    } else {
      const match = this.condensesFirst
        ? `SELECT r.topic AS topic, r.doc AS doc, r.score AS score, j.grade AS code\n  FROM answers r JOIN judged j ON j.topic = r.topic AND j.doc = r.doc\n  WHERE j.grade >= 0`
        : `SELECT r.topic AS topic, r.doc AS doc, r.score AS score, CASE WHEN j.grade IS NULL THEN ${query.number(-1)} ELSE ${code} END AS code\n  FROM answers r LEFT JOIN judged j ON j.topic = r.topic AND j.doc = r.doc`;
      tables.push(
        `${name}_matched AS (\n  ${match}\n)`,
        `${name}_ranked AS (\n  SELECT topic, score, code, ${this.rowNumber()} AS place\n  FROM ${name}_matched\n)`,
      );
      const columns = this.tieColumns();
      if (columns.length > 0) {
        tables.push(
          `${name}_tied AS (\n  SELECT topic, place, code,\n    ${columns.map(([text, as]) => `${text} AS ${as}`).join(',\n    ')}\n  FROM ${name}_ranked\n)`,
        );
      }
      const kept = ['topic', 'place', 'code', ...columns.map(([, as]) => as)];
      tables.push(
        `${name}_kept AS (\n  SELECT ${kept.join(', ')}\n  FROM ${columns.length > 0 ? `${name}_tied` : `${name}_ranked`}${condition}\n)`,
      );
    }
    const renumbered = rules.judgedOnly && !this.condensesFirst;
    const kept = ['code', ...this.tieColumns().map(([, as]) => as)].join(', ');
    const graded = renumbered
      ? `SELECT k.topic AS topic, ROW_NUMBER() OVER (PARTITION BY k.topic ORDER BY k.place) AS place, k.code AS code\n  FROM ${name}_kept k\n  WHERE k.code >= 0`
      : `SELECT topic, place, ${kept}\n  FROM ${name}_kept`;
    tables.push(`${this.source} AS (\n  ${graded}\n)`);
    tables.push(...this.lines.tables(this.source, ['code', ...this.tieColumns().map(([, as]) => as)]));
    return tables;
  }

  private tieColumns(): [text: string, name: string][] {
    if (!this.isExpected) return [];
    const { query } = this;
    return [
      [query.real('COUNT(*) OVER (PARTITION BY topic, score)'), 'tie_size'],
      [query.real('MIN(place) OVER (PARTITION BY topic, score)'), 'tie_start'],
      ...this.tieSums,
      ...this.tieTotals,
    ];
  }

  /** The place of each document, by score and by what the rule for ties says. */
  private rowNumber(): string {
    const { ties } = this.rules;
    const grade = ties === 'optimistic' ? 'code DESC, ' : ties === 'pessimistic' ? 'code ASC, ' : '';
    const doc = `doc${this.query.dialect.byteOrder} ${ties === 'docno-ascending' ? 'ASC' : 'DESC'}`;
    return `ROW_NUMBER() OVER (PARTITION BY topic ORDER BY score DESC, ${grade}${doc})`;
  }
}

function remembered(known: Map<string, string>, text: string, newName: () => string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const name = newName();
  known.set(text, name);
  return name;
}
