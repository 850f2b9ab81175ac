/** The words about measures, which lie beside the page. */
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
  loaded ??= fetch(new URL('measures.json', base)).then(async (response) => {
    if (!response.ok) throw new Error('measures.json, a part of this page, could not be loaded');
    return await response.json();
  });
  return loaded;
}
