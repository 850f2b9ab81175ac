// Builds wheel and source distribution of the Python package from what is in `python/src` and `dist`: npm run build:python [FOLDER]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findPython, noPython } from './python.mjs';

const python = findPython();
if (python === undefined) {
  process.stderr.write(`${noPython}\n`);
  process.exit(2);
}
const backend = fileURLToPath(new URL('../python/backend/gradus_build.py', import.meta.url));
process.exit(spawnSync(python, ['-B', backend, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
