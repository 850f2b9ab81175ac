import { basename, join } from 'node:path';
import { InputError } from '../core/problem.js';
import { isSingleAnswer } from '../formats/engines/answer-folder.js';
import { layoutOfFolder } from '../formats/folder-layout.js';
import { filesInFolder } from './file-patterns.js';

/** What a folder stands for that is not just a folder of files: one file in it, or answers of a search engine, one for each query. */
export type FolderMeaning = { readonly file: string } | { readonly answers: readonly string[] };

/** What a folder stands for, as the layouts of tools have it; undefined for any other folder.
 *  @param readStart The first bytes of a file. */
export function meaningOfFolder(folder: string, readStart: (path: string) => Uint8Array): FolderMeaning | undefined {
  const namesIn = (path: string): string[] => (filesInFolder(path) ?? []).map((file) => basename(file));
  const layout = layoutOfFolder(namesIn(folder), namesIn(join(folder, 'qrels')));
  if (layout === undefined) return undefined;
  if ('file' in layout) return { file: join(folder, ...layout.file.split('/')) };
  if ('splits' in layout) {
    throw new InputError({
      source: folder,
      message: `holds judgements for ${layout.splits.join(', ')}`,
      wayOut: `name one of them, such as ${join(folder, 'qrels', layout.splits[0])}`,
    });
  }
  const answers = layout.mayBeAnswers.map((name) => join(folder, name));
  return answers.every((path) => isSingleAnswer(basename(path), readStart(path))) ? { answers } : undefined;
}
