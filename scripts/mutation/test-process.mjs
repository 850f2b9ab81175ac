import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { folder, root } from './instrument.mjs';

/** A process that says nothing for so long holds a mutant without end. */
const PATIENCE = 30_000;

/** Loading all tests takes seconds, and minutes where the machine has other work. */
const PATIENCE_TO_LOAD = 300_000;

/** A process with all tests in it, one question at a time; an answer that does not come is a mutant without end. */
export class TestProcess {
  constructor(file, environment = {}) {
    this.file = file;
    this.environment = environment;
  }
  /** @param patience how long it may take from one sign of life to the next */
  ask(question, patience = PATIENCE) {
    const { child } = this;
    return new Promise((resolve) => {
      const finish = (answer) => {
        clearTimeout(timer);
        child.removeListener('exit', died);
        child.removeListener('message', hear);
        resolve(answer);
      };
      const died = () => {
        this.child = undefined;
        finish({ ended: true });
      };
      const giveUp = () => child.kill('SIGKILL');
      let timer = setTimeout(giveUp, patience);
      const hear = (message) => {
        if (message.patience === undefined) {
          finish(message);
          return;
        }
        clearTimeout(timer);
        timer = setTimeout(giveUp, message.patience);
      };
      child.once('exit', died);
      child.on('message', hear);
      if (question !== undefined) child.send(question);
    });
  }
  /** @returns undefined if the bundle cannot be loaded, the files of its tests otherwise */
  async start() {
    if (this.child !== undefined) return this.files;
    // what tests write stays here when their process is ended
    const scratch = `${folder}scratch`;
    mkdirSync(scratch, { recursive: true });
    this.child = fork(`${root}scripts/mutation/try-mutants.mjs`, [this.file], {
      cwd: root,
      env: { ...process.env, TMPDIR: scratch, ...this.environment },
      execArgv: ['--stack-size=2000'],
    });
    const { files } = await this.ask(undefined, PATIENCE_TO_LOAD);
    this.files = files;
    return files;
  }
  stop() {
    this.child?.removeAllListeners('exit');
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}
