/** Stands in the place of cssom, by which linkedom reads style sheets: charts have none. */
export function parse(): never {
  throw new Error('style sheets are not read here');
}
