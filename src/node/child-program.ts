import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { InputError } from '../core/problem.js';
import { removeAtExit } from './cleanup.js';
import { systemReason } from './terminal.js';

/** How another program ended, and what it said. */
export interface ChildOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  /** Whether it was ended because it took too long. */
  readonly timedOut: boolean;
}

/** Where another program runs, and for how long it may. */
export interface ChildOptions {
  readonly cwd?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly seconds?: number | undefined;
  /** Called with each whole line of its standard output, as soon as it is there. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Runs another program to its end. It ends together with this one, and so do the programs that it has started.
 *  @throws An `InputError` if it cannot be started. */
export async function runProgram(program: string, argv: readonly string[], options: ChildOptions = {}): Promise<ChildOutcome> {
  const { cwd, environment, seconds, onLine } = options;
  // a group of its own can be ended as a whole
  const detached = process.platform !== 'win32';
  const child = spawn(program, argv, {
    cwd,
    env: environment === undefined ? process.env : { ...environment },
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => {
    if (child.pid === undefined) return;
    if (detached) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  const release = removeAtExit(end);
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      end();
    },
    (seconds ?? NEVER) * 1000,
  );
  const out: Buffer[] = [];
  const words: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine);
  child.stderr.on('data', (chunk: Buffer) => words.push(chunk));
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => reject(new InputError({ source: program, message: `cannot be started: ${systemReason(error)}` })));
      child.on('close', resolve);
    });
    return { stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(words).toString('utf8'), status, timedOut };
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** As long as a timer can wait, in seconds: 24 days. */
const NEVER = 2_147_483;
