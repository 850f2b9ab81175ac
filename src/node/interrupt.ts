/** A signal that fires when the user presses Ctrl-C, so that work can be brought to a good end. Pressed a second time it ends
 *  the program at once, as it always did. `close` gives Ctrl-C its usual meaning back. */
export interface Interrupt {
  readonly signal: AbortSignal;
  close(): void;
}

/** What a shell reports for a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** @param onFirst Called when it is pressed for the first time. */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const listen = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
    onFirst();
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return {
    signal: controller.signal,
    close() {
      process.off('SIGINT', listen);
      process.off('SIGTERM', listen);
    },
  };
}
