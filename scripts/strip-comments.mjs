// Takes comments and indentation out of the built modules: they are two fifths of their size, and whoever uses the library reads the
// comments in the declarations beside each module, and in the reference. Names stay, and lines stay short, so that the place of a defect
// can be read.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js') || /^(app|bin|cli)[\\/]/.test(file)) continue;
  const code = readFileSync(`${dist}${file}`, 'utf8');
  const { code: bare } = transformSync(code, {
    format: 'esm',
    target: 'esnext',
    legalComments: 'inline',
    minifyWhitespace: true,
    lineLimit: 120,
  });
  if (bare.length < code.length) writeFileSync(`${dist}${file}`, bare);
}
