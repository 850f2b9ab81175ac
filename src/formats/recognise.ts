/** Where it is decided what a file is: by its content, and by its name where several formats would do. */
import { InputError } from '../core/problem.js';
import { compressedEnding } from './compression.js';
import type { Content, Format } from './format.js';
import { headOf } from './head.js';
import { wholeFile } from './reader.js';
import { cannotHold, findFormat, formats } from './registry.js';
import { bytesSource, hasParts, type OpenedSource, openSource, readThrough, withParts } from './source.js';
import type { Columns, TableKind } from './tables/columns.js';

/** What a file is. */
export interface Recognised {
  readonly format: Format;
  /** Which of the wanted contents it holds, as far as that shows. */
  readonly content?: Content | undefined;
}

/** The format that a file name promises, compression aside. */
export function formatByName(fileName: string): Format | undefined {
  const plain = fileName.toLowerCase().replace(compressedEnding, '');
  return formats.find((format) => format.extensions.some((extension) => plain.endsWith(extension)));
}

/** Which of the wanted contents a format holds, if it holds only one of them. */
export function onlyContent<Wanted extends Content>(format: Format, wanted: readonly Wanted[]): Wanted | undefined {
  const held = wanted.filter((content) => content in format.read);
  return held.length === 1 ? held[0] : undefined;
}

/** The format of a file that begins like this, among those that can hold what is wanted; undefined if none fits. The content has the
 *  last word: MS MARCO's judgements, for one, are called .tsv and are TREC lines. */
export function recogniseFormat(
  fileName: string,
  start: Uint8Array,
  wanted: readonly Content[],
  columns?: Columns,
): Recognised | undefined {
  const head = headOf(start);
  const told = wanted.length === 1 ? wanted[0] : undefined;
  const promised = promisedFormat(fileName, wanted);
  for (const format of promised === undefined ? candidates(wanted) : [promised, ...candidates(wanted)]) {
    const recognition = format.recognise(head, told, columns);
    if (recognition === undefined) continue;
    const { content } = recognition;
    return { format, content: content !== undefined && wanted.includes(content) ? content : undefined };
  }
  return undefined;
}

/** The format to read a file by. If none fits, it is the one whose reader will say best what is wrong. */
export function inferFormat(fileName: string, start: Uint8Array, wanted: readonly Content[], columns?: Columns): Recognised {
  const found = recogniseFormat(fileName, start, wanted, columns);
  const format = found?.format ?? nearestFormat(fileName, start, wanted);
  return { ...found, format, content: found?.content ?? onlyContent(format, wanted) };
}

/** What an opened source is; `input` is what to read it from. A format whose files do not tell at their beginning what they hold is
 *  asked to look elsewhere, for which a pipe and what comes out of a decompressor are kept in memory. */
export async function recogniseSource(
  opened: OpenedSource,
  wanted: readonly Content[],
  columns?: Columns,
): Promise<{ readonly input: OpenedSource; readonly found: Recognised | undefined }> {
  const { name, fileName } = opened.source;
  const found = recogniseFormat(fileName ?? '', opened.start, wanted, columns);
  const inspect = found?.format.inspect;
  if (found === undefined || inspect === undefined || found.content !== undefined) return { input: opened, found };
  try {
    const whole = hasParts(opened)
      ? undefined
      : await readThrough(
          opened,
          wholeFile({ source: name }, (bytes) => bytes),
        );
    const input = whole === undefined ? opened : await openSource(bytesSource(whole, name, fileName));
    const content = await withParts(input, (file) => inspect(file, name));
    return { input, found: content !== undefined && wanted.includes(content) ? { ...found, content } : found };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The format to write a file in.
 *  @param otherwise What else can be done about a name that tells no format, for the message.
 *  @throws An `InputError` if it cannot hold what is to be written. */
export function formatToWrite(path: string, content: TableKind, name: string | undefined, otherwise = 'name a format'): Format {
  const format = name === undefined ? (formatByName(path) ?? trecByName(path, content, otherwise)) : findFormat(name, content);
  if (!(content in format.write)) throw cannotHold(format, content, path);
  return format;
}

/** The TREC format for a name that promises nothing else. */
function trecByName(path: string, content: TableKind, otherwise: string): Format {
  const ending = /^.+\.([a-z][a-z0-9]*)$/i.exec(path.replace(/^.*[\\/]/, '').replace(compressedEnding, ''))?.[1].toLowerCase();
  if (ending !== undefined && ending !== 'txt') {
    const known = formats.filter(({ write }) => content in write).flatMap(({ extensions }) => extensions);
    throw new InputError({
      source: path,
      message: `.${ending} files cannot be written`,
      wayOut: `end the name in ${[...known, '.txt'].join(', ')} or in nothing, or ${otherwise}`,
    });
  }
  return findFormat('trec', content);
}

function candidates(wanted: readonly Content[]): readonly Format[] {
  return formats.filter(({ read }) => wanted.some((content) => content in read));
}

function promisedFormat(fileName: string, wanted: readonly Content[]): Format | undefined {
  const named = formatByName(fileName);
  return named !== undefined && wanted.some((content) => content in named.read) ? named : undefined;
}

function nearestFormat(fileName: string, start: Uint8Array, wanted: readonly Content[]): Format {
  const [content] = wanted;
  if (content === 'features') return findFormat('letor');
  if (content === 'scores') return findFormat('trec_eval');
  const isJson = /^[[{]/.test(headOf(start).line);
  return promisedFormat(fileName, wanted) ?? findFormat(isJson ? 'json' : 'trec', content === 'qrels' ? 'qrels' : 'run');
}
