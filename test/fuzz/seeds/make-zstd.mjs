// Writes zstd.json: small streams of the zstd program, in base64, for the fuzz target to start from.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const lines = Array.from({ length: 60 }, (_, i) => `${1 + (i >> 4)} Q0 doc-${(i * 7919) % 1000} ${i} ${(100 - i) / 8} tag\n`).join('');
const zstd = (input, ...options) => execFileSync('zstd', ['-c', ...options], { input });
const skippable = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0]), Buffer.from('abc')]);
const files = [
  zstd('1 Q0 a 1 3 t\n'),
  zstd(''),
  zstd(lines, '-1'),
  zstd(lines, '-19'),
  zstd(lines, '--no-check'),
  zstd('a'.repeat(5000)),
  Buffer.concat([zstd('1 Q0 a 1 3 t\n'), zstd(lines)]),
  Buffer.concat([skippable, zstd('1 Q0 a 1 3 t\n'), skippable]),
  zstd(Buffer.from(Array.from({ length: 700 }, (_, i) => (i * i * 31 + (i >> 3)) % 251))),
];
const base64 = files.map((file) => file.toString('base64'));
writeFileSync(new URL('zstd.json', import.meta.url), `${JSON.stringify(base64, null, 2)}\n`);
