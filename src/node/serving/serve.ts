import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { ByteSource } from '../../formats/source.js';
import { systemReason } from '../terminal.js';
import { type Access, cookieHeader, refusedBy } from './access.js';
import { type Encoding, readServedFiles, ServedFile } from './served-files.js';

const LOOPBACK = '127.0.0.1';

/** Further ones are not looked at. */
const MOST_HEADERS = 100;
const REQUEST_MILLISECONDS = 10_000;
const ANSWER_MILLISECONDS = 30_000;

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

/** A running server, and the way to stop it. */
export interface ServedApp {
  /** What a browser is to open. */
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** What is served, and to whom it is refused. */
export interface ServeOptions {
  /** The folder whose files are served; those that it has now, and no others. */
  readonly folder: string;
  /** A free one by default. */
  readonly port?: number | undefined;
  /** The address to listen on. If it is given, others can reach it, and only requests with a token are answered; 127.0.0.1, without a
   *  token, by default. */
  readonly host?: string | undefined;
  /** Files that the page opens by itself: the first one as judgements, the others as runs. They are read when they are asked for. */
  readonly files?: readonly ByteSource[] | undefined;
  /** After how long a client that does not take its answer is dropped, in milliseconds; 30,000 by default. */
  readonly patience?: number | undefined;
}

/** Serves the files of a folder to this machine only, or, with a host, to whoever has the token in the address. Requests are answered from a list of what the folder holds at the start, so no
 *  path can lead out of it, and a request that names another host is refused, so that no foreign page can reach in through a name
 *  that it has made to lead here. Memory is bounded by the files and the number of connections, whatever clients do. */
export async function serveFolder({
  folder,
  port = 0,
  host,
  files: given = [],
  patience = ANSWER_MILLISECONDS,
}: ServeOptions): Promise<ServedApp> {
  const files = readServedFiles(folder);
  if (given.length > 0) files.set('/given.json', new ServedFile('given.json', listOf(given)));
  let access: Access = { hosts: new Set() };
  const server = boundedServer(patience, (request) => replyTo(request, files, given, access));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        new InputError({
          message: `cannot listen on ${host === undefined ? '' : `${host}, `}port ${port}: ${taken ? 'another program does already' : systemReason(error)}`,
          wayOut:
            taken || host === undefined
              ? 'choose another with --port, or leave it out for a free one'
              : 'name an address of this machine, such as 0.0.0.0',
        }),
      );
    });
    server.listen(port, host ?? LOOPBACK, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  // a browser leaves the port of plain HTTP out
  const hosts = new Set([LOOPBACK, 'localhost'].flatMap((name) => (chosen === 80 ? [name, `${name}:80`] : [`${name}:${chosen}`])));
  // cookies do not tell ports apart
  access = host === undefined ? { hosts } : { token: randomBytes(16).toString('hex'), cookie: `gradus-${chosen}` };
  const words = [...(given.length > 0 ? ['files'] : []), ...('token' in access ? [`token=${access.token}`] : [])];
  return {
    address: `http://${nameOf(host)}:${chosen}/${words.length === 0 ? '' : `?${words.join('&')}`}`,
    port: chosen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a browser on this machine calls the address that a server listens on. */
function nameOf(host = LOOPBACK): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

/** Where the page finds the files that it opens by itself, and what they are. */
function listOf(files: readonly ByteSource[]): Uint8Array {
  const list = files.map(({ name, fileName = name }, i) => ({ name: fileName, as: i === 0 ? 'judgements' : 'run', address: `given/${i}` }));
  return new TextEncoder().encode(JSON.stringify(list));
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A file that is read while it is sent, because it may be large, or bytes. */
  readonly content: Uint8Array | ByteSource;
}

function boundedServer(patience: number, reply: (request: IncomingMessage) => Reply): Server {
  const waiting = new WeakMap<Socket, number>();
  const bounds = {
    // the size at which a request is refused
    maxHeaderSize: limits.serveHeaderBytes + 1,
    headersTimeout: REQUEST_MILLISECONDS,
    requestTimeout: REQUEST_MILLISECONDS,
    connectionsCheckingInterval: 2000,
  };
  const server = createServer(bounds, (request, response) => {
    const { socket } = request;
    // what was read together with the request that was one too many
    if (socket.destroyed) return;
    const number = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, number);
    if (number > limits.serveWaiting) {
      socket.destroy();
      return;
    }
    const answer = reply(request);
    // a file of any size may take its time, as long as somebody reads it
    const timer = answer.content instanceof Uint8Array ? setTimeout(() => socket.destroy(), patience) : undefined;
    response.once('close', () => {
      clearTimeout(timer);
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    });
    send(request, response, answer);
  });
  server.maxConnections = limits.serveConnections;
  server.maxHeadersCount = MOST_HEADERS;
  server.timeout = patience;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    setTimeout(() => socket.destroy(), 1000).unref();
  });
  return server;
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, content }: Reply): void {
  // a body is read by nobody
  const close = status === 200 ? {} : { Connection: 'close' };
  const all = { ...commonHeaders, ...headers, ...close };
  if (content instanceof Uint8Array) {
    response.writeHead(status, { ...all, 'Content-Length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
    return;
  }
  response.writeHead(status, all);
  if (request.method === 'HEAD') response.end();
  // a file that cannot be read to its end cuts the answer off, which the page reports
  else pipeline(Readable.from(copies(content)), response, () => undefined);
}

/** The chunks of a file, each of which would only be valid until the next one is asked for. */
async function* copies(source: ByteSource): AsyncGenerator<Uint8Array> {
  for await (const chunk of source.open()) yield chunk.slice();
}

function replyTo(request: IncomingMessage, files: ReadonlyMap<string, ServedFile>, given: readonly ByteSource[], access: Access): Reply {
  const refused = refusedBy(access, request);
  if (refused !== undefined) return refusal(refused.status, refused.words);
  const reply = fileFor(request, files, given);
  return { ...reply, headers: { ...reply.headers, ...cookieHeader(access, request) } };
}

function fileFor(request: IncomingMessage, files: ReadonlyMap<string, ServedFile>, given: readonly ByteSource[]): Reply {
  const { headers, method, url = '/' } = request;
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Files can be read here, nothing else.', { Allow: 'GET, HEAD' });
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
    return refusal(400, 'A request for a file has no content.');
  }
  const path = pathOf(url) ?? '';
  const asked = /^\/given\/(\d{1,9})$/.exec(path)?.[1];
  const source = asked === undefined ? undefined : given[Number(asked)];
  if (source !== undefined) return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, content: source };
  const file = files.get(path);
  if (file === undefined) return refusal(404, 'There is nothing here.');
  const about = { 'Content-Type': file.type };
  if (!file.isCompressible) return { status: 200, headers: about, content: file.content };
  const encoding = acceptedEncoding(headers['accept-encoding']);
  const varying = { ...about, Vary: 'Accept-Encoding' };
  if (encoding === undefined) return { status: 200, headers: varying, content: file.content };
  return { status: 200, headers: { ...varying, 'Content-Encoding': encoding }, content: file.encoded(encoding) };
}

/** The best of those that are named, and not with a weight of zero. */
function acceptedEncoding(accepted = ''): Encoding | undefined {
  const named = accepted.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const takes = (encoding: string): boolean => named.some(([name, weight = '1']) => name === encoding && Number(weight) > 0);
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined;
}

function refusal(status: number, words: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, content: new TextEncoder().encode(`${words}\n`) };
}

/** The path of an address, decoded once; undefined if it cannot be. */
function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
}

/** Waits for the signal to stop. */
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
