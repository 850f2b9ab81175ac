// From numbers to verdicts, by the rules that reproductions/claims.json registered. This file and the registry were finished on made-up
// data; reproductions/verdicts.sha256 holds the hash of both, and a test insists on it. Nothing here reads data, and nothing outside the
// registry gets a verdict.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { seededRandom } from '../../dist/core/numbers/random.js';
import { bootstrapInterval, correctPValues, pairedTTest, randomizationTest } from '../../dist/stats/index.js';

const registryFile = new URL('../claims.json', import.meta.url);

/** The registry, as it was written before any number was known. */
export const registry = JSON.parse(readFileSync(registryFile, 'utf8'));

export const verdicts = {
  supported: 'supported',
  contradicted: 'contradicted',
  equivalent: 'equivalent',
  inconclusive: 'inconclusive with this data',
  notTestable: 'not testable here',
};
const { supported, contradicted, equivalent, inconclusive, notTestable } = verdicts;
const ALPHA = 0.05;

/** What a test of single differences comes to. Differences are oriented so that the claim predicts a mean above 0.
 *  @param differences One for each query or topic, seeds averaged before. */
export function compared(differences, { seed = 7301, flips = 100_000, samples = 10_000 } = {}) {
  const first = Float64Array.from(differences);
  const second = new Float64Array(first.length);
  const at = (level) => pairedTTest({ first, second, level });
  const { meanDifference, pValue, interval } = at(0.95);
  const narrow = at(0.9).interval;
  const bootstrap = bootstrapInterval({ first, seed, resamples: samples });
  return {
    n: first.length,
    difference: meanDifference,
    p: pValue,
    interval90: [narrow.low, narrow.high],
    interval95: [interval.low, interval.high],
    pRandomisation: randomizationTest({ first, second, seed, resamples: flips }).pValue,
    bootstrap95: [bootstrap.interval.low, bootstrap.interval.high],
  };
}

/** Corrects the p values of a family by Holm. */
export function holmFamily(parts) {
  const corrected = correctPValues({ pValues: parts.map(({ p }) => p), method: 'holm' });
  return parts.map((part, i) => ({ ...part, pHolm: corrected.pValues[i] }));
}

const inside = ([low, high], margin) => low > -margin && high < margin;
const outside = ([low, high], margin) => low > margin || high < -margin;

/** The three tests agree about 0.05. */
function testsAgree({ p, pRandomisation, bootstrap95: [low, high] }) {
  const excludesZero = low > 0 || high < 0;
  return p < ALPHA === pRandomisation < ALPHA && p < ALPHA === excludesZero;
}

/** The rules for one part. Each takes the numbers of a part and the smallest effect of interest. */
export const partRules = {
  std(part, margin, { directed = true } = {}) {
    if (part.check === false) return notTestable;
    if (inside(part.interval90, margin)) return equivalent;
    if (!(part.pHolm < ALPHA) || !testsAgree(part)) return inconclusive;
    return part.difference > 0 || !directed ? supported : contradicted;
  },
  undirected: (part, margin) => partRules.std(part, margin, { directed: false }),
  notInferior(part, margin) {
    if (part.check === false) return notTestable;
    if (part.interval90[0] > -margin) return supported;
    return part.interval95[1] < 0 && !inside(part.interval90, margin) ? contradicted : inconclusive;
  },
  /** The claim is that there is no difference. */
  same(part, margin) {
    if (part.check === false) return notTestable;
    if (inside(part.interval90, margin)) return supported;
    return part.pHolm < ALPHA && testsAgree(part) && outside(part.interval95, margin) ? contradicted : inconclusive;
  },
  /** The same, where an interval outside the margin is enough to contradict. */
  sameByInterval(part, margin) {
    if (part.check === false) return notTestable;
    if (inside(part.interval90, margin)) return supported;
    return outside(part.interval95, margin) ? contradicted : inconclusive;
  },
  /** Bounds around a number that the claim wants above `margin`. */
  above: ({ low, high }, margin, { contradictedBelow = margin, inclusive = false } = {}) =>
    low > margin || (inclusive && low === margin) ? supported : high < contradictedBelow ? contradicted : inconclusive,
  /** Bounds of a difference that the claim wants above 0, and that may be as good as 0. */
  best: ({ low, high }, margin) =>
    low > 0 ? supported : high < 0 ? contradicted : low > -margin && high < margin ? equivalent : inconclusive,
  /** The upper bound of what ties can move, and the lower bound of what two rules of ties differ by. */
  small: ({ high, otherLow }, margin) => (high < margin ? supported : otherLow > margin ? contradicted : inconclusive),
  /** Exact arithmetic: the largest deviation is nothing but rounding. */
  exact: ({ deviation }, tolerance) => (deviation <= tolerance ? supported : contradicted),
  /** A number near a value: within `margin`, beyond `far`, or between. */
  near: ({ distance }, margin, { far }) => (distance <= margin ? supported : distance > far ? contradicted : inconclusive),
  /** All values reach one bound, or all fall short of another. */
  atLeast: ({ values }, margin, { below }) =>
    values.every((value) => value >= margin) ? supported : values.every((value) => value < below) ? contradicted : inconclusive,
  /** Something holds or not, by looking. */
  seen: ({ holds }) => (holds ? supported : contradicted),
};

