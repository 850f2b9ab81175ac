import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../../', import.meta.url));
export const launcher: string = `${repository}bin/gradus.js`;

/** Runs the built program as a user would, in the folder of the repository unless another is given. */
export function runGradus(
  argv: readonly string[],
  options: { input?: string | Uint8Array; cwd?: string; env?: Record<string, string> } = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [launcher, ...argv], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    cwd: options.cwd ?? repository,
    ...(options.input === undefined ? {} : { input: options.input }),
    env: { ...process.env, ...options.env },
  });
}

/** Runs a line of shell in which `gradus` is the built program. */
export function runShell(line: string, options: { cwd?: string; env?: Record<string, string> } = {}): SpawnSyncReturns<string> {
  return spawnSync('bash', ['-c', `gradus() { "${process.execPath}" "${launcher}" "$@"; }\n${line}`], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    cwd: options.cwd ?? repository,
    env: { ...process.env, ...options.env },
  });
}
