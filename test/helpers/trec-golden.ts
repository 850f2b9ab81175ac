import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrecEvalHost } from '../../src/tools/trec-eval/host.js';
import { runTrecEval } from '../../src/tools/trec-eval/run-trec-eval.js';

/** One recorded run of the real tool. */
export interface GoldenCase {
  readonly id: string;
  readonly version: string;
  readonly args: readonly string[];
  readonly stdin: string | undefined;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const goldenFolder: string = fileURLToPath(new URL('../golden/trec_eval/', import.meta.url));

/** All cases of MANIFEST.tsv. Rows of 9.0.7 are listed only where they differ from 9.0.8, so every other row of 9.0.8 is a
 *  case of 9.0.7 too. */
export function goldenCases(): GoldenCase[] {
  const [header, ...lines] = readFileSync(join(goldenFolder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n');
  const names = header.split('\t');
  const stream = (file: string): string => (file === '' ? '' : readFileSync(join(goldenFolder, file), 'latin1'));
  const cases = lines.map((line): GoldenCase => {
    const fields = line.split('\t');
    const field = (name: string): string => fields[names.indexOf(name)] ?? '';
    return {
      id: field('id'),
      version: field('version'),
      args: JSON.parse(field('args_json')),
      stdin: field('stdin_file') || undefined,
      exitCode: Number(field('exit_code')),
      stdout: stream(field('stdout_file')),
      stderr: stream(field('stderr_file')),
    };
  });
  const own = new Set(cases.filter(({ version }) => version === '9.0.7').map(({ id }) => id));
  const inherited = cases.filter(({ id, version }) => version === '9.0.8' && !own.has(id)).map((c) => ({ ...c, version: '9.0.7' }));
  return [...cases, ...inherited];
}

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs our trec_eval over files that `read` gives; all output comes back with one character per byte. */
export async function runCaptured(
  args: readonly string[],
  version: string,
  read: TrecEvalHost['read'],
  more: Partial<TrecEvalHost> = {},
): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const { exitCode } = await runTrecEval(args, version, {
    read,
    readStdin: () => new Uint8Array(0),
    writeOut: (bytes) => void out.push(Buffer.from(bytes).toString('latin1')),
    writeErr: (bytes) => void err.push(Buffer.from(bytes).toString('latin1')),
    ...more,
  });
  return { exitCode, stdout: out.join(''), stderr: err.join('') };
}

/** A host's `read` over a folder. */
export function readFrom(folder: string): (path: string) => Uint8Array | undefined {
  return (path) => {
    const full = join(folder, path);
    if (!existsSync(full) || !statSync(full).isFile()) return undefined;
    const bytes = readFileSync(full);
    return bytes.length > 0 ? bytes : undefined;
  };
}
