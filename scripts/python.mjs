// Finds a Python that the package for Python can be built and tested with.
import { spawnSync } from 'node:child_process';

const LEAST = [3, 10];

/** The command of a Python of 3.10 or newer, that of the environment variable PYTHON first; undefined if there is none. */
export function findPython() {
  const candidates = [process.env.PYTHON, 'python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
  return candidates.find((command) => {
    if (command === undefined || command === '') return false;
    const { status, stdout } = spawnSync(command, ['-c', 'import sys; print(*sys.version_info[:2])'], { encoding: 'utf8' });
    const [major, minor] = (stdout ?? '').trim().split(' ').map(Number);
    return status === 0 && major === LEAST[0] && minor >= LEAST[1];
  });
}

/** What is said where there is none. */
export const noPython = `no Python ${LEAST.join('.')} or newer was found; the environment variable PYTHON names one`;
