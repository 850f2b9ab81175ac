/** How long a learner may work before it lets others in: a page stays alive, and an interrupt is heard. */
const STRETCH_MS = 40;

/** Gives way to timers, input and messages now and then. */
export class Pause {
  private workedSince: number = performance.now();

  /** Call it between small pieces of work; it waits only if there has been enough of it. */
  async ifDue(): Promise<void> {
    if (performance.now() - this.workedSince < STRETCH_MS) return;
    await new Promise<void>((resume) => {
      setTimeout(resume, 0);
    });
    this.workedSince = performance.now();
  }
}
