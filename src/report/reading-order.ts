/** Places of topics in the order in which people look for them: by number where all ids are whole numbers, as they stand otherwise. */
export function inReadingOrder(topics: readonly string[]): number[] {
  const places = topics.map((_, t) => t);
  if (!topics.every((topic) => /^\d{1,15}$/.test(topic))) return places;
  return places.sort((a, b) => Number(topics[a]) - Number(topics[b]) || a - b);
}
