import {
  giveUp,
  isTurnOf,
  NEXT_SEGMENT,
  type NumberedParts,
  numSegments,
  placeSegment,
  SegmentParser,
  type SegmentTask,
} from './letor-file-parts.js';
import { systemReason } from './terminal.js';

/** What a helping thread hands back. */
export interface SegmentAnswer {
  readonly parts: NumberedParts;
  /** Why the file could not be read. */
  readonly failure: string | undefined;
}

/** What a team of threads calls: reads segments until all are taken. */
export function work(task: SegmentTask): SegmentAnswer {
  const parts: NumberedParts = [];
  try {
    const parser = new SegmentParser(task.source, task.options);
    const end = numSegments(task.source);
    for (;;) {
      const segment = Atomics.add(task.control, NEXT_SEGMENT, 1);
      if (segment >= end) return { parts, failure: undefined };
      const lines = parser.parse(segment);
      while (!isTurnOf(segment, task, Number.POSITIVE_INFINITY));
      parts.push([segment, placeSegment(segment, lines, task)]);
    }
  } catch (error) {
    giveUp(task);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return { parts: [], failure: systemReason(error) };
  }
}
