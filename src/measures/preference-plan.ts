import type { JudgingRules } from '../core/judge.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import type { Measure } from './measure.js';
import type { PlanOptions } from './plan.js';

export function judgePreferences(_run: Run, _qrels: Qrels, _rules: Partial<JudgingRules>): never {
  throw new InputError('preferences');
}

export class PreferencePlan {
  constructor(_measures: readonly Measure[], _options: PlanOptions) {}
  evaluate(_judged: never): ScoreTable {
    throw new InputError('preferences');
  }
}
