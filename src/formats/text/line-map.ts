/** Which line each row of a file came from. Neighbouring rows nearly always stand on neighbouring lines, or all on the same
 *  one, so only the places where that changes are written down. */
export class LineMap {
  private readonly firstRows: number[] = [];
  private readonly firstLines: number[] = [];
  /** Lines from one row to the next: 1, or 0 if they share a line. */
  private readonly steps: number[] = [];

  /** Says that this row stands on this line, and each further one on the next, up to the next call. Rows come in
   *  ascending order. */
  set(row: number, line: number): void {
    const last = this.firstRows.length - 1;
    if (last >= 0) {
      if (this.lineIn(last, row) === line) return;
      // the second row of a stretch shows whether they share a line
      if (row === this.firstRows[last] + 1 && line === this.firstLines[last]) {
        this.steps[last] = 0;
        return;
      }
    }
    this.firstRows.push(row);
    this.firstLines.push(line);
    this.steps.push(1);
  }

  lineOf(row: number): number {
    let low = 0;
    let high = this.firstRows.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstRows[middle] <= row) low = middle;
      else high = middle;
    }
    return this.lineIn(low, row);
  }

  private lineIn(stretch: number, row: number): number {
    return this.firstLines[stretch] + (row - this.firstRows[stretch]) * this.steps[stretch];
  }
}
