import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const requirements = fileURLToPath(new URL('../rivals/requirements.txt', import.meta.url));

/** Makes a Python environment with the rivals unless the cache holds one with these very versions.
 *  @param {string} folder @returns {string} its interpreter */
export function installRivals(folder) {
  const environment = join(folder, 'venv');
  const stamp = join(environment, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  const python = join(environment, 'bin', 'python');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  process.stderr.write('installing the rivals from PyPI\n');
  rmSync(environment, { recursive: true, force: true });
  run('python3', ['-m', 'venv', environment]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]);
  writeFileSync(stamp, wanted);
  return python;
}

/** @param {string} python @returns {string} `name version, name version` of the rivals and what they compute with */
export function rivalVersions(python) {
  const names = ['pytrec-eval-terrier', 'ir-measures', 'ranx', 'numba', 'numpy'];
  const program = `import importlib.metadata as m, platform; print(", ".join(["Python " + platform.python_version()] + [n + " " + m.version(n) for n in ${JSON.stringify(names)}]))`;
  return run(python, ['-c', program]).trim();
}

/** @param {string} command @param {string[]} words */
function run(command, words) {
  const result = spawnSync(command, words, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`'${command} ${words.join(' ')}' failed: ${result.error?.message ?? result.stderr}`);
  return result.stdout;
}
