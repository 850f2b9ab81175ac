/** Why tools give different numbers to the same ranking. */
import type { Measure } from 'gradus';
import { explainRun, topicsThatMatter } from 'gradus/experiment';
import type { ExplainAnswer, ExplainedPair } from './protocol.js';
import { type PageMaterial, placeOf } from './session.js';

const MOST_TOPICS = 10;

/** The first convention against each of the others. */
export function explainConventions(page: PageMaterial, file: number, measure: Measure, conventions: readonly string[]): ExplainAnswer {
  const r = placeOf(page, file);
  const { values, explanations } = explainRun(page.material.judgements.qrels, page.runs[r], { measures: [measure], conventions });
  return {
    system: page.names[r],
    values: values[0].map(({ convention, value, printed, numTopics }) => ({ convention, value, printed, numTopics })),
    explanations: explanations.map((explanation): ExplainedPair => {
      const { contributions, sentence, method, fromValue, toValue, measure: text, from, to } = explanation;
      return {
        sentence,
        method,
        waterfall: {
          measure: text,
          from,
          to,
          fromValue,
          toValue,
          steps: contributions.map(({ label, share, reason }) => ({ label, share, reason })),
        },
        rules: contributions.map(({ label, share, alone, reason, perTopic }) => ({
          label,
          share,
          alone,
          reason,
          numTopics: perTopic.reduce((count, part) => count + (part !== 0 ? 1 : 0), 0),
        })),
        topics: topicsThatMatter(explanation, MOST_TOPICS),
      };
    }),
  };
}
