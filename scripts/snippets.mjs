// Runs every snippet of the documentation and writes what it prints into the page. With --check it writes nothing and fails if a
// page does not show what would be printed, or if a snippet has a wrong type.
//
//   ```console   each line that begins with "$ " is run by bash; what follows is what it prints, errors included
//   ```ts        is type-checked and run; a ```text block right after it is what it prints
//
//   npm run snippets
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const cache = `${root}.cache/snippets`;
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(`${root}docs`, { recursive: true })
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference'))
    .map((name) => `docs/${name}`)
    .sort(),
  ...readdirSync(`${root}docs/guides`).map((name) => `docs/guides/${name}`),
];

/** What a shell would show. The installation at the head of a line has been done by whoever runs this. */
function shellOutput(line) {
  const gradus = `gradus() { "${process.execPath}" "${root}bin/gradus.js" "$@"; }\n`;
  const command = line.replace(/^npm ci && /, '').replace(/^node /, `"${process.execPath}" `);
  const { stdout, error } = spawnSync('bash', ['-c', `${gradus}{ ${command}\n} 2>&1`], { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  return stdout;
}

function scriptOutput(code) {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm' });
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    encoding: 'utf8',
    input: script,
  });
  if (status !== 0) throw new Error(`a snippet failed:\n${code}\n${stderr}`);
  return stdout;
}

function consoleBlock(body) {
  const commands = body.split('\n').filter((line) => line.startsWith('$ '));
  return commands.map((line) => `${line}\n${shellOutput(line.slice(2))}`).join('');
}

const typed = [];

function renewed(text) {
  return text
    .replace(/```console\n([\s\S]*?)```/g, (_, body) => `\`\`\`console\n${consoleBlock(body)}\`\`\``)
    .replace(/```ts\n([\s\S]*?)```(?:(\n\n```text\n)[\s\S]*?```)?/g, (block, code, output) => {
      typed.push(code);
      // a snippet without an output block is a fragment of a larger program
      if (output === undefined) return block;
      return `\`\`\`ts\n${code}\`\`\`${output}${scriptOutput(code)}\`\`\``;
    });
}

/** Every snippet is a module of its own, checked against the published types. */
function checkTypes() {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  for (const [i, code] of typed.entries()) writeFileSync(`${cache}/snippet-${i + 1}.ts`, code);
  writeFileSync(`${cache}/tsconfig.json`, JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] }));
  const { stdout, status } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', cache], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(stdout);
  return status === 0;
}

let failed = false;
for (const page of pages) {
  const before = readFileSync(root + page, 'utf8');
  const after = renewed(before);
  if (after === before) continue;
  if (process.argv.includes('--check')) {
    failed = true;
    process.stderr.write(`${page} does not show what its snippets print; run npm run snippets\n`);
  } else writeFileSync(root + page, after);
}
if (!checkTypes()) failed = true;
process.exitCode = failed ? 1 : 0;
