/** The name that was probably meant: the one that differs least from what was written, if it differs by little. Capitals do
 *  not count. */
export function closest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  // one slip in a short name, one more for every three letters beyond
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1;
  const written = name.toLowerCase();
  for (const candidate of names) {
    const known = candidate.toLowerCase();
    // as many letters are added or removed at least, so that a name of any length is compared with those of about its own length only
    if (Math.abs(written.length - known.length) >= Math.min(fewest, candidate.length)) continue;
    const edits = editDistance(written, known);
    if (edits < fewest && edits < candidate.length) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

/** How many letters must be added, removed, changed or swapped with their neighbour to get from one text to the other. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforePrevious[j - 2] + 1);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length];
}
