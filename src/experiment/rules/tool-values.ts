/** What every tool says of one ranking by one measure, and which rules lead from one of them to the others. */
import type { Convention } from '../../conventions/convention.js';
import { explain, valuesUnder } from '../../conventions/explain.js';
import { computes, refuseJudgements } from '../../conventions/measures-of-tools.js';
import { conventions, findConvention } from '../../conventions/registry.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import type { Measure } from '../../measures/measure.js';
import { type DifferingTopic, topicsThatMatter } from '../explain.js';

/** A rule that makes a part of a gap. */
export interface RuleStep {
  readonly label: string;
  /** Its part; the steps of a row add up to the row's gap. */
  readonly share: number;
  /** What changing this rule alone would do. */
  readonly alone: number;
  readonly reason: string;
  /** How many topics it changes. */
  readonly numTopics: number;
}

/** Tools that say the same. */
export interface ToolRow {
  readonly tools: readonly { readonly name: string; readonly title: string; readonly printed: string }[];
  readonly value: number;
  readonly numTopics: number;
  /** From the value that one starts from to this one; none in its own row. */
  readonly steps: readonly RuleStep[];
  readonly method: string;
  readonly sentence: string;
  /** The topics that matter most. */
  readonly topics: readonly DifferingTopic[];
}

/** All tools that know a measure, those that say the same in one row; the row that one starts from first, the others by their values. */
export interface ToolValues {
  readonly measure: string;
  readonly from: string;
  readonly fromValue: number;
  readonly rows: readonly ToolRow[];
  /** Tools that have no value for this, and why. */
  readonly without: readonly { readonly title: string; readonly reason: string }[];
}

/** What is asked. */
export interface ToolValuesRequest {
  readonly measure: Measure;
  /** The convention to start from. */
  readonly from: string;
  /** The tools to compare it with; all by default. */
  readonly tools?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Values closer than this read the same with four decimals. */
const SAME = 5e-5;
const MOST_TOPICS = 10;

/** Scores a run as every tool does, and explains each gap to the tool that one starts from. */
export function toolValues(qrels: Qrels, run: Run, { measure, from, tools, onProgress }: ToolValuesRequest): ToolValues {
  const start = findConvention(from);
  const asked = tools === undefined ? conventions : tools.map(findConvention);
  const without: { title: string; reason: string }[] = [];
  const valued: { readonly convention: Convention; readonly value: number; readonly printed: string; readonly numTopics: number }[] = [];
  for (const convention of [start, ...asked.filter((one) => one !== start)]) {
    const reason = reasonAgainst(convention, measure, qrels);
    const found = reason === undefined ? attempted(() => valuesUnder(qrels, run, measure, [convention])[0]) : reason;
    if (typeof found === 'string') {
      if (convention === start) throw new InputError({ message: found, wayOut: 'start from another tool' });
      without.push({ title: convention.title, reason: found });
    } else valued.push({ convention, value: found.value, printed: found.printed, numTopics: found.numTopics });
  }
  const [first, ...others] = valued;
  const groups: (typeof valued)[] = [[first]];
  for (const one of others) {
    const group = groups.find(([{ value }]) => Math.abs(value - one.value) < SAME || (Number.isNaN(value) && Number.isNaN(one.value)));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  const [own, ...rest] = groups;
  rest.sort(([a], [b]) => a.value - b.value);
  const rows = [own, ...rest].map((group, g): ToolRow => {
    onProgress?.(g, groups.length);
    const [{ convention, value, numTopics }] = group;
    const named = {
      tools: group.map(({ convention: { name, title }, printed }) => ({ name, title, printed })),
      value,
      numTopics,
    };
    if (g === 0) return { ...named, steps: [], method: '', sentence: '', topics: [] };
    const explanation = explain(qrels, run, measure, start, convention);
    return {
      ...named,
      steps: explanation.contributions.map(({ label, share, alone, reason, perTopic }) => ({
        label,
        share,
        alone,
        reason,
        numTopics: perTopic.reduce((count, part) => count + (part !== 0 ? 1 : 0), 0),
      })),
      method: explanation.method,
      sentence: explanation.sentence,
      topics: topicsThatMatter(explanation, MOST_TOPICS),
    };
  });
  return { measure: measure.text, from: start.name, fromValue: first.value, rows, without };
}

/** Why a tool has no value of the measure here; undefined if it has one. */
export function reasonAgainst(convention: Convention, measure: Measure, qrels: Qrels): string | undefined {
  if (!computes(convention, measure)) return `does not have ${measure.text}`;
  const refused = attempted(() => {
    refuseJudgements(convention, [measure], qrels);
    return undefined;
  });
  return refused;
}

/** What a computation gives, or in words why it cannot be done with this input. */
function attempted<T>(compute: () => T): T | string {
  try {
    return compute();
  } catch (error) {
    if (error instanceof InputError) return error.problems[0]?.message ?? error.message;
    throw error;
  }
}
