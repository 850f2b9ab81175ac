import { InputError } from './problem.js';

/** The limits that bear on rankings wherever they come from. They stand apart from the other `limits`, so that a page that evaluates
 *  rankings does not bring along those of all file formats; the same rules hold for both. */
export const evaluationLimits: Record<EvaluationLimit, number> = {
  entries: 2 ** 32 - 1,
  ids: 2 ** 30,
  topics: 2 ** 24,
  topicDocuments: 2 ** 24,
  measures: 2 ** 16,
  cutoff: 2 ** 31 - 1,
  cwlDepth: 2 ** 20,
  pairedDocuments: 2 ** 14,
  partialOrder: 2 ** 11,
  scores: 2 ** 29,
  scoresPerValue: 64,
};

/** The limits that rankings and judgements in memory can reach, without any file being read. */
export type EvaluationLimit =
  | 'entries'
  | 'ids'
  | 'topics'
  | 'topicDocuments'
  | 'measures'
  | 'cutoff'
  | 'cwlDepth'
  | 'pairedDocuments'
  | 'partialOrder'
  | 'scores'
  | 'scoresPerValue';

/** Below this many scores nobody asks how many of them a file gives. */
const SMALL_TABLE = 2 ** 20;

/** Refuses a table of scores that would be too large.
 *  @param numGiven How many of the scores a file gives; all of them if undefined, as when they are computed. */
export function checkScores(numSystems: number, numTopics: number, numMeasures: number, numGiven?: number): void {
  const numScores = numSystems * numTopics * numMeasures;
  const size = (): string => `${counted(numSystems, 'system')} on ${counted(numTopics, 'topic')} by ${counted(numMeasures, 'measure')}`;
  if (numScores > evaluationLimits.scores) {
    throw new InputError({
      message: `${size()} are more than ${evaluationLimits.scores} scores`,
      wayOut: 'take fewer measures or fewer systems at a time',
    });
  }
  if (numGiven !== undefined && numScores > SMALL_TABLE && numScores > evaluationLimits.scoresPerValue * numGiven) {
    throw new InputError({
      message: `${size()}, of which ${numGiven} have a score, are more than ${evaluationLimits.scoresPerValue} places for each score`,
      wayOut: 'put systems that were scored on different topics, or by different measures, into files of their own',
    });
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
