import type { Alternative } from '../../stats/checks.js';
import type { Direction } from '../../stats/compare.js';
import type { CorrectionMethod } from '../../stats/correction.js';
import type { ComparisonTest } from '../../stats/pair-tests.js';
import type { MaybeNumber } from '../model.js';

/** What can be said honestly about a comparison. The first five are about one pair, the last two about more than two systems. */
export type VerdictState = 'better' | 'not-told-apart' | 'equivalent' | 'too-few-topics' | 'identical' | 'clear-winner' | 'no-clear-winner';

/** A system's mean under the measure of the verdict. */
export interface VerdictSystem {
  readonly system: string;
  readonly mean: MaybeNumber;
  readonly low: MaybeNumber;
  readonly high: MaybeNumber;
}

/** A tested pair. The system is the one with the better mean; the difference is system − against, in the unit of the measure. */
export interface VerdictPair {
  readonly system: string;
  readonly against: string;
  readonly difference: number;
  readonly low: MaybeNumber;
  readonly high: MaybeNumber;
  /** Mean difference over the standard deviation of the differences; null where that is 0. */
  readonly effectSize: MaybeNumber;
  readonly pValue: number;
  readonly correctedPValue: number;
  readonly significant: boolean;
  /** Which way the system was expected to differ, if one side was asked for. */
  readonly alternative: Alternative;
  /** Topics on which the system is better, worse, and equal. */
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
}

/** A topic and what it adds to the difference. */
export interface VerdictTopic {
  readonly topic: string;
  /** The text of the query, where it is known. */
  readonly query?: string | undefined;
  readonly system: number;
  readonly against: number;
  /** system − against, in the unit of the measure. */
  readonly difference: number;
}

/** What the pair of the verdict owes to single topics. */
export interface VerdictTopics {
  /** The topics that speak most for the system, the largest difference first. */
  readonly gains: readonly VerdictTopic[];
  /** The topics that speak most against it, the largest difference first. */
  readonly losses: readonly VerdictTopic[];
  /** What would be left without the gains listed; null where too few topics would remain. The p-value is not corrected. */
  readonly without: {
    readonly topics: number;
    readonly difference: number;
    readonly pValue: number;
    readonly test: ComparisonTest;
  } | null;
  /** The fewest of the most favourable topics without which the p-value, not corrected, would exceed alpha; null where that is not known or
   *  the systems are not told apart. */
  readonly fewestToTip: MaybeNumber;
}

/** Two one-sided tests against a margin that was set beforehand. */
export interface VerdictEquivalence {
  readonly margin: number;
  /** The interval that has to lie inside the margin, and its level: 0.9 where alpha is 0.05. */
  readonly low: number;
  readonly high: number;
  readonly level: number;
  /** The larger of the two. */
  readonly pValue: number;
  readonly holds: boolean;
}

/** Something that a reader should know before relying on the verdict; or a check that was passed. */
export type VerdictCaveat =
  | {
      readonly kind: 'unjudged';
      readonly isWarning: boolean;
      readonly cutoff: number;
      /** The system with the largest share of documents that nobody judged, by mean over topics. */
      readonly system: string;
      readonly share: number;
      /** Who would lead if unjudged documents were taken out, and by how much; null if that was not computed. */
      readonly judgedOnly: {
        readonly leader: string;
        readonly leaderMean: number;
        readonly second: string;
        readonly secondMean: number;
      } | null;
      readonly changesLeader: boolean;
    }
  | {
      readonly kind: 'topics';
      readonly isWarning: boolean;
      readonly topics: number;
      /** The true difference that so many topics find with this power, before correction; null if the differences do not vary. */
      readonly detectable: MaybeNumber;
      readonly power: number;
      /** Topics that would find a true difference as large as the one seen with the same power, but at least as many as a
       *  verdict needs; null if no sensible number would. */
      readonly needed: MaybeNumber;
    }
  | {
      readonly kind: 'ties';
      readonly isWarning: boolean;
      /** The most that another order of equal scores could move the difference of the pair. */
      readonly shift: number;
      /** Whether some system could change its rank. */
      readonly changesRank: boolean;
    }
  | {
      readonly kind: 'missing-topics';
      readonly isWarning: boolean;
      /** Systems that leave judged topics unanswered; with the number of topics of the one that leaves out most. */
      readonly systems: number;
      readonly system: string | null;
      readonly topics: number;
    };

/** The answer to "which system is best, and how sure is that?", as plain JSON: every output words and draws it from this. */
export interface Verdict {
  readonly state: VerdictState;
  readonly measure: string;
  /** Which values are good. */
  readonly direction: Direction;
  readonly numTopics: number;
  /** Pairs that were tested under this measure. */
  readonly numPairs: number;
  readonly test: ComparisonTest;
  readonly correction: CorrectionMethod | 'none';
  readonly alpha: number;
  /** Draws of the test; null if nothing was drawn. */
  readonly resamples: number | null;
  /** The system that all others were tested against, if not all pairs were tested. */
  readonly baseline: string | null;
  /** All systems, the best mean first. */
  readonly systems: readonly VerdictSystem[];
  /** Systems that are not told apart from the best, the best mean first; without a test of the best, none. */
  readonly notToldApart: readonly string[];
  /** Systems that are significantly worse than the best, the best mean first. */
  readonly beaten: readonly VerdictPair[];
  /** With a baseline and more than two systems: how the others fare against it. */
  readonly againstBaseline: {
    readonly better: readonly string[];
    readonly worse: readonly string[];
    readonly notToldApart: readonly string[];
  } | null;
  /** The pair that the verdict is about: of two systems, the only one; of more, the best and the best that it is told apart from, or the
   *  best two if there is none; with a baseline, the best and the baseline. */
  readonly pair: VerdictPair;
  readonly topics: VerdictTopics;
  /** Null if no margin was set. */
  readonly equivalence: VerdictEquivalence | null;
  /** Warnings first. */
  readonly caveats: readonly VerdictCaveat[];
}

/** Where systems stand under the measure of the verdict, by their places in the list of systems. */
export interface Standings {
  readonly measure: string;
  /** The ranks that each system has in most samples of topics. */
  readonly ranks: readonly { readonly low: number; readonly high: number }[];
  /** The share of samples inside these ranks. */
  readonly level: number;
  readonly resamples: number;
  /** Null where every sample was counted through. */
  readonly seed: MaybeNumber;
  /** Sets of systems that cannot be told apart, the best first; empty where not all pairs were tested. */
  readonly groups: readonly (readonly number[])[];
  /** Share of the first documents that nobody judged; null where that is not known. */
  readonly unjudged: { readonly cutoff: number; readonly shares: readonly MaybeNumber[] } | null;
}
