/** The examples that come along: three systems on twelve topics, and documents with features to train on. */
import { compressedText } from './compressed.js';

let loaded: Promise<Readonly<Record<string, string>>> | undefined;

/** Fetched once, from where the page itself is, and again only after that failed. */
async function filesNamed(wanted: readonly string[]): Promise<File[]> {
  loaded ??= compressedText('examples.json.gz', document.baseURI).then((text) => JSON.parse(text));
  loaded.catch(() => {
    loaded = undefined;
  });
  const texts = await loaded;
  return wanted.map((name) => new File([texts[name]], name, { type: 'text/plain' }));
}

export const exampleFiles = (): Promise<File[]> => filesNamed(['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run']);
export const ltrExampleFiles = (): Promise<File[]> => filesNamed(['letor.txt']);
