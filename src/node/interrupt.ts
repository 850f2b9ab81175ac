import { type EndingSignal, endBySignal, endingSignals, statusOf } from './cleanup.js';

/** A signal that fires when the user presses Ctrl-C, or asks the program to end in another way, so that work can be brought to
 *  a good end. Asked a second time the program ends at once. `close` gives Ctrl-C its usual meaning back. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** What a shell reports for a program that was ended so; 0 while nobody asked. */
  readonly status: number;
  close(): void;
}

/** Lets long work end in its own time at the first Ctrl-C, and at once at the second.
 *  @param onFirst Called when it is asked for the first time. */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  let status = 0;
  const listen = (name: NodeJS.Signals): void => {
    const signal = name as EndingSignal;
    if (controller.signal.aborted) endBySignal(signal);
    status = statusOf(signal);
    controller.abort();
    try {
      onFirst();
    } catch {
      // a terminal that went away cannot be told, and the work is to be saved all the same
    }
  };
  for (const signal of endingSignals) process.on(signal, listen);
  return {
    signal: controller.signal,
    get status() {
      return status;
    },
    close() {
      for (const signal of endingSignals) process.off(signal, listen);
    },
  };
}

/** Lets Ctrl-C pass, for a program that another one started and ends. */
export function ignoreInterrupts(): void {
  process.on('SIGINT', () => undefined);
}
