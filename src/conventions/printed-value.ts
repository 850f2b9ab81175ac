import { formatFixed } from '../core/numbers/print.js';
import type { PrintedRule } from './convention.js';

/** A value as a tool prints it: with its number of decimals and its way with halves, or in full. */
export function printedValue(value: number, rule: PrintedRule | undefined): string {
  if (rule === undefined) return String(value);
  if (rule.halves === 'even') return formatFixed(value, rule.decimals);
  const scale = 10 ** rule.decimals;
  // a mean of decimal numbers that has few decimals itself is not quite that in binary
  if (rule.halves === 'all-up') return String(Math.ceil(value * scale - 1e-7) / scale);
  return String(Math.floor(value * scale + 0.5) / scale);
}
