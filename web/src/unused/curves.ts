/** Stands in the place of Observable Plot's curves: the lines of the charts go straight from point to point. */
interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

class StraightLine {
  private readonly path: Path;
  private numPoints = 0;

  constructor(path: Path) {
    this.path = path;
  }

  lineStart(): void {
    this.numPoints = 0;
  }

  point(x: number, y: number): void {
    if (this.numPoints++ === 0) this.path.moveTo(x, y);
    else this.path.lineTo(x, y);
  }

  /** A line of one point is drawn only if its path is closed. */
  lineEnd(): void {
    if (this.numPoints === 1) this.path.closePath();
  }
}

export function curveAuto(path: Path): StraightLine {
  return new StraightLine(path);
}

function onlyCurve(): typeof curveAuto {
  return curveAuto;
}

export { onlyCurve as maybeCurve, onlyCurve as maybeCurveAuto };
