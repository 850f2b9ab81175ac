/** Values as places on an axis, in percent of its length, so that a drawing fits any width. */
export interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

const MOST_TICKS = 6;

/** An axis over some values with a little air at both ends, and ticks at round numbers. */
export function scaleOf(values: readonly number[], most: number = MOST_TICKS): Scale {
  const known = values.filter(Number.isFinite);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const air = (high - low) * 0.04 || Math.abs(high) * 0.1 || 0.1;
  const [from, to] = known.length === 0 ? [0, 1] : [low - air, high + air];
  return { ticks: roundNumbers(from, to, most), place: (value) => (100 * (value - from)) / (to - from) };
}

/** Round numbers between two others, as many as can be read. */
export function roundNumbers(from: number, to: number, most: number = MOST_TICKS): number[] {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** `−0.1`, `0`, `+0.1` on an axis of differences, without the sign of plus on one of values. */
export function tickText(value: number, signed = false): string {
  const text = String(Math.abs(value));
  return value < 0 ? `−${text}` : signed && value > 0 ? `+${text}` : text;
}

/** A whole percentage. */
export function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** Values on a strip as cells of one colour, the stronger the better; one element however many topics there are. */
export function stripOf(values: ArrayLike<number>, best: number): string {
  const n = values.length;
  const stops = Array.from({ length: n }, (_, t) => {
    const share = Math.max(0, Math.min(1, best === 0 ? 0 : values[t] / best));
    const gap = n <= 60 ? 0.12 : 0;
    const at = (place: number): string => `${((100 * place) / n).toFixed(3)}%`;
    const colour = `color-mix(in srgb, var(--gradus-cell) ${Math.round(8 + 92 * share)}%, var(--sheet))`;
    return `${colour} ${at(t)} ${at(t + 1 - gap)}${gap === 0 ? '' : `, var(--sheet) ${at(t + 1 - gap)} ${at(t + 1)}`}`;
  });
  return n === 0 ? 'none' : `linear-gradient(90deg, ${stops.join(', ')})`;
}
