import { limits } from '../core/limits.js';
import { requireParam } from '../core/params.js';
import { InputError } from '../core/problem.js';

/** Numbers in topic order; a typed array or a plain one. */
export type Values = ArrayLike<number>;

/** Which way the difference first − second is expected to go. *two-sided* (the default) takes no side; *greater* asks whether
 *  the first is better, *less* whether it is worse. */
export type Alternative = 'two-sided' | 'greater' | 'less';

const ALTERNATIVES: readonly string[] = ['two-sided', 'greater', 'less'];

/** Refuses anything that is not a finite number, naming the position: a NaN that reached a p-value could not be traced back. */
export function requireFinite(name: string, values: Values): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new InputError({
        message: `${name} has ${String(values[i])} at position ${i + 1}, expected a finite number`,
        wayOut: 'leave the topic out of every system or give it a value',
      });
    }
  }
}

/** Two systems' values over the same topics in the same order. */
export function requirePaired(first: Values, second: Values, fewest: number): void {
  if (first.length !== second.length) {
    throw new InputError({
      message: `the first system has ${first.length} values and the second ${second.length}, expected one each per topic`,
      wayOut: 'align both by topic id before comparing',
    });
  }
  if (first.length < fewest) {
    throw new InputError({
      message: `found ${first.length} ${first.length === 1 ? 'topic' : 'topics'}, expected at least ${fewest}`,
      wayOut: 'add topics',
    });
  }
  requireFinite('the first system', first);
  requireFinite('the second system', second);
}

/** Several systems' values over the same topics in the same order, one array per system. */
export function requireSystems(systems: readonly Values[], fewestSystems: number, fewestTopics: number): void {
  if (systems.length < fewestSystems) {
    throw new InputError({
      message: `found ${systems.length} ${systems.length === 1 ? 'system' : 'systems'}, expected at least ${fewestSystems}`,
    });
  }
  const topics = systems[0].length;
  for (let s = 1; s < systems.length; s++) {
    if (systems[s].length !== topics) {
      throw new InputError({
        message: `system 1 has ${topics} values and system ${s + 1} has ${systems[s].length}, expected one each per topic`,
        wayOut: 'align all systems by topic id before comparing',
      });
    }
  }
  if (topics < fewestTopics) {
    throw new InputError({
      message: `found ${topics} ${topics === 1 ? 'topic' : 'topics'}, expected at least ${fewestTopics}`,
      wayOut: 'add topics',
    });
  }
  for (let s = 0; s < systems.length; s++) requireFinite(`system ${s + 1}`, systems[s]);
}

/** Refuses a word that names no alternative hypothesis. */
export function requireAlternative(alternative: string): void {
  requireOneOf('alternative', alternative, ALTERNATIVES);
}

/** Refuses a word that is none of the choices, and lists them. */
export function requireOneOf(name: string, value: string, choices: readonly string[]): void {
  requireParam(name, { type: 'choice', choices }, value);
}

/** A number strictly between 0 and 1: a level, an error rate, a persistence. */
export function requireFraction(name: string, value: number): void {
  requireParam(name, { type: 'number', min: 0, max: 1, exclusive: true }, value);
}

/** Refuses anything but a finite number above 0. */
export function requirePositive(name: string, value: number): void {
  requireParam(name, { type: 'number', min: 0, exclusive: true }, value);
}

/** Refuses anything but a finite number of at least 0. */
export function requireNotNegative(name: string, value: number): void {
  requireParam(name, { type: 'number', min: 0 }, value);
}

/** Refuses anything but a whole number in a range. */
export function requireWhole(name: string, value: number, min: number, max?: number): void {
  requireParam(name, { type: 'integer', min, ...(max === undefined ? {} : { max }) }, value);
}

/** Every stochastic method takes a seed, so that its result can be had again. */
export function requireSeed(seed: number): void {
  requireWhole('seed', seed, 0, limits.seed);
}

/** Refuses a number of resamples that is too small to count with, or beyond the limit. */
export function requireResamples(resamples: number, least = 1): void {
  requireWhole('number of resamples', resamples, least, limits.resamples);
}
