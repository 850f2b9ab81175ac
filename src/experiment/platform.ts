import type { FeatureOptions } from '../formats/letor/feature-options.js';
import type { LetorReading } from '../formats/letor/parser.js';
import type { ByteSource } from '../formats/source.js';
import type { Learner, Team } from '../ltr/ranker.js';
import { runTask, type StatsSteps } from '../stats/tasks.js';
import type { Engine, TrainingEngine } from './engine.js';
import type { ScoringStrategy } from './score.js';
import type { FeatureThreads } from './training/training-data.js';

/** Threads that go on until they are closed. */
export interface ClosableTeam extends Team {
  close(): Promise<void>;
}

/** What the place where an experiment runs has to offer. Everything else is the same everywhere. */
export interface Platform {
  /** What a name stands for: on a computer the path of a file, and `-` for standard input. */
  source(name: string): ByteSource;
  /** Ways to score a run without holding it in memory, to be tried in this order; a run that none of them takes is read as a whole. */
  readonly strategies?: readonly ScoringStrategy[] | undefined;
  /** Programs that runs can be handed to as they are. */
  readonly engines?: Readonly<Record<string, Engine>> | undefined;
  /** Programs that training can be handed to. */
  readonly trainingEngines?: Readonly<Record<string, TrainingEngine>> | undefined;
  /** Reads large files of features with several threads, to the same result. */
  readonly readFeatures?: ((source: ByteSource, options: FeatureOptions & FeatureThreads) => Promise<LetorReading>) | undefined;
  /** Threads to train with, for a learner that can use them; none otherwise. Whoever asked for them closes them. */
  readonly trainingTeam?: ((learner: Learner, threads: number | undefined) => Promise<ClosableTeam | undefined>) | undefined;
  /** Threads for any work; none where there is one core. Whoever asked for them closes them. */
  readonly threadTeam?: ((threads: number | undefined) => Promise<ClosableTeam | undefined>) | undefined;
  /** Does the resampling of statistics, on several threads where that pays. The result is the same for any number of them. */
  readonly resample?: (<Result>(steps: StatsSteps<Result>, threads: number | undefined) => Promise<Result>) | undefined;
  /** The SHA-256 of bytes in hexadecimal digits; undefined where it cannot be had. */
  readonly sha256?: ((chunks: AsyncIterable<Uint8Array>) => Promise<string | undefined>) | undefined;
  /** The version of Gradus. */
  readonly version: string;
}

/** Takes the steps of a statistic to its result. */
export async function resampled<Result>(
  platform: Pick<Platform, 'resample'>,
  steps: StatsSteps<Result>,
  threads?: number | undefined,
): Promise<Result> {
  if (platform.resample !== undefined) return await platform.resample(steps, threads);
  for (let step = steps.next(); ; ) {
    if (step.done === true) return step.value;
    step = steps.next(step.value.map(runTask));
  }
}
