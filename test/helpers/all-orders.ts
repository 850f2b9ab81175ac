import type { Line } from './slow-judge.js';

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}

/** Every order that equal scores of one topic allow, as runs without equal scores. */
export function allOrders(run: readonly Line[]): Line[][] {
  const scores = [...new Set(run.map(({ value }) => value))].sort((a, b) => b - a);
  let orders: Line[][] = [[]];
  for (const score of scores) {
    const groups = permutations(run.filter(({ value }) => value === score));
    orders = orders.flatMap((order) => groups.map((group) => [...order, ...group]));
  }
  return orders.map((order) => order.map((line, i) => ({ ...line, value: order.length - i })));
}
