import { describe, expect, it } from 'vitest';
import type { TrecEvalHost } from './host.js';
import { runTrecEval } from './run-trec-eval.js';

/** A host that writes down what is asked of it, and has no fast way after all. */
function recordingHost(files: Readonly<Record<string, string>>): { host: TrecEvalHost; calls: string[] } {
  const calls: string[] = [];
  const means = {
    close: async () => {
      calls.push('close');
    },
  };
  const host: TrecEvalHost = {
    read: (path) => {
      calls.push(`read ${path}`);
      return files[path] === undefined ? undefined : new TextEncoder().encode(files[path]);
    },
    readStdin: () => {
      calls.push('read standard input');
      return new TextEncoder().encode(files.run);
    },
    writeOut: () => undefined,
    writeErr: () => undefined,
    prepareFast: async (path) => {
      calls.push(`prepare ${path}`);
      return means;
    },
    evaluateFast: (_, given) => {
      calls.push(given === means ? 'evaluate with what was prepared' : 'evaluate');
      return undefined;
    },
  };
  return { host, calls };
}

const files = { qrels: '1 0 a 1\n', run: '1 Q0 a 1 2 tag\n' };

describe('the fast way of a host', () => {
  it('is prepared before anything is read, used, and closed', async () => {
    const { host, calls } = recordingHost(files);
    expect(await runTrecEval(['qrels', 'run'], '9.0.8', host)).toEqual({ exitCode: 0 });
    expect(calls).toEqual(['prepare run', 'read qrels', 'evaluate with what was prepared', 'read run', 'close']);
  });

  it('is closed where the judgements cannot be read', async () => {
    const { host, calls } = recordingHost({ run: files.run });
    expect((await runTrecEval(['qrels', 'run'], '9.0.8', host)).exitCode).toBe(2);
    expect(calls).toEqual(['prepare run', 'read qrels', 'close']);
  });

  it('is not prepared for standard input', async () => {
    const { host, calls } = recordingHost(files);
    expect(await runTrecEval(['qrels', '-'], '10.0', host)).toEqual({ exitCode: 0 });
    expect(calls).toEqual(['read qrels', 'read standard input']);
  });
});
