import type { LimitName } from '../../src/core/limits.js';

/** A way to try a limit: something that holds as much of it as is asked for. */
export interface LimitCase {
  /** Which reader or command is tried. */
  readonly name: string;
  /** The limit for the test, where the true one would take too long. */
  readonly lowered?: number | undefined;
  /** Takes this much in; to be refused with an `InputError` where it is more than the limit. */
  use(amount: number): unknown;
}

export type LimitCases = Partial<Record<LimitName, readonly LimitCase[]>>;
