/** Quepid's export for learning to rank, which has no features: its lines are judgements. */
import { checkWholeFile } from '../../core/limits.js';
import { namingSource } from '../../core/problem.js';
import { type ByteParts, type QrelsReading, type ReadOptions, sourceOf } from '../reader.js';
import { qrelsOf, type Rating, ReadingContext } from './collect.js';

/** Reads lines of rating, qid:topic, # document and query. */
export async function readQuepidLines(file: ByteParts, options: ReadOptions): Promise<QrelsReading> {
  checkWholeFile(sourceOf(options), file.byteLength);
  const text = new TextDecoder().decode(await file.slice(0));
  const context = new ReadingContext(options);
  return namingSource(sourceOf(options), () => qrelsOf(ratingsIn(text, context), context));
}

function* ratingsIn(text: string, context: ReadingContext): Generator<Rating> {
  let line = 0;
  for (const row of text.split('\n')) {
    line++;
    const trimmed = row.trim();
    if (trimmed === '') continue;
    const [rating, id, ...rest] = trimmed.split(/\s+/);
    const wayOut = 'lines are: rating qid:ID # DOCUMENT QUERY; --lenient skips others';
    const grade =
      context.grades.numberFor(rating ?? '') ?? (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(rating) ? Number(rating) : Number.NaN);
    const behind = rest.join(' ');
    const doc = /^#\s*(\S+)/.exec(behind)?.[1];
    if (!/^qid:\S/.test(id ?? ''))
      context.bad('missing field', line, `expected qid: and an id after the rating, found ${JSON.stringify(id ?? '')}`, wayOut);
    else if (!Number.isFinite(grade)) {
      context.bad('not a number', line, `the rating is ${JSON.stringify(rating)}, expected a number`, context.grades.missing(rating, line));
    } else if (doc === undefined)
      context.bad('missing field', line, `expected # and a document id, found ${JSON.stringify(behind)}`, wayOut);
    else yield { topic: id.slice(4), line, doc, grade };
  }
}
