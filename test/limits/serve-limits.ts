import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../src/core/problem.js';
import { serveFolder } from '../../src/node/serving/serve.js';
import type { LimitCases } from './limit-case.js';

/** More than the system keeps for a client that does not read. */
const LARGE = 8 << 20;

async function whileServing(work: (port: number) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>hello');
  writeFileSync(join(folder, 'large.bin'), new Uint8Array(LARGE));
  const app = await serveFolder({ folder });
  try {
    await work(app.port);
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function request(port: number, path: string, filler: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${filler}\r\n\r\n`;
}

/** The first line of the answer; what is not answered with the file is refused. */
function answerTo(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      answer += part;
      const [first] = answer.split('\r\n', 1);
      if (first === 'HTTP/1.1 200 OK') resolve(first);
      else reject(new InputError(first));
    });
    socket.on('close', () => reject(new InputError('connection closed')));
    socket.on('error', () => reject(new InputError('connection closed')));
    socket.write(text);
  });
}

export const serveLimits: LimitCases = {
  serveConnections: [
    {
      name: 'clients that stay',
      lowered: 5,
      use: (amount) =>
        whileServing(async (port) => {
          for (let i = 0; i < amount; i++) await answerTo(connect(port, '127.0.0.1'), request(port, '/', ''));
        }),
    },
  ],
  serveHeaderBytes: [
    {
      name: 'a long header',
      use: (amount) =>
        whileServing(async (port) => {
          const counted = `/Host127.0.0.1:${port}X`.length;
          await answerTo(connect(port, '127.0.0.1'), request(port, '/', 'x'.repeat(amount - counted)));
        }),
    },
    {
      name: 'a long address',
      use: (amount) =>
        whileServing(async (port) => {
          const counted = `/?Host127.0.0.1:${port}X`.length;
          await answerTo(connect(port, '127.0.0.1'), request(port, `/?${'x'.repeat(amount - counted)}`, ''));
        }),
    },
  ],
  serveWaiting: [
    {
      name: 'requests in a row of a client that does not read',
      lowered: 4,
      use: (amount) =>
        whileServing(
          (port) =>
            new Promise((resolve, reject) => {
              const socket = connect(port, '127.0.0.1', () => socket.pause());
              socket.on('error', () => reject(new InputError('connection closed')));
              socket.on('close', () => reject(new InputError('connection closed')));
              socket.write(request(port, '/large.bin', '').repeat(amount));
              setTimeout(() => {
                // a client that reads now gets what it asked for
                let numBytes = 0;
                socket.on('data', (part) => {
                  numBytes += part.length;
                  if (numBytes > amount * LARGE) resolve();
                });
                socket.resume();
              }, 200);
            }),
        ),
    },
  ],
};
