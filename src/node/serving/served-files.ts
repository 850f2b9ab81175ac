import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlibConstants } from 'node:zlib';
import { InputError } from '../../core/problem.js';
import { systemReason } from '../terminal.js';
import { type AppFile, ARCHIVE, filesOfArchive } from './app-archive.js';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** Smaller files are not worth a header that says how they are compressed. */
const WORTH_COMPRESSING = 1024;

/** The compressions in which the app's files are kept ready. */
export type Encoding = 'br' | 'gzip';

/** A file in memory, which all answers share: however many are on their way, there is one copy of it, and one compressed copy. */
export class ServedFile {
  readonly type: string;
  readonly content: Uint8Array;
  private readonly compressed: Map<Encoding, Uint8Array> = new Map();

  constructor(path: string, content: Uint8Array) {
    this.type = contentTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
    this.content = content;
  }

  /** Whether it is sent in another form to those who understand it. */
  get isCompressible(): boolean {
    return this.content.length >= WORTH_COMPRESSING && !this.type.startsWith('image/png');
  }

  encoded(encoding: Encoding): Uint8Array {
    let bytes = this.compressed.get(encoding);
    if (bytes === undefined) {
      // the highest level takes seconds, which nobody wants to wait for on one machine
      const quality = { params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 5 } };
      bytes = encoding === 'br' ? brotliCompressSync(this.content, quality) : gzipSync(this.content);
      this.compressed.set(encoding, bytes);
    }
    return bytes;
  }
}

/** Address and content of each file of the browser app. */
export function readServedFiles(folder: string): Map<string, ServedFile> {
  const files = new Map(readAppFiles(folder).map(({ path, content }) => [`/${path}`, new ServedFile(path, content)]));
  const start = files.get('/index.html');
  if (start !== undefined) files.set('/', start);
  return files;
}

/** The files of the browser app: those below the folder, nothing hidden, and no links that lead elsewhere; or, where the page itself is
 *  not among them, those of the archive that the package carries.
 *  @throws An `InputError` if the page is in neither. */
export function readAppFiles(folder: string): AppFile[] {
  try {
    const files = filesBelow(folder);
    const plain = files.filter(({ path }) => path !== ARCHIVE);
    if (plain.some(({ path }) => path === 'index.html')) return plain;
    const archive = files.find(({ path }) => path === ARCHIVE);
    if (archive !== undefined) return [...plain, ...filesOfArchive(archive.content)];
  } catch (error) {
    throw new InputError({
      source: folder,
      message: `the browser app is not there: ${systemReason(error)}`,
      wayOut: 'build it with npm run web',
    });
  }
  throw new InputError({
    source: folder,
    message: 'the browser app is not there: found no index.html',
    wayOut: 'build it with npm run web',
  });
}

function filesBelow(folder: string): AppFile[] {
  const found: AppFile[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const parts = relative(folder, path).split(sep);
    if (entry.isFile() && !parts.some((part) => part.startsWith('.'))) found.push({ path: parts.join('/'), content: readFileSync(path) });
  }
  return found;
}
