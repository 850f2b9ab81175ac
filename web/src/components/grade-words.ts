/** The words of judgements that have no number yet, as the way out of a problem names them: `--grades Exact=2,Partial=NUMBER`.
 *  @returns Each word, with the number that is proposed for it. */
export function wordsWithoutNumber(waysOut: readonly (string | undefined)[]): ReadonlyMap<string, number | undefined> {
  const words = new Map<string, number | undefined>();
  for (const wayOut of waysOut) {
    const [, quoted, plain] = /--grades (?:'(.*)'|(\S+))$/.exec(wayOut ?? '') ?? [];
    const list = quoted?.replaceAll("'\\''", "'") ?? plain;
    for (const part of list?.split(',') ?? []) {
      const equals = part.lastIndexOf('=');
      const number = Number(part.slice(equals + 1));
      words.set(part.slice(0, equals), Number.isNaN(number) ? words.get(part.slice(0, equals)) : number);
    }
  }
  return words;
}
