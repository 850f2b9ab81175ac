import { InputError } from '../../core/problem.js';
import { requireFinite, requireWhole, type Values } from '../checks.js';

/** A ranked list of ids with ties: groups from the best down, each with the ids that share a place. */
export type TiedRanking = readonly (readonly string[])[];

/** Ids and scores as tie groups, the largest score first. */
export function rankWithTies(ids: readonly string[], scores: Values): string[][] {
  if (ids.length !== scores.length) {
    throw new InputError(`found ${ids.length} ids and ${scores.length} scores, expected as many of each`);
  }
  requireFinite('the scores', scores);
  const order = ids.map((_, i) => i).sort((a, b) => scores[b] - scores[a]);
  const groups: string[][] = [];
  let last: number | undefined;
  for (const i of order) {
    if (scores[i] === last) groups[groups.length - 1].push(ids[i]);
    else groups.push([ids[i]]);
    last = scores[i];
  }
  return groups;
}

/** A ranking without ties, as groups of one. */
export function rankWithoutTies(ids: readonly string[]): string[][] {
  return ids.map((id) => [id]);
}

/** Refuses an empty list, an empty group and an id that occurs twice. */
export function requireRanking(name: string, ranking: TiedRanking): void {
  const seen = new Set<string>();
  for (const group of ranking) {
    if (group.length === 0) throw new InputError(`the ${name} list has an empty tie group, expected at least one id in each`);
    for (const id of group) {
      if (seen.has(id)) {
        throw new InputError({ message: `the ${name} list has ${id} twice, expected every id once`, wayOut: 'keep its first occurrence' });
      }
      seen.add(id);
    }
  }
  if (seen.size === 0) throw new InputError({ message: `the ${name} list is empty`, wayOut: 'leave the topic out' });
}

/** Two rankings, and how deep to compare them. */
export interface OverlapOptions {
  /** Ids from the best down. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** How deep to look. */
  readonly cutoff: number;
}

/** The share of the first `cutoff` places that both lists fill with the same ids. A list that is shorter fills fewer. */
export function overlapAt(options: OverlapOptions): number {
  const { first, second, cutoff } = options;
  requireWhole('cutoff', cutoff, 1);
  requireRanking('first', rankWithoutTies(first));
  requireRanking('second', rankWithoutTies(second));
  const top = new Set(first.slice(0, cutoff));
  let shared = 0;
  for (const id of second.slice(0, cutoff)) if (top.has(id)) shared++;
  return shared / cutoff;
}
