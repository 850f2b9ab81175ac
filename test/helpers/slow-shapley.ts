/** Shapley's values by their definition: the effect of adding each player, averaged over all orders of adding them. */
export function slowShapley<Player>(players: readonly Player[], worth: (present: ReadonlySet<Player>) => number): Map<Player, number> {
  const orders = ordersOf(players);
  const sums = new Map(players.map((player) => [player, 0]));
  for (const order of orders) {
    const present = new Set<Player>();
    for (const player of order) {
      const before = worth(present);
      present.add(player);
      sums.set(player, (sums.get(player) ?? 0) + worth(present) - before);
    }
  }
  return new Map(players.map((player) => [player, (sums.get(player) ?? 0) / orders.length]));
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => ordersOf([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}
