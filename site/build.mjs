// Builds the site into site/dist: guides, references, reproductions, the classroom and the app as static files.
//
//   npm run site [-- --base /path/]     the pages; serve site/dist with any server for static files
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
if (!/^\/([\w.~-]+\/)*$/.test(values.base)) {
  process.stderr.write(`--base must begin and end with a slash, as in /gradus/, found ${values.base}\n`);
  process.exit(2);
}
/** Runs a program to its end; where it fails, it has said why. */
function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: here, stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(1);
}
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

// the generator is needed for the site only, so it is no part of what everybody installs
if (!existsSync(`${here}node_modules/vitepress`)) run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
const { writePages } = await import('./pages.mjs');
const count = writePages();
run(
  process.execPath,
  [
    fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url)),
    'build',
    '--logLevel',
    'warn',
    '--config',
    'vite.classroom.config.ts',
  ],
  {
    cwd: fileURLToPath(new URL('../web/', import.meta.url)),
  },
);
run(process.execPath, [`${here}node_modules/vitepress/bin/vitepress.js`, 'build', '.'], {
  env: { ...process.env, GRADUS_SITE_BASE: values.base },
});
process.stdout.write(`${count} pages of documentation and the app are in site/dist.\n`);
