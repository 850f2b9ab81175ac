import { JOB } from './job-control.js';
import type { TreeThread } from './tree-thread.js';

/** How often a thread looks before it goes to sleep: about as long as waking up would take. */
const LOOKS = 20_000;
/** Milliseconds that it sleeps before it asks whether the others are still there. */
const PATIENCE = 500;

/** Divides jobs among threads that share the memory in which trees are grown. Which thread takes which part is left to chance;
 *  parts write to places of their own, and what they compute does not depend on who computes it. */
export class JobRunner {
  private readonly thread: TreeThread;
  private readonly helpers: number;
  private readonly check: () => void;

  /** @param helpers  threads besides this one, each of which is to call `helpWithJobs`
   *  @param check    throws if one of them has died: it would be waited for without end */
  constructor(thread: TreeThread, helpers: number, check: () => void = () => undefined) {
    this.thread = thread;
    this.helpers = helpers;
    this.check = check;
  }

  /** Performs all parts of a job. `isSmall`: calling others would take longer than the work. */
  run(job: number, numParts: number, isSmall = false): void {
    const { thread } = this;
    if (this.helpers === 0 || isSmall) {
      for (let part = 0; part < numParts; part++) thread.perform(job, part);
      return;
    }
    const { parts, runner } = thread.control;
    runner.job.value = job;
    parts.offer(numParts);
    this.call();
    parts.takeEach((part) => thread.perform(job, part));
    // whoever has not come in by now finds the door shut; the others are waited for
    runner.open.store(0);
    for (let looks = 0; ; looks++) {
      const active = runner.active.load();
      if (active === 0) break;
      if (looks > LOOKS && !runner.active.waitWhile(active, PATIENCE)) this.check();
    }
    if (parts.isStopped) throw new Error('a helping thread failed');
  }

  /** Sends the helpers home. */
  dismiss(): void {
    if (this.helpers === 0) return;
    this.thread.control.runner.job.value = JOB.end;
    this.call();
  }

  private call(): void {
    const { open, epoch } = this.thread.control.runner;
    open.store(1);
    epoch.add(1);
    epoch.notify();
  }
}

/** What a helping thread does until it is sent home. */
export function helpWithJobs(thread: TreeThread): void {
  const { parts, runner } = thread.control;
  const { epoch, active, open } = runner;
  for (let seen = 0; ; ) {
    for (let looks = 0; epoch.load() === seen; looks++) if (looks > LOOKS) epoch.waitWhile(seen);
    seen = epoch.load();
    active.add(1);
    let isDismissed = false;
    try {
      if (open.load() === 1) {
        const job = runner.job.value;
        isDismissed = job === JOB.end;
        if (!isDismissed) parts.takeEach((part) => thread.perform(job, part));
      }
    } finally {
      active.add(-1);
      active.notify();
    }
    if (isDismissed) return;
  }
}
