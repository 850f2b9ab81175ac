/** Counts numbers that agree with recorded ones, and keeps a line for each that does not. */
export class Tally {
  agreed = 0;
  total = 0;
  disagreements = [];
  remarks = [];
  place = '';

  /** A number within a tolerance. What has no value is recorded as null, as a text that begins with "error", or as NaN. */
  near(what, found, expected, tolerance = 1e-8) {
    if (isMissing(expected)) return this.same(what, found ?? null, null);
    this.count(typeof found === 'number' && Math.abs(found - expected) <= tolerance, what, found, expected);
  }

  /** Numbers in the same order. */
  nearAll(what, found, expected, tolerance) {
    if (found === undefined || found === null || found.length !== expected.length) return this.count(false, what, found, expected);
    for (const [i, value] of expected.entries()) this.near(`${what}[${i}]`, found[i], value, tolerance);
  }

  /** The same text, number or list. */
  same(what, found, expected) {
    this.count(JSON.stringify(found ?? null) === JSON.stringify(expected ?? null), what, found, expected);
  }

  holds(what, is, found) {
    this.count(is, what, found, 'something else');
  }

  count(is, what, found, expected) {
    this.total++;
    if (is) this.agreed++;
    else this.disagreements.push(`${this.place}: ${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

export function isMissing(expected) {
  return (
    expected === null || expected === undefined || (typeof expected === 'string' && expected.startsWith('error')) || Number.isNaN(expected)
  );
}

/** The value of a function, or null if it refuses the input. */
export function orNull(compute) {
  try {
    return compute();
  } catch (error) {
    if (error?.name === 'InputError') return null;
    throw error;
  }
}
