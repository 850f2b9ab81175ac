/** What a folder stands for that is not just a folder of files, as the layouts of tools have it: one file in it, named by its place
 *  below the folder, or files that may be answers of a search engine, one for each query. */
export type FolderLayout =
  | { readonly file: string }
  /** Judgements of several parts of a data set, of which somebody must choose one. */
  | { readonly splits: readonly string[] }
  /** They are answers only if `isSingleAnswer` says so of each. */
  | { readonly mayBeAnswers: readonly string[] };

/** The layout of a folder; undefined for one that no tool has made.
 *  @param names The files in it, without those of folders below.
 *  @param qrels The files in its folder `qrels`. */
export function layoutOfFolder(names: readonly string[], qrels: readonly string[]): FolderLayout | undefined {
  // TIRA's runs
  const runs = names.filter((name) => /^run\.txt(\.gz)?$/.test(name));
  if (runs.length === 1 && names.every((name) => /^(run\.txt(\.gz)?|.*\.ya?ml)$/.test(name))) return { file: runs[0] };
  // BEIR's data sets
  if (names.some((name) => /^(corpus|queries)\.jsonl/.test(name))) {
    const splits = qrels.filter((name) => /\.tsv(\.gz)?$/.test(name));
    const test = splits.length === 1 ? splits[0] : splits.find((name) => name.startsWith('test.tsv'));
    if (test !== undefined) return { file: `qrels/${test}` };
    if (splits.length > 1) return { splits };
  }
  return names.length > 0 && names.every((name) => name.toLowerCase().endsWith('.json')) ? { mayBeAnswers: names } : undefined;
}
