/** The words about measures, which lie beside the page. */
import { compressedText } from '../compressed.js';

export interface MeasureWords {
  readonly title: string;
  readonly help: string;
  readonly formula?: string;
  readonly tools?: string;
  readonly cite?: readonly { readonly text: string; readonly doi?: string }[];
  readonly params: Readonly<Record<string, string>>;
}

let loaded: Promise<Readonly<Record<string, MeasureWords>>> | undefined;

/** @param base The address of the page. */
export function measureWords(base: string): Promise<Readonly<Record<string, MeasureWords>>> {
  loaded ??= compressedText('measures.json.gz', base).then((text) => JSON.parse(text));
  return loaded;
}
