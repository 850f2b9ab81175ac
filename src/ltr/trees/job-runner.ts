import { ACTIVE, CURRENT_JOB, EPOCH, FAILED, JOB, NEXT_UNIT, NUM_UNITS, OPEN } from './jobs.js';
import type { Workbench } from './tree-thread.js';

/** How often a thread looks before it goes to sleep: about as long as waking up would take. */
const LOOKS = 20_000;
/** Milliseconds that it sleeps before it asks whether the others are still there. */
const PATIENCE = 500;

/** Divides jobs among threads that share the memory of the workbench. Which thread takes which unit is left to chance;
 *  units write to places of their own, and what they compute does not depend on who computes it. */
export class Crew {
  private readonly bench: Workbench;
  private readonly helpers: number;
  private readonly check: () => void;

  /** @param helpers  threads besides this one, each of which is to call `help`
   *  @param check    throws if one of them has died: it would be waited for without end */
  constructor(bench: Workbench, helpers: number, check: () => void = () => undefined) {
    this.bench = bench;
    this.helpers = helpers;
    this.check = check;
  }

  /** Performs all units of a job. `isSmall`: calling others would take longer than the work. */
  run(job: number, numUnits: number, isSmall = false): void {
    const { bench } = this;
    const { control } = bench;
    if (this.helpers === 0 || isSmall) {
      for (let unit = 0; unit < numUnits; unit++) bench.perform(job, unit);
      return;
    }
    control[CURRENT_JOB] = job;
    control[NUM_UNITS] = numUnits;
    Atomics.store(control, NEXT_UNIT, 0);
    Atomics.store(control, OPEN, 1);
    Atomics.add(control, EPOCH, 1);
    Atomics.notify(control, EPOCH);
    takeUnits(bench);
    // whoever has not come in by now finds the door shut; the others are waited for
    Atomics.store(control, OPEN, 0);
    for (let looks = 0; ; looks++) {
      const active = Atomics.load(control, ACTIVE);
      if (active === 0) break;
      if (looks > LOOKS && Atomics.wait(control, ACTIVE, active, PATIENCE) === 'timed-out') this.check();
    }
    if (Atomics.load(control, FAILED) !== 0) throw new Error('a helping thread failed');
  }

  /** Sends the helpers home. */
  dismiss(): void {
    if (this.helpers === 0) return;
    const { control } = this.bench;
    control[CURRENT_JOB] = JOB.end;
    Atomics.store(control, OPEN, 1);
    Atomics.add(control, EPOCH, 1);
    Atomics.notify(control, EPOCH);
  }
}

function takeUnits(bench: Workbench): void {
  const { control } = bench;
  const job = control[CURRENT_JOB];
  const numUnits = control[NUM_UNITS];
  for (let unit = Atomics.add(control, NEXT_UNIT, 1); unit < numUnits; unit = Atomics.add(control, NEXT_UNIT, 1)) bench.perform(job, unit);
}

/** What a helping thread does until it is sent home. */
export function help(bench: Workbench): void {
  const { control } = bench;
  for (let seen = 0; ; ) {
    for (let looks = 0; Atomics.load(control, EPOCH) === seen; looks++) if (looks > LOOKS) Atomics.wait(control, EPOCH, seen);
    seen = Atomics.load(control, EPOCH);
    Atomics.add(control, ACTIVE, 1);
    let isDismissed = false;
    try {
      if (Atomics.load(control, OPEN) === 1) {
        isDismissed = control[CURRENT_JOB] === JOB.end;
        if (!isDismissed) takeUnits(bench);
      }
    } catch (error) {
      Atomics.store(control, FAILED, 1);
      throw error;
    } finally {
      Atomics.sub(control, ACTIVE, 1);
      Atomics.notify(control, ACTIVE);
    }
    if (isDismissed) return;
  }
}
