// The studies whose claims have a script.
import { study as evaluationRules } from './evaluation-rules.mjs';
import { study as gradedObjectives } from './graded-objectives.mjs';
import { study as headlineNumbers } from './headline-numbers.mjs';
import { study as judgingMeasures } from './judging-measures.mjs';
import { study as sixTools } from './six-tools.mjs';

export const studies = [sixTools, evaluationRules, judgingMeasures, gradedObjectives, headlineNumbers];
