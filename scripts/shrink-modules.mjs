// Makes the built modules as small as they can be without becoming unreadable. Comments and indentation are two fifths of their size, and
// whoever uses the library reads the comments in the declarations beside each module, and in the reference. Variables inside functions get
// short names; functions, classes and methods keep theirs, and lines stay short, so that the place of a defect can be read. Declarations
// that no entry point leads to help nobody.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { minifySync } from 'rolldown/utils';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js') || /^(app|bin|cli)[\\/]/.test(file)) continue;
  const code = readFileSync(`${dist}${file}`, 'utf8');
  const { code: renamed, errors } = minifySync(file, code, {
    module: true,
    compress: false,
    mangle: { toplevel: false },
    codegen: { removeWhitespace: false },
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const { code: bare } = transformSync(renamed, {
    format: 'esm',
    target: 'esnext',
    legalComments: 'inline',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
  });
  if (bare.length < code.length) writeFileSync(`${dist}${file}`, bare);
}

/** The declarations that those of the entry points refer to, themselves included. */
function reachableDeclarations() {
  const { exports } = JSON.parse(readFileSync(`${dist}../package.json`, 'utf8'));
  /** @type {string[]} */
  const open = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [posix.relative('dist', types)]));
  const reached = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const [, name] of readFileSync(`${dist}${file}`, 'utf8').matchAll(/["'](\.[^"']+)\.js["']/g)) {
      const target = posix.join(posix.dirname(file), `${name}.d.ts`);
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

const reached = reachableDeclarations();
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const path = file.replaceAll('\\', '/');
  if (path.endsWith('.d.ts') && !/^(app|bin|cli)\//.test(path) && !reached.has(path)) rmSync(`${dist}${file}`);
}
