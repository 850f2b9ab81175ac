import { InputError, type Problem } from '../../core/problem.js';

/** Reads a number for each topic: lines of a topic and a whole number from 1, parted by blanks. Blank lines and lines that begin with
 *  `#` are left out. */
export function parseTopicCounts(text: string, source: string): Map<string, number> {
  const counts = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const fields = line.trim().split(/\s+/);
    if (fields[0] === '' || fields[0].startsWith('#')) continue;
    const [topic, number] = fields;
    const count = Number(number);
    if (fields.length !== 2)
      problems.push({ source, line: i + 1, message: `expected a topic and a number, found ${fields.length} fields` });
    else if (!Number.isSafeInteger(count) || count < 1)
      problems.push({ source, line: i + 1, message: `expected a whole number from 1, found ${number}` });
    else if (counts.has(topic))
      problems.push({ source, line: i + 1, message: `topic ${topic} has a number already`, wayOut: 'keep one line per topic' });
    else counts.set(topic, count);
  }
  if (problems.length > 0) throw new InputError(problems);
  if (counts.size === 0) throw new InputError({ source, message: 'holds no lines', wayOut: 'expected lines of a topic and a number' });
  return counts;
}
