/** The scripts of LETOR and MSLR written down as plainly as possible, to check the fast ones against. */

const patterns: Readonly<Record<string, RegExp>> = {
  letor2: /^(\d+) qid:([^\s]+).*?#docid = ([^\s]+)$/,
  letor3: /^(\d+) qid:([^\s]+).*?#docid = ([^\s]+)$/,
  letor4: /^(\d+) qid:([^\s]+).*?#docid = ([^\s]+) inc = ([^\s]+) prob = ([^\s]+)$/,
  mslr: /^(\d+) qid:([^\s]+)/,
};

export function slowLetorLine(script: string, text: string): { label: string; query: string; document: string } | undefined {
  // where a dot stops at a CR here, it does not in Perl
  const match = new RegExp(patterns[script].source, 's').exec(text);
  return match === null ? undefined : { label: match[1], query: match[2], document: match[3] };
}

interface Values {
  readonly precision: number[];
  readonly averagePrecision: number;
  readonly ndcg: number[];
}

/** Labels from the best rank down. */
export function slowLetorValues(script: string, labels: readonly number[]): Values {
  const cutoff = script === 'letor2' || script === 'letor3' ? 16 : 10;
  const gainOf = (label: number): number => (script === 'mslr' ? [0, 1, 3, 7, 15] : [0, 1, 3])[label] ?? 0;
  const isRelevant = (label: number): boolean => (script === 'mslr' ? label >= 2 && label <= 4 : label === 1 || label === 2);
  const hits = (n: number): number => labels.slice(0, n).filter(isRelevant).length;
  const dcg = (list: readonly number[], n: number): number =>
    list.slice(0, n).reduce((sum, label, i) => sum + gainOf(label) / (i < 2 ? 1 : Math.log2(i + 1)), 0);
  const best = [...labels].sort((a, b) => gainOf(b) - gainOf(a));
  const ndcgAt = (n: number): number => (dcg(best, n) === 0 ? 0 : dcg(labels, n) / dcg(best, n));
  const positions = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

  const short = Math.min(cutoff, labels.length);
  const relevantRanks = positions(labels.length).filter((rank) => isRelevant(labels[rank - 1]));
  return {
    precision: positions(script === 'letor2' || script === 'letor3' ? short : cutoff).map((n) => hits(n) / n),
    averagePrecision: relevantRanks.reduce((sum, rank) => sum + hits(rank) / rank, 0) / Math.max(1, relevantRanks.length),
    ndcg: positions(script === 'letor3' ? short : cutoff).map((n) => (n > labels.length && script !== 'letor2' ? 0 : ndcgAt(n))),
  };
}
