/** The functions of the product that the samples are read with. */
export type Product = typeof import('../../src/formats/index.js') & Pick<typeof import('../../src/node/index.js'), 'fileSource'>;

export interface SampleResult {
  readonly disagreements: readonly string[];
  readonly remarks: readonly string[];
  readonly agreed: number;
  readonly total: number;
}

export function check(
  folder: string,
  options: { readonly product: Pick<Product, 'fileSource' | 'readFeatures' | 'readJudgements' | 'readRun'> },
): Promise<SampleResult>;
