/** The highest rank: up to here negated ranks are exact in 32 bits too, in which some conventions compare scores. */
export const MAX_RANK: number = 1 << 24;

/** Whether a number can be a rank: 0, 1, 2 … Some tools count from 0. */
export function isRank(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_RANK;
}

/** What is expected where something else was found. */
export const RANK_WORDS: string = `a whole number from 0 to ${MAX_RANK} as rank`;

/** The score that stands for a rank: the better the rank, the higher it is. Rank 0 must not become a negative zero. */
export function scoreOfRank(rank: number): number {
  return 0 - rank;
}

/** Watches whether scores fall as the ranks stated beside them rise, row after row. Where they rise together, either the score is
 *  a distance or a loss, or the rank is meant; both make the order of the documents the reverse of what somebody meant. */
export class OrderWitness {
  private topic = -1;
  private rank = 0;
  private score = 0;
  private rising = 0;
  private falling = 0;

  see(topic: number, rank: number, score: number): void {
    if (topic === this.topic && rank !== this.rank && score !== this.score) {
      // a rank that is no number compares as neither
      if (rank > this.rank === score > this.score) this.rising++;
      else this.falling++;
    }
    this.topic = topic;
    this.rank = rank;
    this.score = score;
  }

  /** @param wayOut How to rank by the ranks instead. */
  notes(wayOut: string): readonly string[] | undefined {
    const { rising, falling } = this;
    if (rising <= falling) return undefined;
    const share = `${rising} of ${rising + falling} neighbours`;
    return [
      `scores rise with the ranks stated beside them (${share}), and the highest score comes first; if a smaller one is better, ${wayOut}`,
    ];
  }
}

/** How to rank by the ranks of a table, which is also read where there is no command line.
 *  @param column What they are called there. */
export function withoutScores(column: string): string {
  return `leave the scores out of the file, or give --columns rank=${column} on the command line`;
}

/** A row of a topic that has the same score as one before it, both numbers given by their places among the rows; undefined if all
 *  are different. */
export function repeatedScore(scores: Float64Array, start: number, end: number): { first: number; second: number } | undefined {
  let descending = true;
  for (let row = start + 1; row < end && descending; row++) descending = scores[row] < scores[row - 1];
  if (descending) return undefined;
  const seen = new Map<number, number>();
  for (let row = start; row < end; row++) {
    const first = seen.get(scores[row]);
    if (first !== undefined) return { first, second: row };
    seen.set(scores[row], row);
  }
  return undefined;
}
