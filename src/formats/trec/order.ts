import { OrderWitness } from '../../core/stated-ranks.js';
import { readText } from '../../core/text.js';
import { headOf } from '../head.js';

/** Bytes at the start of a run that are looked at: some hundred lines, so that it takes no time beside a file of any size. */
export const ORDER_HEAD: number = 1 << 14;

/** What there is to say about ranks and scores at the beginning of a TREC run. The rank column counts for nothing there; but where
 *  scores rise along with it, they are hardly scores. */
export function trecOrderNotes(start: Uint8Array): readonly string[] | undefined {
  const lines = readText(start, 0, Math.min(start.length, ORDER_HEAD)).split('\n');
  // the last line may be cut
  if (start.length >= ORDER_HEAD) lines.pop();
  const witness = new OrderWitness();
  const topics = new Map<string, number>();
  for (const line of lines) {
    const [topic, , , rank, score, ...others] = line.trim().split(/[ \t\v\f\r]+/);
    if (others.length !== 1 || topic.startsWith('#')) continue;
    if (!topics.has(topic)) topics.set(topic, topics.size);
    witness.see(topics.get(topic) ?? 0, Number(rank), Number(score));
  }
  return witness.notes('negate the scores');
}

/** The topic of the first line that holds something. */
export function firstTrecTopic(start: Uint8Array): string | undefined {
  return headOf(start).fields[0] || undefined;
}

/** Keeps the beginning of a file that comes in pieces. */
export class OrderHead {
  private bytes: Uint8Array = new Uint8Array(0);

  push(chunk: Uint8Array): void {
    const missing = ORDER_HEAD - this.bytes.length;
    if (missing <= 0 || chunk.length === 0) return;
    const joined = new Uint8Array(Math.min(ORDER_HEAD, this.bytes.length + chunk.length));
    joined.set(this.bytes);
    joined.set(chunk.subarray(0, missing), this.bytes.length);
    this.bytes = joined;
  }

  notes(): readonly string[] | undefined {
    return trecOrderNotes(this.bytes);
  }
}
