import { hashBytes } from '../../src/core/hash.js';
import type { LineLayout, LineScanner } from '../../src/formats/text/line-scanner.js';
import { resolveOddNumbers, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from '../../src/formats/text/line-scanner.js';

/** Everything a scan yields, as text, to compare scanners by. Texts have one character per byte. */
export interface ScannedText {
  /** Stretches of neighbouring lines of one topic. */
  topics: { topic: string; tag: string; lines: { doc: string; hash: number; number: number; kept: string[] }[] }[];
  /** Record and line numbers of bad lines, from 1. */
  bad: { record: number; line: number }[];
  records: number;
  lines: number;
}

/** The obvious scanner: split into lines, split into fields. Bad lines are stepped over. */
export function scanSlowly(text: string, layout: LineLayout): ScannedText {
  const result: ScannedText = { topics: [], bad: [], records: 0, lines: 0 };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let lastWasComment = false;
  for (const line of lines) {
    result.lines++;
    const fields = line.split(/[ \t\v\f\r]+/).filter((field) => field !== '');
    const isComment: boolean | undefined =
      (layout.comments === 'any' && fields[0]?.startsWith('#')) ||
      (layout.comments === 'single' && line.startsWith('#') && !lastWasComment);
    lastWasComment = isComment === true;
    if (isComment || (fields.length === 0 && !layout.blankIsBad)) continue;
    result.records++;
    if (fields.length < layout.fields || (layout.exact && fields.length > layout.fields)) {
      result.bad.push({ record: result.records, line: result.lines });
      continue;
    }
    const topic = layout.topic === undefined ? '' : fields[layout.topic];
    if (result.topics.at(-1)?.topic !== topic) result.topics.push({ topic, tag: '', lines: [] });
    const current = result.topics[result.topics.length - 1];
    if (layout.tag !== undefined) current.tag = fields[layout.tag];
    const doc = latin1Bytes(fields[layout.doc]);
    current.lines.push({
      doc: fields[layout.doc],
      hash: hashBytes(doc, 0, doc.length),
      number: readNumber(fields[layout.number], layout.integers),
      kept: (layout.kept ?? []).map((field) => fields[field]),
    });
  }
  return result;
}

/** Plain numbers as JavaScript reads them; anything else becomes a negative number that tells its text from others. */
function readNumber(text: string, integers: boolean): number {
  const plain = integers ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
  const value = plain.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return integers ? value + 0 : value;
  let mark = 1;
  for (const character of text) mark = (mark * 31 + character.charCodeAt(0)) % 1_000_003;
  return -1_000_000 - mark;
}

/** Feeds a scanner with a file in chunks of these sizes (repeated as needed), as a reader of a stream would. */
export function scanInChunks(scanner: LineScanner, file: Uint8Array, chunkSizes: readonly number[], layout: LineLayout): ScannedText {
  const result: ScannedText = { topics: [], bad: [], records: 0, lines: 0 };
  let read = 0;
  let end = 0;
  let topicFrom = 0;
  let numChunks = 0;
  let lfAdded = false;
  scanner.startFile();

  const finishTopic = (): void => {
    if (scanner.numLines > 0) {
      resolveOddNumbers(scanner, (bytes, start, stop) => readNumber(latin1Text(bytes.subarray(start, stop)), layout.integers));
      const textOf = (start: number, stop: number): string => latin1Text(scanner.bytes.subarray(start, stop));
      const lines = Array.from({ length: scanner.numLines }, (_, i) => ({
        doc: textOf(scanner.docStart[i], scanner.docEnd[i]),
        hash: scanner.docHash[i],
        number: scanner.numbers[i],
        kept: scanner.keptStart.map((starts, k) => textOf(starts[i], scanner.keptEnd[k][i])),
      }));
      const tag = layout.tag === undefined ? '' : textOf(scanner.tagStart, scanner.tagEnd);
      const topic = layout.topic === undefined ? '' : textOf(scanner.topicStart, scanner.topicEnd);
      result.topics.push({ topic, tag, lines });
    }
    scanner.startTopic();
    topicFrom = scanner.position;
  };

  for (;;) {
    const stop = scanner.scan(end);
    if (stop === SCAN_TOPIC) finishTopic();
    else if (stop === SCAN_FULL) scanner.reserveLines(scanner.numLines + 1);
    else if (stop === SCAN_BAD) {
      result.bad.push({ record: scanner.recordsSeen + 1, line: scanner.linesSeen + 1 });
      scanner.skipLine(end);
    } else if (stop === SCAN_END) {
      if (scanner.numLines === 0) topicFrom = scanner.position;
      end = scanner.discardBefore(topicFrom, end);
      topicFrom = 0;
      if (read < file.length) {
        const chunk = file.subarray(read, read + chunkSizes[numChunks++ % chunkSizes.length]);
        scanner.reserve(end + chunk.length);
        scanner.bytes.set(chunk, end);
        read += chunk.length;
        end += chunk.length;
      } else if (scanner.position < end && !lfAdded) {
        scanner.reserve(end + 1);
        scanner.bytes[end++] = 10;
        lfAdded = true;
      } else break;
    } else throw new Error(`no such stop: ${stop}`);
  }
  finishTopic();
  result.records = scanner.recordsSeen;
  result.lines = scanner.linesSeen;
  return result;
}

export function latin1Bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
