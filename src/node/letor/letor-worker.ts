import { systemReason } from '../terminal.js';
import { giveUp, isTurnOf, type NumberedParts, PartParser, type PartTask, partControl, placePart } from './letor-file-parts.js';

/** What a helping thread hands back. */
export interface PartAnswer {
  readonly parts: NumberedParts;
  /** Why the file could not be read. */
  readonly failure: string | undefined;
}

/** What a team of threads calls: reads parts until all are taken. */
export function work(task: PartTask): PartAnswer {
  const control = partControl(task.control);
  const parts: NumberedParts = [];
  try {
    const parser = new PartParser(task.source, task.options);
    control.parts.takeEach((part) => {
      const lines = parser.parse(part);
      while (!isTurnOf(part, control));
      parts.push([part, placePart(part, lines, task, control)]);
    });
    return { parts, failure: undefined };
  } catch (error) {
    giveUp(control);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return { parts: [], failure: systemReason(error) };
  }
}
