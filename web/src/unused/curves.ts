/** Stands in the place of Observable Plot's curves: the lines of the charts go straight from point to point. */
interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

class StraightLine {
  private readonly path: Path;
  private numPoints = 0;
  /** Along which edge of an area it goes: there or back. */
  private edge: 'none' | 'first' | 'second' = 'none';

  constructor(path: Path) {
    this.path = path;
  }

  areaStart(): void {
    this.edge = 'first';
  }

  areaEnd(): void {
    this.edge = 'none';
  }

  lineStart(): void {
    this.numPoints = 0;
  }

  point(x: number, y: number): void {
    // the way back begins where the way there ended
    if (this.numPoints++ === 0 && this.edge !== 'second') this.path.moveTo(x, y);
    else this.path.lineTo(x, y);
  }

  /** A line of one point is drawn only if its path is closed, and an area when both of its edges are. */
  lineEnd(): void {
    if (this.edge === 'second' || (this.edge === 'none' && this.numPoints === 1)) this.path.closePath();
    if (this.edge !== 'none') this.edge = this.edge === 'first' ? 'second' : 'first';
  }
}

export function curveAuto(path: Path): StraightLine {
  return new StraightLine(path);
}

function onlyCurve(): typeof curveAuto {
  return curveAuto;
}

export { onlyCurve as maybeCurve, onlyCurve as maybeCurveAuto };
