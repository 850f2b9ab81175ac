/** Files beside LETOR files that say how many lines each query has, as LightGBM and XGBoost write them. */

const ending = /\.(query|group)$/;

/** Whether a file is called like one of these. */
export function isSizesFile({ name }: File): boolean {
  return ending.test(name);
}

/** Whether it belongs to a file: `train.txt.query` to `train.txt` and `train.txt.gz`. */
export function countsLinesOf(sizes: File, { name }: File): boolean {
  const own = sizes.name.replace(ending, '');
  return isSizesFile(sizes) && (own === name || own === name.replace(/\.(gz|zst|lz4)$/, ''));
}

/** How many queries it has. */
export async function numQueries(sizes: File): Promise<number> {
  return (await sizes.text()).trimEnd().split('\n').length;
}