const count = (list, verdict) => list.filter((one) => one === verdict).length;

/** How the verdicts of parts become that of a claim. */
export const jointRules = {
  apart: () => null,
  all(list) {
    if (list.every((one) => one === supported)) return supported;
    if (list.every((one) => one === notTestable)) return notTestable;
    const against = count(list, contradicted) + count(list, equivalent);
    return against > 0 && count(list, supported) === 0 ? contradicted : inconclusive;
  },
  every(list) {
    if (list.every((one) => one === notTestable)) return notTestable;
    if (list.every((one) => one === supported)) return supported;
    if (list.includes(contradicted)) return contradicted;
    return list.every((one) => one === equivalent) ? equivalent : inconclusive;
  },
  any(list) {
    if (list.every((one) => one === notTestable)) return notTestable;
    if (list.includes(supported)) return supported;
    return list.every((one) => one === equivalent) ? contradicted : inconclusive;
  },
  threeOfFour: (list) => (count(list, supported) >= 3 ? supported : count(list, contradicted) >= 2 ? contradicted : inconclusive),
  oneAndNoneAgainst: (list) => (list.includes(supported) && !list.includes(contradicted) ? supported : inconclusive),
};

/** The registered rule of every claim, in the terms above. What the registry says in words stands in its field `rule`. */
export const rules = {
  A1: whole(({ onEvery, allZero }) => (onEvery ? supported : allZero ? contradicted : inconclusive)),
  A2: parts('exact', 1e-12, 'apart'),
  A3: parts('exact', 1e-12, 'apart'),
  A4: parts('exact', 1e-12, 'apart'),
  A5: parts('exact', 1e-12, 'every'),
  A6: construction('true'),
  A7: parts('near', 0.05, 'every', { far: 0.1 }),
  A8: parts('atLeast', 0.2, 'apart', { below: 0.1 }),
  A9a: construction('true'),
  A9b: whole(({ pBothSides, pCount, numReversed, signsKept }) => {
    if (pBothSides < ALPHA && pCount < ALPHA) return supported;
    return numReversed === 0 && signsKept >= 0.95 ? contradicted : inconclusive;
  }),
  A10: parts('undirected', 0.005, 'all'),
  A10n: parts('same', 0.005, 'every'),
  A11: parts('std', 0.005, 'all'),
  A11m: parts('sameByInterval', 0.005, 'all'),
  A12L: construction("'equal' true, 'slightly better' contradicted"),
  A12A: parts('notInferior', 0.005, 'every'),
  A12O: whole(({ notInferior, rivalBetter }) =>
    notInferior.every(Boolean) ? supported : rivalBetter.some(Boolean) ? contradicted : inconclusive,
  ),
  A13s: construction('true'),
  A13c: construction('contradicted'),
  A13w: construction('contradicted'),
  A14a: parts('best', 0.005, 'every'),
  A14b: parts('sameByInterval', 0.01, 'every'),
  A14c: whole(({ onShort, shortAgainstLong }) => {
    if ([onShort, shortAgainstLong].every(({ difference, pHolm }) => difference > 0 && pHolm < ALPHA)) return supported;
    return (onShort.difference < 0 && onShort.pHolm < ALPHA) || inside(onShort.interval90, 0.005) ? contradicted : inconclusive;
  }),
  A15: parts('std', 0.01, 'all'),
  A16t: parts('seen', 0, 'apart'),
  A16r: parts('small', 0.005, 'apart'),
  A17: parts('exact', 1e-12, 'apart'),
  'A18-1': whole(({ A11, A10n, A9b }) => {
    if (A11.includes(supported) && A10n === supported && A9b === supported) return supported;
    return A11.every((one) => one === contradicted || one === equivalent) ? contradicted : inconclusive;
  }),
  'A18-2a': construction('true for the order'),
  'A18-2b': parts('std', 0.005, 'any'),
  'A18-3': untestable(),
  G1: construction('true'),
  G2: construction('(i) true, (ii) contradicted'),
  G3: construction('true for the step sum'),
  G4: parts('exact', 1e-8, 'every'),
  G5: parts('std', 0.3, 'every'),
  G6: whole(({ low, high, regretHigh }) => {
    if (low >= 0.3 && high <= 0.7) return supported;
    if (low > 0.5 || high < 0.5) return contradicted;
    return regretHigh < 0.02 ? equivalent : inconclusive;
  }),
  G7: parts('std', 0.005, 'threeOfFour'),
  G8: parts('std', 0.005, 'oneAndNoneAgainst'),
  G9: whole(({ discounts, gains }) => ({
    a: discounts.every((list) => count(list, supported) >= 3) ? supported : inconclusive,
    b: gains.every((part) => inside(part.interval90, 0.005))
      ? supported
      : gains.some((part) => outside(part.interval95, 0.005))
        ? contradicted
        : inconclusive,
  })),
  G10a: whole(({ intervals }) => {
    const signs = intervals.map(([low, high]) => (low > 0 ? 1 : high < 0 ? -1 : 0));
    return signs.includes(1) && signs.includes(-1) && !signs.includes(0) ? supported : inconclusive;
  }),
  G10b: whole(({ low, high }) => (low > -0.05 && high < 0.05 ? equivalent : low > 0 ? supported : high < 0 ? contradicted : inconclusive)),
  G11: whole(({ cells }) => {
    const each = cells.map((part) => partRules.std(part, part.margin));
    const ahead = cells.filter(({ difference }) => difference > 0).length;
    if (ahead === cells.length && cells.filter(({ pHolm }) => pHolm < ALPHA).length >= 7) return supported;
    const behind = cells.filter(({ difference }, i) => each[i] === equivalent || difference < 0).length;
    return each.includes(contradicted) || behind >= 7 ? contradicted : inconclusive;
  }),
  G12: untestable(),
  G12s: parts('std', undefined, 'apart'),
  G13: whole(({ rho, pHolm }) => (rho < 0 && pHolm < ALPHA ? supported : inconclusive)),
  N1: construction('true'),
  N2: parts('above', 1, 'apart'),
  N3: parts('above', 1, 'every'),
  N4: parts('above', 0.05, 'every', { contradictedBelow: 0 }),
  N5: parts('above', 0.95, 'every', { inclusive: true }),
};

