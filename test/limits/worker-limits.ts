import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkerSession } from '../../src/cli/worker/calls.js';
import { RunParts } from '../../src/cli/worker/inputs.js';
import { readMessage } from '../../src/node/serving/messages.js';
import type { LimitCases } from './limit-case.js';

/** Reads a message with a header of so many bytes and a body of so many. */
function received(headerBytes: number, bodyBytes: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
  try {
    const path = join(folder, 'message');
    const length = Math.ceil(bodyBytes / 8) * 8;
    const prefix = new DataView(new ArrayBuffer(16));
    prefix.setUint32(0, 0x44415247, true);
    prefix.setUint32(4, headerBytes, true); // fits: a few thousand
    prefix.setUint32(8, bodyBytes, true); // fits: a few thousand
    const header = `{"arrays":[{"type":"u8","length":${bodyBytes}}]}`.padEnd(headerBytes);
    writeFileSync(path, Buffer.concat([Buffer.from(prefix.buffer), Buffer.from(header), Buffer.alloc(length)]));
    const file = openSync(path, 'r');
    try {
      readMessage(file);
    } finally {
      closeSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const workerLimits: LimitCases = {
  messageHeaderBytes: [{ name: 'a long header', lowered: 1000, use: (amount) => received(amount, 0) }],
  messageBodyBytes: [
    // arrays are padded to 8 bytes, so that the next size is 8 more
    { name: 'a long body', lowered: 800, use: (amount) => received(100, Math.ceil(amount / 8) * 8) },
  ],
  heldInputs: [
    {
      name: 'a program that forgets to release',
      lowered: 20,
      async use(amount) {
        const session = new WorkerSession({});
        const header = { input: { kind: 'bytes', bytes: 0 } };
        const parts = new RunParts([], () => {
          throw new Error('no parts follow');
        });
        for (let i = 0; i < amount; i++) await session.answer('hold', header, [new Uint8Array(1)], parts);
      },
    },
  ],
};
