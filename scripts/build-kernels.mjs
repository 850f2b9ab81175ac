// Compiles every kernel (*.as.ts) to WebAssembly and writes it, as base64, to the .wasm.ts beside it. Files in a folder
// `parts` are only imported by others. A first line `// asc: …` adds options of the compiler.
//   node scripts/build-kernels.mjs            writes
//   node scripts/build-kernels.mjs --check    ends with status 1 if a committed file differs from what would be written
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(`${root}src`, { recursive: true })
  .filter((path) => path.endsWith('.as.ts') && !/[\\/]parts[\\/]/.test(path))
  .sort();
const check = process.argv.includes('--check');
let differing = 0;

for (const source of sources) {
  const target = `${root}src/${source.replace(/\.as\.ts$/, '.wasm.ts')}`;
  const text = moduleText(await compile(source), source);
  if (!check) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    differing++;
    process.stderr.write(`src/${source} and its .wasm.ts differ; run node scripts/build-kernels.mjs\n`);
  }
}
process.exitCode = differing > 0 ? 1 : 0;

async function compile(source) {
  let wasm;
  const options = ['--runtime', 'stub', '--noAssert', '--importMemory', '--noExportMemory', '--enable', 'simd', '-O3'];
  const own = /^\/\/ asc: (.*)/.exec(readFileSync(`${root}src/${source}`, 'utf8'))?.[1].split(' ') ?? [];
  const { error, stderr } = await asc.main([source, '--baseDir', `${root}src`, '--outFile', 'kernel.wasm', ...options, ...own], {
    writeFile: (_name, contents) => {
      wasm = contents;
    },
  });
  if (error) throw new Error(`${source}: ${error.message}\n${stderr}`);
  return Buffer.from(wasm);
}

function moduleText(wasm, source) {
  const name = basename(source, '.as.ts').replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return `// Made by scripts/build-kernels.mjs from ${basename(source)}; ${wasm.length} bytes of WebAssembly.\nexport const ${name}Wasm: string =\n  '${wasm.toString('base64')}';\n`;
}
