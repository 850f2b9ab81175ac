import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASE_HEADER, type Message, type Task } from './child.js';
import type { Finding, Progress } from './target.js';

/** Seconds of the clock after which a case is taken to hang; the machine may be busy with other things. */
const HANGS_AFTER = 60;
/** Bytes beyond which a process is ended. */
const MOST_MEMORY = 3e9;
const LOOK_EVERY = 500;

export interface TargetResult extends Progress {
  readonly target: string;
  readonly seconds: number;
  readonly findings: readonly Finding[];
}

/** Runs a task in a process of its own, which is ended and started again behind the case that hangs, grows or dies. */
export async function supervise(
  task: Omit<Task, 'caseFile' | 'firstCase'>,
  onFinding: (finding: Finding) => void = () => {},
): Promise<TargetResult> {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-fuzz-'));
  const started = Date.now();
  const findings: Finding[] = [];
  const found = (finding: Finding): void => {
    // a target that dies at every turn would find nothing else
    if (findings.some(({ kind, target }) => kind === finding.kind && target === finding.target && !task.onlyInputs)) return;
    findings.push(finding);
    onFinding(finding);
  };
  let numCases = 0;
  let numKinds = 0;
  let numRepeated = 0;
  let work = 0;
  try {
    for (let firstCase = 0; ; ) {
      const numLeft = task.numCases - numCases;
      const inputs = task.onlyInputs ? task.inputs.slice(firstCase) : task.inputs;
      const { progress, ended } = await runChild(
        { ...task, inputs, firstCase, numCases: numLeft, caseFile: join(folder, 'case') },
        folder,
        found,
      );
      if (progress !== undefined) {
        numCases += progress.numCases;
        numKinds += progress.numKinds;
        numRepeated += progress.numRepeated;
        work += progress.work;
        break;
      }
      if (ended === undefined) break;
      const last = lastCase(join(folder, 'case'));
      const caseNumber = task.onlyInputs ? firstCase + last.caseNumber : last.caseNumber;
      found({ target: task.target, seed: task.seed, caseNumber, kind: ended.kind, details: ended.details, input: last.input });
      numCases += caseNumber + 1 - firstCase;
      firstCase = caseNumber + 1;
      if (Date.now() >= task.deadline || numCases >= task.numCases) break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { target: task.target, seconds: (Date.now() - started) / 1000, findings, numCases, numKinds, numRepeated, work };
}

interface Ending {
  readonly kind: string;
  readonly details: string;
}

async function runChild(
  task: Task,
  folder: string,
  onFinding: (finding: Finding) => void,
): Promise<{ progress?: Progress | undefined; ended?: Ending | undefined }> {
  const child = fork(fileURLToPath(new URL('./child.js', import.meta.url)), [], {
    cwd: folder,
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=1500'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NO_COLOR: '1', TMPDIR: folder },
  });
  let words = '';
  child.stderr?.on('data', (text: Buffer) => {
    words = (words + text.toString()).slice(-4000);
  });
  let progress: Progress | undefined;
  let killed: Ending | undefined;
  child.on('message', (message: Message) => {
    if (message.type === 'finding') onFinding(message.finding);
    else {
      progress = message.progress;
      child.kill('SIGKILL');
    }
  });
  child.send(task);
  const stopWatching = watch(child, task.caseFile, (ending) => {
    killed = ending;
    child.kill('SIGKILL');
  });
  const exit = await new Promise<string>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? `status ${code}`));
  });
  stopWatching();
  if (progress !== undefined) return { progress };
  return { ended: killed ?? { kind: `the process ends with ${exit}`, details: words } };
}

/** Calls `end` when the same case has been at work for too long, or memory has run out. */
function watch(child: ChildProcess, caseFile: string, end: (ending: Ending) => void): () => void {
  let at = -1;
  let since = Date.now();
  const timer = setInterval(() => {
    const { caseNumber } = lastCase(caseFile);
    if (caseNumber !== at) {
      at = caseNumber;
      since = Date.now();
    } else if (Date.now() - since > HANGS_AFTER * 1000) {
      end({ kind: `hangs: no answer for ${HANGS_AFTER} seconds`, details: '' });
    }
    const memory = memoryOf(child.pid);
    if (memory > MOST_MEMORY) end({ kind: `takes more than ${MOST_MEMORY / 1e9} GB of memory`, details: '' });
  }, LOOK_EVERY);
  return () => clearInterval(timer);
}

/** Resident bytes of a process, where the system tells. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

function lastCase(caseFile: string): { caseNumber: number; input: Uint8Array } {
  try {
    const record = readFileSync(caseFile);
    return { caseNumber: record.readUInt32LE(0), input: record.subarray(CASE_HEADER, CASE_HEADER + record.readUInt32LE(4)) };
  } catch {
    return { caseNumber: 0, input: new Uint8Array(0) };
  }
}
