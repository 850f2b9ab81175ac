import { isTurnOf, type NumberedParts, placePart } from './letor-file-parts.js';
import type { PartAnswer } from './letor-worker.js';
import { StreamedParts, type StreamedTextTask, TextParser } from './streamed-parts.js';

/** What a team of threads calls: reads parts of a text until no more come. */
export function work(task: StreamedTextTask): PartAnswer {
  const shared = new StreamedParts(task);
  const { news, isEnded } = shared.control;
  const parts: NumberedParts = [];
  try {
    const parser = new TextParser(task.options);
    for (;;) {
      const seen = news.load();
      const part = shared.take();
      if (part < 0) {
        if (isEnded.load() === 1) return { parts, failure: undefined };
        news.waitWhile(seen);
        continue;
      }
      const lines = shared.moveTo(part, parser);
      while (!isTurnOf(part, shared.control));
      parts.push([part, placePart(part, lines, task, shared.control)]);
    }
  } catch (error) {
    shared.giveUp();
    throw error;
  }
}
