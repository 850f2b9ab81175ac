/** Which line each row of a file came from. Neighbouring rows nearly always stand on neighbouring lines, so only the
 *  places where they do not are written down. */
export class LineMap {
  private readonly firstRows: number[] = [];
  private readonly firstLines: number[] = [];
  /** What `line - row` is since the last such place. */
  private shift = Number.NaN;

  /** Says that from this row on lines are consecutive, beginning with this one. Rows are told in ascending order. */
  set(row: number, line: number): void {
    if (line - row === this.shift) return;
    this.shift = line - row;
    this.firstRows.push(row);
    this.firstLines.push(line);
  }

  lineOf(row: number): number {
    let low = 0;
    let high = this.firstRows.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstRows[middle] <= row) low = middle;
      else high = middle;
    }
    return this.firstLines[low] + row - this.firstRows[low];
  }
}
