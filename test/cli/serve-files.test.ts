import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { launcher, repository, runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-serve-files-'));
const data = (name: string): string => join(repository, 'examples/data', name);
let server: ChildProcess | undefined;
afterEach(async () => {
  if (server === undefined || server.exitCode !== null) return;
  server.kill('SIGINT');
  await once(server, 'exit');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function started(...args: string[]): Promise<URL> {
  server = spawn(process.execPath, [launcher, 'serve', '--quiet', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return new URL(chunk.toString().trim());
}

function asked(address: URL | string, headers: Record<string, string> = {}): Promise<{ status: number; body: string; cookie: string }> {
  return new Promise((resolve, reject) => {
    get(address, { headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, cookie: String(response.headers['set-cookie'] ?? '') }));
    }).on('error', reject);
  });
}

test('gradus serve QRELS RUN offers the files to the page, judgements first', async () => {
  const address = await started(data('example.qrels'), data('bm25.run'), data('neural.run'));
  expect(address.search).toBe('?files');
  expect(JSON.parse((await asked(new URL('given.json', address))).body)).toEqual([
    { name: 'example.qrels', as: 'judgements', address: 'given/0' },
    { name: 'bm25.run', as: 'run', address: 'given/1' },
    { name: 'neural.run', as: 'run', address: 'given/2' },
  ]);
  expect((await asked(new URL('given/1', address))).body).toContain(' Q0 ');
  for (const path of ['given/3', 'given/-1', 'given/1/..', 'given/']) expect((await asked(new URL(path, address))).status, path).toBe(404);
});

test('gradus serve --host answers only to requests with the token, or with the cookie that the token gave', async () => {
  const address = await started(data('example.qrels'), data('bm25.run'), '--host', '0.0.0.0');
  expect(address.host).toMatch(/^localhost:\d+$/);
  expect(address.search).toMatch(/^\?files&token=[0-9a-f]{32}$/);
  const bare = `http://127.0.0.1:${address.port}/`;
  for (const path of ['', 'given.json', 'given/0', '?token=', `?token=${'0'.repeat(32)}`]) {
    const { status, body, cookie } = await asked(bare + path);
    expect([status, cookie], path).toEqual([403, '']);
    expect(body).not.toContain('html');
  }
  const first = await asked(bare + address.search);
  expect(first.status).toBe(200);
  expect(first.cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
  const cookie = first.cookie.split(';')[0];
  expect((await asked(`${bare}given/1`, { cookie })).status).toBe(200);
  expect((await asked(`${bare}given/1`, { cookie: `${cookie}0` })).status).toBe(403);
});

test('files that are not there, and standard input, are refused before anything is served', () => {
  const missing = runGradus(['serve', join(folder, 'no.qrels')]);
  expect([missing.stderr, missing.status]).toEqual([`gradus: ${join(folder, 'no.qrels')}: cannot be read: no such file or directory\n`, 2]);
  const piped = runGradus(['serve', '-']);
  expect(piped.stderr).toContain('standard input cannot be served; save it to a file and name that');
  const elsewhere = runGradus(['serve', '--host', '192.0.2.1']);
  expect(elsewhere.stderr).toContain('name an address of this machine, such as 0.0.0.0');
});

test('gradus serve --save writes the page as files, and serves nothing', async () => {
  const page = join(folder, 'page');
  for (const [words, message] of [
    [['--port', '8080'], '--save serves nothing, so that --port has no meaning; leave --port out'],
    [[data('example.qrels')], '--save writes the page without any files; drop them on the page'],
  ] as const) {
    const refused = await runGradus(['serve', '--save', page, ...words]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(message);
    expect(existsSync(page)).toBe(false);
  }
  expect(await runGradus(['serve', '--save', page, '--quiet'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  const [, script] = /src="\.\/(assets\/[^"]+\.js)"/.exec(readFileSync(join(page, 'index.html'), 'utf8')) ?? [];
  expect(existsSync(join(page, String(script)))).toBe(true);
});
