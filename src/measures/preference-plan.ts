import { sortedIds } from '../core/ids.js';
import { defaultRules, type JudgingRules } from '../core/judge.js';
import { PreferenceJudge, type PreferenceTopic } from '../core/judge-preferences.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { ScoreTable } from '../core/score-table.js';
import { emptyValue, type Measure } from './measure.js';
import { type PlanOptions, scoreColumns, undefinedValueOf } from './plan.js';

/** A run set against preferences, topic by topic in ascending byte order of the ids. */
export interface JudgedPreferences {
  readonly run: Run;
  readonly qrels: Qrels;
  /** Topic numbers of the qrels. */
  readonly topics: Uint32Array;
  readonly judged: readonly PreferenceTopic[];
}

/** Sets a run against preferences: judgements with groups and, where documents were compared only in parts, sub-groups.
 *  Unless told otherwise, equal scores are ordered by document id, ascending, which is the custom for preferences. */
export function judgePreferences(run: Run, qrels: Qrels, rules: Partial<JudgingRules> = {}): JudgedPreferences {
  const applied: JudgingRules = { ...defaultRules, ties: 'docno-ascending', ...rules };
  const judge = new PreferenceJudge(run, qrels, applied);
  const topics = sortedIds(qrels.topics).filter((topic) => applied.missingTopics !== 'skip' || judge.answers(topic));
  return { run, qrels, topics, judged: Array.from(topics, (topic) => judge.judge(topic)) };
}

/** The chosen preference measures, ready to be computed. */
export class PreferencePlan {
  readonly measures: readonly Measure[];
  private readonly compute: ((topic: PreferenceTopic) => number)[];

  constructor(measures: readonly Measure[], options: PlanOptions = {}) {
    this.measures = measures;
    this.compute = measures.map((measure) => {
      const { def, params } = measure;
      const compute = def.bindPreferences?.(params);
      if (compute === undefined) throw new Error(`${def.name} is not computed from preferences`);
      const undefinedValue = undefinedValueOf(measure, options);
      return (topic) => {
        if (params.empty !== undefined && hasNoPreferences(topic)) return emptyValue(params.empty);
        const value = compute(topic);
        return Number.isNaN(value) ? undefinedValue : value;
      };
    });
  }

  /** Writes the topic's values to out[at], out[at + 1] … */
  evaluateTopic(topic: PreferenceTopic, out: Float64Array, at: number): void {
    for (const [m, compute] of this.compute.entries()) out[at + m] = compute(topic);
  }

  evaluate({ run, qrels, topics, judged }: JudgedPreferences): ScoreTable {
    const width = this.measures.length;
    const values = new Float64Array(topics.length * width);
    for (const [t, topic] of judged.entries()) this.evaluateTopic(topic, values, t * width);
    const names = Array.from(topics, (topic) => qrels.topics.text(topic));
    return new ScoreTable([run.name], names, scoreColumns(this.measures), values);
  }
}

function hasNoPreferences({ groups }: PreferenceTopic): boolean {
  return groups.every((group) => group.possibleRetrieved + group.possibleImplied + group.possibleUnretrieved === 0);
}
