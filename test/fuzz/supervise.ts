import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASE_HEADER, type Message, type Task } from './child.js';
import type { Finding, Progress } from './target.js';

/** Seconds of processor time after which a case is taken to hang. */
const HANGS_AFTER = 60;
/** Seconds of the clock after which it hangs even if it does nothing; the machine may be busy with other things. */
const IDLE_AFTER = 600;
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
  const unsure: Finding[] = [];
  const found = (finding: Finding): void => {
    // a target that dies at every turn would find nothing else
    if (findings.some(({ kind, target }) => kind === finding.kind && target === finding.target && !task.onlyInputs)) return;
    if (finding.isUnsure) {
      unsure.push(finding);
      return;
    }
    findings.push(finding);
    onFinding(finding);
  };
  /** Time and memory are believed if the input takes them by itself, in a new process. */
  const settleUnsure = async (): Promise<void> => {
    for (const finding of unsure.splice(0)) {
      let isRepeated = false;
      const alone = {
        ...task,
        inputs: [finding.input],
        onlyInputs: true,
        isThorough: true,
        firstCase: 0,
        numCases: 1,
        caseFile: join(folder, 'again'),
      };
      const { ended } = await runChild(alone, folder, () => {
        isRepeated = true;
      });
      if (isRepeated || ended !== undefined) found({ ...finding, isUnsure: false });
    }
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
      await settleUnsure();
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
      const { kind, details, isUnsure } = ended;
      found({ target: task.target, seed: task.seed, caseNumber, kind, details, input: last.input, isUnsure });
      await settleUnsure();
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
  /** Whether it could be due to what the process did before. */
  readonly isUnsure: boolean;
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
  return { ended: killed ?? { kind: `the process ends with ${exit}`, details: words, isUnsure: false } };
}

/** Calls `end` when the same case has been at work for too long, or memory has run out. */
function watch(child: ChildProcess, caseFile: string, end: (ending: Ending) => void): () => void {
  let at = -1;
  let since = Date.now();
  let workBefore = 0;
  const tooMuch = (kind: string): void => end({ kind, details: '', isUnsure: true });
  const timer = setInterval(() => {
    const { caseNumber } = lastCase(caseFile);
    if (caseNumber !== at) {
      at = caseNumber;
      since = Date.now();
      workBefore = workOf(child.pid);
    } else if (workOf(child.pid) - workBefore > HANGS_AFTER || Date.now() - since > IDLE_AFTER * 1000) {
      tooMuch(`hangs: no answer after ${HANGS_AFTER} seconds of work`);
    }
    const memory = memoryOf(child.pid);
    if (memory > MOST_MEMORY) tooMuch(`takes more than ${MOST_MEMORY / 1e9} GB of memory`);
  }, LOOK_EVERY);
  return () => clearInterval(timer);
}

/** Seconds of processor time that a process has taken, where the system tells. */
function workOf(pid: number | undefined): number {
  try {
    // behind the name, which is in parentheses: user and system time are the 12th and 13th, in hundredths of a second
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
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