function parts(rule, margin, joint, options) {
  return { decide: (numbers) => decideParts(rule, margin, joint, options, numbers) };
}

function decideParts(rule, margin, joint, options, { parts: list }) {
  const each = list.map((part) => ({ part: part.part, verdict: partRules[rule](part, part.margin ?? margin, options) }));
  return { verdict: jointRules[joint](each.map(({ verdict }) => verdict)), parts: each };
}

function whole(rule) {
  return { decide: (numbers) => (numbers.check === false ? { verdict: notTestable, parts: [] } : { verdict: rule(numbers), parts: [] }) };
}

/** A claim that follows from definitions has an argument in place of a test; the numbers only look for defects. */
function construction(outcome) {
  return {
    decide: ({ deviations = 0 } = {}) => ({
      verdict: deviations === 0 ? `by construction: ${outcome}` : 'a defect of the product',
      parts: [],
    }),
  };
}

function untestable() {
  return { decide: () => ({ verdict: notTestable, parts: [] }) };
}

/** The verdict on a claim of the registry.
 *  @throws If the registry does not have the claim: what was not registered is exploratory. */
export function decide(id, numbers) {
  const claim = registry.claims.find((one) => one.id === id);
  if (claim === undefined || !Object.hasOwn(rules, id)) throw new Error(`${id} is not in the registry: exploratory, no verdict`);
  return { id, proposition: claim.proposition, rule: claim.rule, ...rules[id].decide(numbers) };
}

/** Letters under which arms are run and judged, drawn with the registered seed; the names are revealed afterwards. */
export function lettersOf(arms, seed = 7000) {
  const random = seededRandom(seed);
  const letters = arms.map((_, i) => `arm ${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : Math.floor(i / 26)}`);
  for (let i = letters.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [letters[i], letters[j]] = [letters[j], letters[i]];
  }
  return new Map(arms.map((arm, i) => [arm, letters[i]]));
}

/** The hash of this file and of the registry. */
export function rulesHash() {
  const hash = createHash('sha256');
  for (const file of [new URL(import.meta.url), registryFile]) hash.update(readFileSync(file));
  return hash.digest('hex');
}
