/** A session as one file: a report that opens by itself in any browser, with the files it was made from inside. Written here, and read
 *  with suspicion, because such a file may come from anybody. */
import { InputError } from 'gradus';
import { type KeptFile, type KeptReading, type KeptSession, labelOf, plainName, readingOf, stateOf } from '../kept/session.js';

const OPENING = '<script type="application/json" id="gradus-session">';
const CLOSING = '</script>';
const NOTE =
  '<p id="gradus-session-note">This page holds the files that it was made from. Drop it on the Gradus app to go on working with them.</p>';
const VERSION = 1;
/** What is refused: a string of this length is about as much as browsers take, and memory is not endless. */
export const sessionLimits = { characters: 2 ** 28, files: 2000, bytes: 2 ** 31 };
const LARGEST_CHUNK = 0x8000;

/** @param page The report as a page of its own. */
export async function sessionFile(page: string, { files, ...state }: KeptSession): Promise<Blob> {
  const end = page.lastIndexOf('</body>');
  const parts: string[] = [
    page.slice(0, end),
    NOTE,
    '\n',
    OPENING,
    '{"gradus":"session",',
    `"version":${VERSION},"state":${jsonText(state)},"files":[`,
  ];
  for (const [i, { file, reading, label }] of files.entries()) {
    const about = jsonText({ name: file.name, reading: { ...reading, sizes: undefined }, label }).slice(0, -1);
    parts.push(i === 0 ? '' : ',', `${about},"gzip":"${base64Of(await gzipped(file))}"}`);
  }
  parts.push(']}', CLOSING, '\n', page.slice(end));
  return new Blob(parts, { type: 'text/html;charset=utf-8' });
}

/** The session inside a file; undefined if it is no page at all.
 *  @throws An `InputError` for a page without a session, or with one that cannot be read. */
export async function readSessionFile(file: File): Promise<KeptSession | undefined> {
  const start = await file.slice(0, 100).text();
  if (!/^\s*<!doctype html>/i.test(start)) return undefined;
  const refuse = (message: string, wayOut: string): InputError => new InputError({ source: file.name, message, wayOut });
  if (file.size > sessionLimits.characters) {
    throw refuse('is larger than a saved session can be', 'open the files it was made from instead');
  }
  const page = await file.text();
  const from = page.lastIndexOf(OPENING);
  const to = page.indexOf(CLOSING, from);
  if (from < 0 || to < 0) {
    throw refuse('is a page that holds no session of Gradus', 'save one with Export, Session; a report alone holds no files');
  }
  const damaged = (): InputError =>
    refuse('holds a session that is damaged', 'save the session once more, or open the files it was made from');
  const found = parsed(page.slice(from + OPENING.length, to));
  if (found?.gradus !== 'session' || !Array.isArray(found.files)) throw damaged();
  if (found.version !== VERSION) throw refuse('was saved by another version of Gradus', 'open it with a newer one');
  if (found.files.length > sessionLimits.files) throw refuse(`holds more than ${sessionLimits.files} files`, 'open some of them instead');
  const files: KeptFile[] = [];
  let left = sessionLimits.bytes;
  for (const one of found.files as unknown[]) {
    const { name, reading, label, gzip } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof gzip !== 'string') throw damaged();
    const content = await inflated(gzip, left).catch(() => undefined);
    if (content === undefined) throw damaged();
    left -= content.size;
    files.push({
      file: new File([content], plainName(name) ?? `file ${files.length + 1}`),
      reading: readingOf(reading),
      label: labelOf(label),
    });
  }
  return { ...stateOf(found.state, files.length), files };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** JSON that cannot end the element it stands in. */
function jsonText(value: Readonly<Record<string, unknown>> | KeptReading): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

async function gzipped(file: File): Promise<Uint8Array> {
  return new Uint8Array(await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // a whole number of groups of three, so that the parts can be joined
  const step = LARGEST_CHUNK - (LARGEST_CHUNK % 3);
  for (let i = 0; i < bytes.length; i += step) parts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + step))));
  return parts.join('');
}

/** What was compressed, unless it becomes larger than there is room for. */
async function inflated(text: string, room: number): Promise<Blob> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > room) {
      await reader.cancel();
      throw new RangeError('the session is larger than there is room for');
    }
    parts.push(value);
  }
}
