import type { Convention, ConventionRules } from '../conventions/convention.js';
import { conventions } from '../conventions/registry.js';

/** How the conventions differ in one respect, in words: `as 0 by a and b, as 1 by c`. Releases of one tool that agree are
 *  named once, without their version. */
export function byConvention(tell: (rules: ConventionRules) => string, among: readonly Convention[] = conventions): string {
  const told = new Map<string, Convention[]>();
  for (const convention of among) {
    const words = tell(convention.rules);
    const same = told.get(words);
    if (same === undefined) told.set(words, [convention]);
    else same.push(convention);
  }
  return [...told].map(([words, same]) => `${words} by ${listed(toolNames(same, among))}`).join('; ');
}

function toolNames(same: readonly Convention[], among: readonly Convention[]): string[] {
  const names = new Set<string>();
  for (const { name } of same) {
    const tool = toolOf(name);
    const releases = among.filter((other) => toolOf(other.name) === tool);
    names.add(releases.every((release) => same.includes(release)) ? tool : name);
  }
  return [...names];
}

function toolOf(name: string): string {
  return name.split('@')[0];
}

/** A list in words: a, b and c. */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}
