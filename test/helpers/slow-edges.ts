/** The obvious way to `findEdges`: lists of the different values and of how often each occurs. */
export function slowEdges(sorted: readonly number[], maxValueBins: number): number[] {
  const runs: { value: number; count: number }[] = [];
  for (const value of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && last.value === value) last.count++;
    else runs.push({ value, count: 1 });
  }
  const edges: number[] = [];
  const endBetween = (i: number): void => {
    const middle = runs[i].value / 2 + runs[i + 1].value / 2;
    edges.push(middle >= runs[i].value && middle < runs[i + 1].value ? middle : runs[i].value);
  };
  if (runs.length <= maxValueBins) {
    for (let i = 0; i + 1 < runs.length; i++) endBetween(i);
    return edges;
  }
  const frequent = runs.map(({ count }) => count >= sorted.length / maxValueBins);
  let binsLeft = maxValueBins - frequent.filter(Boolean).length;
  let rowsLeft = sorted.length - runs.reduce((sum, { count }, i) => sum + (frequent[i] ? count : 0), 0);
  let inBin = 0;
  for (let i = 0; i + 1 < runs.length && edges.length < maxValueBins - 1; i++) {
    inBin += runs[i].count;
    const target = rowsLeft / Math.max(1, binsLeft);
    const isFull = inBin >= target || (frequent[i + 1] && inBin >= target / 2);
    if (!frequent[i] && !isFull) continue;
    endBetween(i);
    if (!frequent[i]) {
      binsLeft--;
      rowsLeft -= inBin;
    }
    inBin = 0;
  }
  return edges;
}
