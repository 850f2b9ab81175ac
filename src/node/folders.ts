import { basename, join } from 'node:path';
import { InputError } from '../core/problem.js';
import { isSingleAnswer } from '../formats/engines/answer-folder.js';
import { filesInFolder } from './file-patterns.js';

/** What a folder stands for that is not just a folder of files: one file in it, or answers of a search engine, one for each query. */
export type FolderMeaning = { readonly file: string } | { readonly answers: readonly string[] };

/** What a folder stands for, as the layouts of tools have it; undefined for any other folder.
 *  @param readStart The first bytes of a file. */
export function meaningOfFolder(folder: string, readStart: (path: string) => Uint8Array): FolderMeaning | undefined {
  const files = filesInFolder(folder) ?? [];
  const names = files.map((path) => basename(path));
  // TIRA's runs
  const runs = files.filter((_, i) => /^run\.txt(\.gz)?$/.test(names[i]));
  if (runs.length === 1 && names.every((name) => /^(run\.txt(\.gz)?|.*\.ya?ml)$/.test(name))) return { file: runs[0] };
  // BEIR's data sets
  if (names.some((name) => /^(corpus|queries)\.jsonl/.test(name))) {
    const splits = (filesInFolder(join(folder, 'qrels')) ?? []).filter((path) => /\.tsv(\.gz)?$/.test(path));
    const test = splits.length === 1 ? splits[0] : splits.find((path) => /^test\.tsv/.test(basename(path)));
    if (test !== undefined) return { file: test };
    if (splits.length > 1) {
      throw new InputError({
        source: folder,
        message: `holds judgements for ${splits.map((path) => basename(path)).join(', ')}`,
        wayOut: `name one of them, such as ${splits[0]}`,
      });
    }
  }
  const isAnswers =
    files.length > 0 && files.every((path) => path.toLowerCase().endsWith('.json') && isSingleAnswer(basename(path), readStart(path)));
  return isAnswers ? { answers: files } : undefined;
}
