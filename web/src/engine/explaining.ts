/** Why tools give different numbers to the same ranking. */
import type { Measure } from 'gradus';
import { type Contribution, explain, findConvention, valuesUnder } from 'gradus/conventions';
import type { ExplainAnswer, ExplainedPair } from './protocol.js';
import type { Material } from './session.js';

const MOST_TOPICS = 10;

/** The first convention against each of the others. */
export function explainConventions({ qrels, runs }: Material, file: number, measure: Measure, names: readonly string[]): ExplainAnswer {
  const { run, name } = runs.find((one) => one.file === file) ?? runs[0];
  const chosen = names.map(findConvention);
  const [first, ...others] = chosen;
  return {
    system: name,
    values: valuesUnder(run, qrels, measure, chosen).map(({ convention, value, printed, numTopics }) => ({
      convention,
      value,
      printed,
      numTopics,
    })),
    explanations: others.map((other): ExplainedPair => {
      const {
        contributions,
        sentence,
        method,
        topics,
        fromValue,
        toValue,
        measure: text,
        from,
        to,
      } = explain(run, qrels, measure, first, other);
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
        topics: topicsThatMatter(topics, contributions),
      };
    }),
  };
}

function topicsThatMatter(topics: readonly string[], contributions: readonly Contribution[]): ExplainedPair['topics'] {
  const part = (t: number): number => contributions.reduce((sum, { perTopic }) => sum + (perTopic[t] ?? 0), 0);
  return topics
    .map((topic, t) => ({ topic, t, part: part(t) }))
    .filter((one) => one.part !== 0)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || a.t - b.t)
    .slice(0, MOST_TOPICS)
    .map(({ topic, t, part: share }) => {
      const main = contributions.reduce((best, other) => (Math.abs(other.perTopic[t]) > Math.abs(best.perTopic[t]) ? other : best));
      return { topic, part: share, rule: main.label };
    });
}
