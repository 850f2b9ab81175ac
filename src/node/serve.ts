import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { InputError } from '../core/problem.js';
import { systemReason } from './terminal.js';

const LOOPBACK = '127.0.0.1';

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

/** What the page may do: its own files, its own workers and compiled kernels, and nothing on any other host. */
export const appPolicy: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const commonHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': appPolicy,
  // together they give the page threads that share memory
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

export interface ServedApp {
  /** `http://127.0.0.1:40123/` */
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** The folder whose files are served; those that it has now, and no others. */
  readonly folder: string;
  /** A free one if not given. */
  readonly port?: number | undefined;
}

/** Serves the files of a folder to this machine only. Requests are answered from a list of what the folder holds at the start, so no
 *  path can lead out of it, and a request that names another host is refused, so that no foreign page can reach in through a name
 *  that it has made to lead here. */
export async function serveFolder({ folder, port = 0 }: ServeOptions): Promise<ServedApp> {
  const files = filesOf(folder);
  let hosts: ReadonlySet<string> = new Set();
  const server = createServer((request, response) => answer(request, response, files, hosts));
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        new InputError({
          message: `cannot listen on port ${port}: ${taken ? 'another program does already' : systemReason(error)}`,
          wayOut: 'choose another with --port, or leave it out for a free one',
        }),
      );
    });
    server.listen(port, LOOPBACK, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  // a browser leaves the port of plain HTTP out
  hosts = new Set([LOOPBACK, 'localhost'].flatMap((name) => (chosen === 80 ? [name, `${name}:80`] : [`${name}:${chosen}`])));
  return {
    address: `http://${LOOPBACK}:${chosen}/`,
    port: chosen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Address of each file below the folder; nothing hidden, and no links that lead elsewhere. */
function filesOf(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    throw new InputError({
      source: folder,
      message: `the browser app is not there: ${systemReason(error)}`,
      wayOut: 'build it with npm run web',
    });
  }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const parts = relative(folder, path).split(sep);
    if (entry.isFile() && !parts.some((part) => part.startsWith('.'))) files.set(`/${parts.join('/')}`, path);
  }
  const start = files.get('/index.html');
  if (start === undefined) {
    throw new InputError({
      source: folder,
      message: 'the browser app is not there: found no index.html',
      wayOut: 'build it with npm run web',
    });
  }
  files.set('/', start);
  return files;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array;
}

function answer(request: IncomingMessage, response: ServerResponse, files: ReadonlyMap<string, string>, hosts: ReadonlySet<string>): void {
  const { status, headers, content } = replyTo(request, files, hosts);
  response.writeHead(status, { ...commonHeaders, ...headers, 'Content-Length': content.length });
  response.end(request.method === 'HEAD' ? undefined : content);
}

function replyTo({ headers, method, url = '/' }: IncomingMessage, files: ReadonlyMap<string, string>, hosts: ReadonlySet<string>): Reply {
  if (!hosts.has((headers.host ?? '').toLowerCase())) return refusal(421, 'This server answers to localhost only.');
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Files can be read here, nothing else.', { Allow: 'GET, HEAD' });
  const file = files.get(pathOf(url) ?? '');
  const content = file === undefined ? undefined : contentOf(file);
  if (file === undefined || content === undefined) return refusal(404, 'There is nothing here.');
  return { status: 200, headers: { 'Content-Type': contentTypes[extname(file).toLowerCase()] ?? 'application/octet-stream' }, content };
}

function refusal(status: number, words: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, content: new TextEncoder().encode(`${words}\n`) };
}

/** What was a file at the start may be gone by now, or be something else. */
function contentOf(file: string): Uint8Array | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** The path of an address, decoded once; undefined if it cannot be. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
}

/** Waits until the program is told to stop. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

/** Asks the desktop to show an address; whether it does is not our business. */
export async function openInBrowser(address: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [program, ...argv] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  const child = spawn(program, argv, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
