import type { JudgingRules, TieRule } from '../core/judging-rules.js';
import type { ParsedArguments } from './arguments.js';

/** The rules of judging that options set, on top of a convention. */
export function judgingRulesAsked(args: ParsedArguments, missingTopicsOfAll: 'empty' | 'placeholder'): Partial<JudgingRules> {
  const rules: { -readonly [K in keyof JudgingRules]?: JudgingRules[K] } = {};
  const depth = args.number('depth');
  if (depth !== undefined) rules.depth = depth;
  if (args.has('judged-only')) rules.judgedOnly = true;
  const ties = args.value('ties');
  if (ties !== undefined) rules.ties = ties as TieRule;
  if (args.value('missing') === 'skip') rules.missingTopics = 'skip';
  else if (args.has('missing') || args.has('all-topics')) rules.missingTopics = missingTopicsOfAll;
  return rules;
}
