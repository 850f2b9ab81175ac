/** Headers of runs by ir_metadata, from files. */
import { InputError, namingSource } from '../core/problem.js';
import { type ByteSource, openSource } from '../formats/source.js';
import { metadataProblems, type RunMetadata, readRunMetadata, writeRunMetadata } from '../judging/index.js';

/** The header of a run, as it was read and as it stands in the file. */
export interface RunHeader {
  readonly metadata: RunMetadata;
  /** The lines of the file, each with its end. */
  readonly text: string;
}

/** The header at the beginning of a run; undefined if it has none.
 *  @throws An `InputError` if it cannot be read. */
export function headerIn(start: Uint8Array, name: string): RunHeader | undefined {
  // most runs have none, and need not be read as text
  if (start[0] !== 0x23) return undefined;
  const text = new TextDecoder('utf-8').decode(start);
  const metadata = namingSource(name, () => readRunMetadata(text));
  if (metadata === undefined) return undefined;
  return { metadata, text: /^(?:#.*\r?\n)*?#\s*ir_metadata\.end[^\n]*(?:\n|$)/.exec(text)?.[0] ?? writeRunMetadata(metadata) };
}

/** The header of a run that can be opened again; undefined if it has none, or is a pipe. */
export async function headerOf(source: ByteSource): Promise<RunHeader | undefined> {
  const start = await startOf(source);
  return start && headerIn(start, source.name);
}

/** The beginning of a file that can be opened again; undefined for a pipe.
 *  @throws An `InputError` if the file cannot be read, which is another matter than a header that makes no sense. */
export async function startOf(source: ByteSource): Promise<Uint8Array | undefined> {
  if (!source.isReopenable) return undefined;
  const input = await openSource(source);
  await input.close();
  return input.start;
}

/** A header that somebody wrote: the YAML alone, or with the marks of a header.
 *  @returns The header with what is wrong with it, a sentence each. */
export function headerFromText(text: string, name: string): RunHeader & { readonly problems: readonly string[] } {
  const marked = text.startsWith('#') ? text : `# ir_metadata.start\n${text.trimEnd().replace(/^/gm, '# ')}\n# ir_metadata.end\n`;
  const metadata = namingSource(name, () => readRunMetadata(marked));
  if (metadata === undefined || Object.keys(metadata).length === 0) {
    throw new InputError({
      source: name,
      message: 'expected a header by ir_metadata, found none',
      wayOut: 'write YAML such as "tag: my-run", with keys platform, research goal, implementation, method, actor and data',
    });
  }
  return { metadata, text: writeRunMetadata(metadata), problems: metadataProblems(metadata) };
}
