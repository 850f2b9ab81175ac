import { escapeUnprintable } from './problem.js';

/** JSON that can be shown on a terminal: what a terminal acts upon is written as `\u009b`, which reads back as the same text. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeUnprintable(JSON.stringify(value, undefined, indent), 'json');
}
