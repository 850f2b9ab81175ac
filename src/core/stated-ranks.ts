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
  /** By how many neighbours the rising ones of each topic outnumber the falling ones; none where nothing can be compared. */
  private readonly balances: number[] = [];

  see(topic: number, rank: number, score: number): void {
    if (topic === this.topic && rank !== this.rank && score !== this.score) {
      // a rank that is no number compares as neither
      const rises = rank > this.rank === score > this.score;
      if (rises) this.rising++;
      else this.falling++;
      this.balances[topic] = (this.balances[topic] ?? 0) + (rises ? 1 : -1);
    }
    this.topic = topic;
    this.rank = rank;
    this.score = score;
  }

  /** In how many topics ranks and scores contradict each other, if that is in at least half of those that can tell. */
  contradicted(): number | undefined {
    const told = this.balances.filter((balance) => balance !== 0);
    const contradicting = told.filter((balance) => balance > 0).length;
    return contradicting > 0 && contradicting * 2 >= told.length ? contradicting : undefined;
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

/** Refuses the scores of a table that contradict its ranks: one of them is meant otherwise, and nothing tells which.
 *  @param numTopics How many topics the table has.
 *  @param choices What `--columns` takes to choose one of them. */
export function contradiction(
  witness: OrderWitness,
  numTopics: number,
  choices: { readonly rank: string; readonly score: string },
): { readonly message: string; readonly wayOut: string } | undefined {
  const contradicting = witness.contradicted();
  if (contradicting === undefined) return undefined;
  return {
    message: `rank and score disagree in ${contradicting} of ${numTopics} topics`,
    wayOut: `is a smaller score better? leave the scores out of the file, or give --columns ${choices.rank}; --columns ${choices.score} keeps the order of the scores`,
  };
}

/** How to rank by the ranks of a table, which is also read where there is no command line.
 *  @param choice What `--columns` takes to choose them. */
export function withoutScores(choice: string): string {
  return `leave the scores out of the file, or give --columns ${choice} on the command line`;
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
