/** The example that comes along: three systems on twelve topics. */
import bm25 from '../../examples/data/bm25.run?url';
import qrels from '../../examples/data/example.qrels?url';
import hybrid from '../../examples/data/hybrid.run?url';
import neural from '../../examples/data/neural.run?url';

const addresses: readonly (readonly [name: string, address: string])[] = [
  ['example.qrels', qrels],
  ['bm25.run', bm25],
  ['neural.run', neural],
  ['hybrid.run', hybrid],
];

let loaded: Promise<File[]> | undefined;

/** Fetched once, from where the page itself is, and again only after that failed. */
export function exampleFiles(): Promise<File[]> {
  loaded ??= Promise.all(
    addresses.map(async ([name, address]) => new File([await (await fetch(address)).blob()], name, { type: 'text/plain' })),
  );
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
