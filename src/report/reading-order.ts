/** Places of topics in the order in which people look for them: by number where all ids are the same but for a whole number, such as
 *  `q2` and `q10`; as they stand otherwise. */
export function inReadingOrder(topics: readonly string[]): number[] {
  const places = topics.map((_, t) => t);
  const parts = topics.map((topic) => /^(\D*)(\d{1,15})(\D*)$/.exec(topic));
  const [first] = parts;
  if (!parts.every((part) => part !== null && part[1] === first?.[1] && part[3] === first[3])) return places;
  return places.sort((a, b) => Number(parts[a]?.[2]) - Number(parts[b]?.[2]) || a - b);
}
