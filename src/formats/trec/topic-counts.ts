import { InputError, type Problem } from '../../core/problem.js';

/** A line that says something about a topic, and what it says. */
interface TopicLine {
  readonly topic: string;
  readonly words: string;
  readonly line: number;
}

/** Lines about topics. Blank lines and lines that begin with `#` are left out.
 *  @param apart Where the topic ends. */
function topicLines(text: string, apart: RegExp): TopicLine[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return lines.flatMap((whole, i): TopicLine[] => {
    const found = whole.trim();
    if (found === '' || found.startsWith('#')) return [];
    const at = apart.exec(found);
    return [{ topic: at === null ? found : found.slice(0, at.index), words: at === null ? '' : found.slice(at.index).trim(), line: i + 1 }];
  });
}

/** What each topic has, once.
 *  @param read What the words behind a topic say, or what is wrong with them. */
function valuesOfTopics<Value>(
  lines: readonly TopicLine[],
  source: string,
  read: (words: string) => { readonly value: Value } | { readonly message: string },
  expected: string,
): Map<string, Value> {
  const values = new Map<string, Value>();
  const problems: Problem[] = [];
  for (const { topic, words, line } of lines) {
    const found = read(words);
    if ('message' in found) problems.push({ source, line, message: found.message });
    else if (values.has(topic))
      problems.push({ source, line, message: `topic ${topic} has a number already`, wayOut: 'keep one line per topic' });
    else values.set(topic, found.value);
  }
  if (problems.length > 0) throw new InputError(problems);
  if (values.size === 0) throw new InputError({ source, message: 'holds no lines', wayOut: `expected lines of ${expected}` });
  return values;
}

/** Reads a number for each topic: lines of a topic and a whole number from 1, parted by blanks. */
export function parseTopicCounts(text: string, source: string): Map<string, number> {
  const read = (words: string): { value: number } | { message: string } => {
    const fields = words === '' ? 1 : words.split(/\s+/).length + 1;
    if (fields !== 2) return { message: `expected a topic and a number, found ${fields} fields` };
    const value = Number(words);
    return Number.isSafeInteger(value) && value >= 1 ? { value } : { message: `expected a whole number from 1, found ${words}` };
  };
  return valuesOfTopics(topicLines(text, /\s+/), source, read, 'a topic and a number');
}

/** Reads what topics weigh: lines of a topic and a number from 0. The last word of a line is the number, so that topics may have blanks. */
export function parseTopicWeights(text: string, source: string): Map<string, number> {
  const read = (words: string): { value: number } | { message: string } => {
    const value = Number(words);
    if (words !== '' && value >= 0 && Number.isFinite(value)) return { value };
    return { message: `expected a topic and its weight, a number from 0, found ${words === '' ? 'a topic alone' : words}` };
  };
  return valuesOfTopics(topicLines(text, /\s+\S+$/), source, read, 'a topic and its weight');
}

/** Reads which topics are guarded: a topic on each line, and behind a tab the value that it must reach, if it may fall down to that. */
export function parseGuardedTopics(text: string, source: string): Map<string, number | null> {
  const read = (words: string): { value: number | null } | { message: string } => {
    if (words === '') return { value: null };
    const value = Number(words);
    return Number.isFinite(value) ? { value } : { message: `expected a number behind the tab, found ${words}` };
  };
  return valuesOfTopics(topicLines(text, /\s*\t\s*/), source, read, 'topics');
}
