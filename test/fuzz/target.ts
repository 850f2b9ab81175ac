import type { Dice } from '../helpers/dice.js';

/** One thing that is fuzzed: what to feed it, and what must hold whatever it is fed. */
export interface FuzzTarget {
  readonly name: string;
  /** One line for `--list`: what is read and what it is compared with. */
  readonly summary: string;
  /** How many cases of a fixed seed belong to `npm test`. */
  readonly cases: number;
  /** What the format's own words are; mutations put them anywhere. */
  readonly words: readonly string[];
  /** Small valid inputs to start from. */
  seeds(): readonly Uint8Array[];
  /** A document that follows the grammar, more or less, with hostile content. */
  generate?(dice: Dice): Uint8Array;
  /** Throws if anything is wrong. What it chooses at random depends on the input alone, so that a file repeats what happened.
   *  @returns What kind of outcome this was; inputs with a new kind of outcome are kept to start from. */
  check(input: Uint8Array, dice: Dice): string | Promise<string>;
}

/** Two ways to the same answer gave different ones, or an answer broke a rule. */
export class Disagreement extends Error {
  constructor(what: string, details = '') {
    super(details === '' ? what : `${what}\n${details}`);
    this.name = 'Disagreement';
  }
}

/** What went wrong with an input. */
export interface Finding {
  readonly target: string;
  readonly seed: number;
  readonly caseNumber: number;
  /** Findings of one kind are reported once. */
  readonly kind: string;
  readonly details: string;
  /** The input, made as small as it could be. */
  readonly input: Uint8Array;
  /** Whether it could be due to what came before, and has to be tried again by itself. */
  readonly isUnsure?: boolean;
}

/** What the loop over cases tells while it runs, and when it is done. */
export interface Progress {
  readonly numCases: number;
  readonly numKinds: number;
  readonly numRepeated: number;
  /** Seconds of processor time. */
  readonly work: number;
}
