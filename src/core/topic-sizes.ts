import { evaluationLimits } from './evaluation-limits.js';
import { InputError, type Problem } from './problem.js';

/** What is wrong with topics whose rows stand between these offsets: that there are too many, or too many rows of one.
 *  @param topicText  what topic number t is called */
export function topicProblem(offsets: Uint32Array, numTopics: number, topicText: (topic: number) => string): Problem | undefined {
  const { topics, topicDocuments } = evaluationLimits;
  if (numTopics > topics)
    return { message: `found ${numTopics} topics, expected at most ${topics} topics`, wayOut: 'divide the file by topics' };
  for (let topic = 0; topic < numTopics; topic++) {
    const count = offsets[topic + 1] - offsets[topic];
    if (count > topicDocuments) return tooManyDocuments(`topic ${topicText(topic)}`, count);
  }
  return undefined;
}

/** Refuses a topic with more lines than a topic may have documents. */
export function checkTopicSize(count: number): void {
  if (count > evaluationLimits.topicDocuments) throw new InputError(tooManyDocuments('a topic', count));
}

function tooManyDocuments(topic: string, count: number): Problem {
  const { topicDocuments } = evaluationLimits;
  return {
    message: `${topic} has ${count} lines, expected at most ${topicDocuments} documents of a topic`,
    wayOut: 'keep the documents of the highest ranks',
  };
}
