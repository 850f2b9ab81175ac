export interface CollectionResult {
  readonly disagreements: readonly string[];
  readonly remarks: readonly string[];
  readonly agreed: number;
  readonly total: number;
}

export function check(
  folder: string,
  options: {
    readonly data?: string | undefined;
    /** Only files whose names begin with this. */
    readonly only?: string | undefined;
    readonly product: Record<string, unknown>;
  },
): Promise<CollectionResult>;
