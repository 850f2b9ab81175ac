/** Folders that were dropped: what tools lay out in them is found as the command line finds it. */
import { answersSource, isSingleAnswer, layoutOfFolder } from 'gradus/formats';
import type { FileKind } from './protocol.js';
import { blobSource } from './sources.js';

/** A file and its place: `beir/qrels/test.tsv`. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

/** A file that goes into the list, with what it is if that is known. */
export interface GivenFile {
  readonly file: File;
  readonly as?: FileKind | undefined;
}

/** As much as tells what a file is. */
const START = 1 << 16;

/** The files that folders stand for, folder by folder. */
export async function filesOfFolders(files: readonly PlacedFile[]): Promise<GivenFile[]> {
  const folders = new Map<string, Map<string, File>>();
  for (const { path, file } of files) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (file.name.startsWith('.')) continue;
    const known = folders.get(folder) ?? new Map<string, File>();
    folders.set(folder, known.set(file.name, file));
  }
  const given: GivenFile[] = [];
  const settled = new Set<string>();
  for (const [path, inside] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!settled.has(path)) given.push(...(await filesOfFolder(path, inside, folders, settled)));
  }
  return given;
}

async function filesOfFolder(
  path: string,
  inside: ReadonlyMap<string, File>,
  folders: ReadonlyMap<string, ReadonlyMap<string, File>>,
  settled: Set<string>,
): Promise<GivenFile[]> {
  const names = [...inside.keys()].sort();
  const qrels = folders.get(`${path}/qrels`) ?? new Map<string, File>();
  const layout = layoutOfFolder(names, [...qrels.keys()]);
  const all = names.map((name): GivenFile => ({ file: inside.get(name) as File }));
  if (layout === undefined) return all;
  if ('mayBeAnswers' in layout) {
    for (const { file } of all) {
      if (!isSingleAnswer(file.name, new Uint8Array(await file.slice(0, START).arrayBuffer()))) return all;
    }
    const folder = path.split('/').at(-1) ?? path;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of answersSource(
      path,
      folder,
      all.map(({ file }) => blobSource(file)),
    ).open())
      parts.push(new Uint8Array(part));
    return [{ file: new File(parts, `${folder}.jsonl`), as: 'run' }];
  }
  if ('file' in layout && !layout.file.includes('/')) {
    const run = inside.get(layout.file) as File;
    return [{ file: new File([run], `${path}/${run.name}`), as: 'run' }];
  }
  settled.add(`${path}/qrels`);
  const splits = 'file' in layout ? [layout.file.slice('qrels/'.length)] : layout.splits;
  return [...splits.map((name): GivenFile => ({ file: qrels.get(name) as File, as: 'judgements' })), ...all];
}
