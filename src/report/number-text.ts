import { formatFixed, formatG } from '../core/numbers/print.js';

/** `[0.1, 0.2]` */
export function intervalText({ low, high }: { readonly low: number; readonly high: number }, digits: number): string {
  return `[${signed(low, digits)}, ${signed(high, digits)}]`;
}

/** A rounded number, without a minus before what rounds to 0. */
export function signed(value: number, digits: number): string {
  return formatFixed(value, digits).replace(/^-(0(\.0*)?)$/, '$1');
}

/** `<0.0001` for what is smaller than the decimals show; a share of resamples that is 0 is smaller than one resample. */
export function pText(p: number, digits: number, resamples: number | null): string {
  if (p === 0 && resamples !== null) return `<${formatG(1 / resamples, 3)}`;
  const smallest = 10 ** -digits;
  return p < smallest ? `<${formatFixed(smallest, digits)}` : formatFixed(p, digits);
}
