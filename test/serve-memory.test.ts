import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from './helpers/run-gradus.js';

const NUM_CLIENTS = 40;
const REQUESTS_AT_ONCE = 1500;
const NUM_ROUNDS = 4;
const MEGABYTE = 1 << 20;

let folder: string;
let child: ChildProcess;
let lines: Interface;
let port: number;

/** The server in a process of its own, which tells its resident memory when it is asked. */
const program = `
  const { serveFolder } = await import(process.argv[1]);
  const app = await serveFolder({ folder: process.argv[2] });
  console.log(app.port);
  process.stdin.on('data', () => console.log(process.memoryUsage().rss));
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-serve-memory-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>hello');
  writeFileSync(join(folder, 'large.js'), randomBytes(300_000).toString('hex'));
  child = spawn(process.execPath, ['--input-type=module', '-e', program, `${repository}dist/node/serving/serve.js`, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  lines = createInterface({ input: child.stdout ?? process.stdin });
  port = Number(await nextLine());
});

afterAll(() => {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
});

function nextLine(): Promise<string> {
  return new Promise((resolve) => lines.once('line', resolve));
}

async function residentBytes(): Promise<number> {
  const answer = nextLine();
  child.stdin?.write('?\n');
  return Number(await answer);
}

/** Asks for a large file again and again, and reads nothing. */
function flood(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      socket.write(`GET /large.js HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(REQUESTS_AT_ONCE), () => resolve(socket));
    });
    // a server that has stopped reading never takes the rest
    setTimeout(() => resolve(socket), 1000);
    socket.on('error', () => resolve(socket));
    socket.on('close', () => resolve(socket));
  });
}

test('serveFolder stays small while many clients ask without reading, and goes on answering', async () => {
  const page = async (): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(await page()).toBe('<!doctype html>hello');
  expect((await (await fetch(`http://127.0.0.1:${port}/large.js`)).text()).length).toBe(600_000);
  const before = await residentBytes();
  let most = before;
  const sockets: Socket[] = [];
  for (let round = 0; round < NUM_ROUNDS; round++) {
    sockets.push(...(await Promise.all(Array.from({ length: NUM_CLIENTS }, flood))));
    most = Math.max(most, await residentBytes());
    expect(await page()).toBe('<!doctype html>hello');
  }
  most = Math.max(most, await residentBytes());
  for (const socket of sockets) socket.destroy();
  expect(most - before).toBeLessThan(150 * MEGABYTE);
  expect(await page()).toBe('<!doctype html>hello');
}, 60_000);
