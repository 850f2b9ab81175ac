import { sortedIds } from '../core/ids.js';
import { defaultRules, type JudgingRules } from '../core/judge.js';
import { PreferenceJudge, type PreferenceTopic } from '../core/judge-preferences.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { ScoreTable } from '../core/score-table.js';
import { bindMeasures, type WriteValues } from './bind-measures.js';
import type { Measure } from './measure.js';
import { type PlanOptions, scoreColumns } from './plan.js';

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
  /** Writes the topic's values to out[at], out[at + 1] … */
  readonly evaluateTopic: WriteValues<PreferenceTopic>;

  constructor(measures: readonly Measure[], options: PlanOptions = {}) {
    this.measures = measures;
    this.evaluateTopic = bindMeasures(measures, (def) => def.bindPreferences, hasNoPreferences, options);
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
