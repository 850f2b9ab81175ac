import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';
import type { Learner } from './ranker.js';

/** A learner that is loaded when it is called for. */
export interface LearnerEntry {
  readonly name: string;
  /** Other names; capitals, blanks and hyphens do not matter. */
  readonly aliases: readonly string[];
  /** Number after RankLib's `-ranker`. */
  readonly ranklib?: number;
  /** Whether it works faster with a team of threads. */
  readonly usesThreads?: boolean;
  /** Whether queries can have weights. */
  readonly weighsQueries?: boolean;
  /** Whether documents can have weights and scores to begin with. */
  readonly weighsDocuments?: boolean;
  load(): Promise<Learner>;
}

/** Every learner, in reading order. Names and numbers stand here a second time so that they are known without loading. */
export const learnerEntries: readonly LearnerEntry[] = [
  {
    name: 'lambdamart',
    aliases: [],
    ranklib: 6,
    usesThreads: true,
    weighsQueries: true,
    weighsDocuments: true,
    load: async () => (await import('./learners/lambdamart.js')).lambdamart,
  },
  {
    name: 'mart',
    aliases: ['gbrt'],
    ranklib: 0,
    usesThreads: true,
    weighsQueries: true,
    weighsDocuments: true,
    load: async () => (await import('./learners/mart.js')).mart,
  },
  {
    name: 'random-forest',
    aliases: ['rf', 'forest'],
    ranklib: 8,
    usesThreads: true,
    weighsQueries: true,
    load: async () => (await import('./learners/random-forest.js')).randomForest,
  },
  {
    name: 'coordinate-ascent',
    aliases: ['ca', 'coordinateascent', 'coorascent'],
    ranklib: 4,
    load: async () => (await import('./learners/coordinate-ascent.js')).coordinateAscent,
  },
  {
    name: 'adarank',
    aliases: [],
    ranklib: 3,
    weighsQueries: true,
    load: async () => (await import('./learners/adarank.js')).adarank,
  },
  {
    name: 'rankboost',
    aliases: [],
    ranklib: 2,
    load: async () => (await import('./learners/rankboost.js')).rankboost,
  },
  {
    name: 'ranksvm',
    aliases: ['ranking-svm', 'svmrank'],
    load: async () => (await import('./learners/ranksvm.js')).ranksvm,
  },
  {
    name: 'ranknet',
    aliases: [],
    ranklib: 1,
    weighsQueries: true,
    load: async () => (await import('./learners/ranknet.js')).ranknet,
  },
  {
    name: 'lambdarank',
    aliases: [],
    ranklib: 5,
    weighsQueries: true,
    load: async () => (await import('./learners/lambdarank.js')).lambdarank,
  },
  {
    name: 'softrank',
    aliases: [],
    weighsQueries: true,
    load: async () => (await import('./learners/softrank.js')).softrank,
  },
  {
    name: 'listnet',
    aliases: [],
    ranklib: 7,
    weighsQueries: true,
    load: async () => (await import('./learners/listnet.js')).listnet,
  },
  {
    name: 'linear-regression',
    aliases: ['linear', 'linreg'],
    ranklib: 9,
    load: async () => (await import('./learners/linear-regression.js')).linearRegression,
  },
];

/** The names of all learners, in the order of the list. */
export const learnerNames: readonly string[] = learnerEntries.map(({ name }) => name);

/** Finds a learner by its name, in any spelling. */
export async function loadLearner(name: string): Promise<Learner> {
  return await findLearner(name).load();
}

/** The learner of this name or alias, not yet loaded; an `InputError` suggests the closest if there is none. */
export function findLearner(name: string): LearnerEntry {
  const wanted = plain(name);
  const found = learnerEntries.find((entry) => [entry.name, ...entry.aliases].some((known) => plain(known) === wanted));
  if (found !== undefined) return found;
  if (/\.\w+$|[\\/]/.test(name)) {
    throw new InputError({
      message: `expected a learner, found the file ${name}`,
      wayOut: `name the learner first and the file behind --train: lambdamart --train ${name}`,
    });
  }
  const close = closest(name, [...learnerNames, ...learnerEntries.flatMap(({ aliases }) => aliases)]);
  throw new InputError({
    message: `there is no learner ${name === '' ? 'with an empty name' : name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}it can be ${learnerNames.join(', ')}`,
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Every learner, for help and tests; programs load the one they need. */
export async function loadAllLearners(): Promise<Learner[]> {
  return await Promise.all(learnerEntries.map(({ load }) => load()));
}
