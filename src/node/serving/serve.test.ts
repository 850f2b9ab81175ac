import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedApp, serveFolder } from './serve.js';

/** More than the system keeps for a client that does not read. */
const largeScript = 'export const x = 1;\n'.repeat(1 << 19);
let folder: string;
let app: ServedApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-serve-'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  mkdirSync(join(folder, 'app/assets'), { recursive: true });
  mkdirSync(join(folder, 'app/.hidden'));
  writeFileSync(join(folder, 'app/index.html'), '<!doctype html>hello');
  writeFileSync(join(folder, 'app/assets/a b.js'), 'export {};');
  writeFileSync(join(folder, 'app/assets/large.js'), largeScript);
  writeFileSync(join(folder, 'app/.hidden/x.js'), 'hidden');
  writeFileSync(join(folder, 'app/.env'), 'hidden');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'app/link.txt'));
  app = await serveFolder({ folder: join(folder, 'app') });
});

afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

function ask(path: string, { method = 'GET', host = `127.0.0.1:${app.port}` }: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: app.port, path, method, headers: { host } }, (response) => {
      let body = '';
      response.on('data', (part) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** A request word for word, which no client would send. */
function askRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.on('data', (part) => (answer += part));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('serveFolder', () => {
  test('gives the page and its files, with their types', async () => {
    expect(app.address).toBe(`http://127.0.0.1:${app.port}/`);
    const page = await ask('/');
    expect([page.status, page.body, page.headers['content-type']]).toEqual([200, '<!doctype html>hello', 'text/html; charset=utf-8']);
    const script = await ask('/assets/a%20b.js?version=1');
    expect([script.status, script.body, script.headers['content-type']]).toEqual([200, 'export {};', 'text/javascript; charset=utf-8']);
  });

  test('lets the page do nothing beyond its own files', async () => {
    for (const path of ['/', '/nothing']) {
      const { headers } = await ask(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|\*|https?:/);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '//etc/passwd',
    '/assets/..\\..\\secret.txt',
    '/link.txt',
    '/.env',
    '/.hidden/x.js',
    '/index.html%00.js',
    '/%',
    '/assets',
    '/assets/',
    '/__proto__',
    'http://127.0.0.1/secret.txt',
  ])('has nothing at %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body).toBe('There is nothing here.\n');
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example'])(
    'does not answer to the name "%s"',
    async (host) => {
      const { status, body } = await ask('/', { host });
      expect(status).toBe(421);
      expect(body).not.toContain('hello');
    },
  );

  test('answers to localhost', async () => {
    expect((await ask('/', { host: `localhost:${app.port}` })).status).toBe(200);
    expect((await ask('/', { host: `LOCALHOST:${app.port}` })).status).toBe(200);
  });

  test('only lets files be read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask('/', { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '20']);
  });

  test('survives what is no request', async () => {
    expect(await askRaw('\x16\x03\x01 nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    // without a name, and with an empty one
    expect(await askRaw('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await askRaw('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 421 /);
    expect(await askRaw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 421 /);
    expect((await ask('/')).status).toBe(200);
  });

  test('compresses a file once, for those who understand it', async () => {
    const { gunzipSync, brotliDecompressSync } = await import('node:zlib');
    const fetched = (accepted: string): Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }> =>
      new Promise((resolve, reject) => {
        const headers = { host: `127.0.0.1:${app.port}`, 'accept-encoding': accepted };
        const asked = request({ host: '127.0.0.1', port: app.port, path: '/assets/large.js', headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part) => parts.push(part));
          const { 'content-encoding': encoding, vary } = response.headers;
          response.on('end', () => resolve({ encoding, vary, body: Buffer.concat(parts) }));
        });
        asked.on('error', reject);
        asked.end();
      });
    const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes) => bytes };
    for (const [accepted, expected] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, GZIP;q=0.5', 'gzip'],
      ['identity', 'none'],
      ['gzip;q=0', 'none'],
      ['', 'none'],
    ]) {
      const { encoding = 'none', vary, body } = await fetched(accepted);
      expect([accepted, encoding, vary]).toEqual([accepted, expected, 'Accept-Encoding']);
      expect(decoders[expected](body).toString() === largeScript).toBe(true);
    }
  });

  test('refuses headers and addresses that are too long, and requests with a body', async () => {
    const host = `Host: 127.0.0.1:${app.port}\r\n`;
    expect(await askRaw(`GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(9000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(await askRaw(`GET /${'x'.repeat(9000)} HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(await askRaw(`GET / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await askRaw(`GET / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    expect((await ask('/')).status).toBe(200);
  });

  test('answers some requests that come together, and drops who sends too many', async () => {
    const get = (last: boolean): string => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const answered = await askRaw(get(false).repeat(7) + get(true));
    expect(answered.match(/HTTP\/1.1 200 OK/g)).toHaveLength(8);
    const tooMany = await askRaw(get(false).repeat(500)).catch(() => '');
    expect((tooMany.match(/HTTP\/1.1 200 OK/g) ?? []).length).toBeLessThan(100);
    expect((await ask('/')).status).toBe(200);
  });

  test('drops a client that does not take its answer, and no other', async () => {
    const impatient = await serveFolder({ folder: join(folder, 'app'), patience: 300 });
    try {
      const socket = connect(impatient.port, '127.0.0.1', () => {
        socket.pause();
        socket.write(`GET /assets/large.js HTTP/1.1\r\nHost: 127.0.0.1:${impatient.port}\r\n\r\n`);
      });
      socket.on('error', () => {});
      await new Promise((resolve) => setTimeout(resolve, 1500));
      // what is in between still comes, and then the end
      let length = 0;
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.on('data', (part) => (length += part.length));
      socket.resume();
      await closed;
      expect(length).toBeLessThan(largeScript.length);
      expect((await (await fetch(`${impatient.address}assets/large.js`)).text()) === largeScript).toBe(true);
    } finally {
      await impatient.stop();
    }
  });

  test('listens on this machine only', async () => {
    const { networkInterfaces } = await import('node:os');
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) {
      const outcome = await new Promise((resolve) => {
        const socket = connect(app.port, address, () => resolve('connected'));
        socket.on('error', () => resolve('refused'));
        socket.on('connect', () => socket.destroy());
      });
      expect([address, outcome]).toEqual([address, 'refused']);
    }
  });

  test('says who has the port already, and what is missing', async () => {
    await expect(serveFolder({ folder: join(folder, 'app'), port: app.port })).rejects.toThrow(
      /cannot listen on port \d+: another program does already/,
    );
    await expect(serveFolder({ folder: join(folder, 'nowhere') })).rejects.toThrow(/the browser app is not there/);
    await expect(serveFolder({ folder: join(folder, 'app/assets') })).rejects.toThrow(/found no index.html/);
  });

  test('stops at once, even with a connection open', async () => {
    const other = await serveFolder({ folder: join(folder, 'app') });
    const socket = connect(other.port, '127.0.0.1');
    await new Promise((resolve) => socket.on('connect', resolve));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await other.stop();
    await closed;
    await expect(fetch(other.address)).rejects.toThrow();
  });
});
