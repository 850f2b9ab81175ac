import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { supervise, type TargetResult } from './supervise.js';
import type { Finding, FuzzTarget } from './target.js';
import { targets } from './targets/index.js';

/** The seed of the cases that belong to `npm test`. */
const FIXED_SEED = 14;

export interface Request {
  /** A target, several with commas, or `all`. */
  readonly target: string;
  /** For all targets together. */
  readonly seconds: number;
  readonly seed: number;
  /** The cases of `npm test` instead of a span of time. */
  readonly fixed: boolean;
  /** Every file of the corpus, and nothing else. */
  readonly corpusOnly: boolean;
  /** Every check on every case, however long it takes; single inputs always get that. */
  readonly thorough: boolean;
  /** One input instead of many. */
  readonly file?: string | undefined;
  readonly list: boolean;
  /** Results as JSON. */
  readonly json: boolean;
  /** Where the corpus is. */
  readonly corpus: string;
  readonly repository: string;
}

/** Runs the targets and says what was found; the status is 1 if anything was. */
export async function main(request: Request): Promise<number> {
  const say = (text: string): void => void (request.json ? process.stderr : process.stdout).write(`${text}\n`);
  if (request.list) {
    for (const { name, summary } of targets) say(`${name.padEnd(20)} ${summary}`);
    return 0;
  }
  const chosen = chooseTargets(request.target);
  if (chosen.length === 0) {
    say(`there is no target ${request.target}; --list shows them all`);
    return 2;
  }
  if (!request.corpusOnly && request.file === undefined) say(`seed ${request.fixed ? FIXED_SEED : request.seed}`);
  const results: TargetResult[] = [];
  for (const target of chosen) {
    const result = await runTarget(target, request, request.seconds / chosen.length, (finding) => say(describe(finding, request)));
    results.push(result);
    say(
      `${target.name.padEnd(20)} ${String(result.numCases).padStart(9)} cases ${result.seconds.toFixed(1).padStart(8)} s (${result.work.toFixed(1)} s of work)` +
        `${String(result.numKinds).padStart(7)} outcomes ${String(result.findings.length).padStart(3)} findings`,
    );
  }
  const numFindings = results.reduce((sum, { findings }) => sum + findings.length, 0);
  const numCases = results.reduce((sum, result) => sum + result.numCases, 0);
  say(`${numCases} cases, ${numFindings} findings`);
  if (request.json) process.stdout.write(JSON.stringify(results.map((result) => ({ ...result, findings: result.findings.map(plain) }))));
  return numFindings === 0 ? 0 : 1;
}

function chooseTargets(text: string): readonly FuzzTarget[] {
  if (text === 'all') return targets;
  const names = text.split(',');
  return targets.filter(({ name }) => names.includes(name));
}

async function runTarget(
  target: FuzzTarget,
  request: Request,
  seconds: number,
  onFinding: (finding: Finding) => void,
): Promise<TargetResult> {
  const kept = corpusOf(target.name, request.corpus);
  const onlyInputs = request.corpusOnly || request.file !== undefined;
  const inputs = request.file === undefined ? kept.map(({ input }) => input) : [new Uint8Array(readFileSync(request.file))];
  const report = (finding: Finding): void => {
    if (!onlyInputs && !request.fixed) keep(finding, request.corpus);
    onFinding(finding);
  };
  if (onlyInputs && inputs.length === 0)
    return { target: target.name, seconds: 0, findings: [], numCases: 0, numKinds: 0, numRepeated: 0, work: 0 };
  const isCounted = onlyInputs || request.fixed;
  return await supervise(
    {
      target: target.name,
      seed: request.fixed ? FIXED_SEED : request.seed,
      numCases: onlyInputs ? inputs.length : request.fixed ? target.cases : Number.MAX_SAFE_INTEGER,
      deadline: isCounted ? Number.MAX_SAFE_INTEGER : Date.now() + seconds * 1000,
      // the corpus is replayed by itself, and what a fixed seed does must not change with it
      inputs: request.fixed ? [] : inputs,
      onlyInputs,
      isThorough: onlyInputs || request.thorough,
    },
    report,
  );
}

/** The inputs that once failed. */
function corpusOf(target: string, corpus: string): { path: string; input: Uint8Array }[] {
  const folder = join(corpus, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ path: join(folder, name), input: new Uint8Array(readFileSync(join(folder, name))) }));
}

function fileOf({ target, kind, input }: Finding, corpus: string): string {
  const words = kind
    .replace(/[^A-Za-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .toLowerCase();
  return join(corpus, target, `${words}-${createHash('sha256').update(input).digest('hex').slice(0, 8)}`);
}

function keep(finding: Finding, corpus: string): void {
  mkdirSync(join(corpus, finding.target), { recursive: true });
  writeFileSync(fileOf(finding, corpus), finding.input);
}

function describe(finding: Finding, request: Request): string {
  const { target, seed, caseNumber, kind, details, input } = finding;
  const path = request.file ?? relative(request.repository, fileOf(finding, request.corpus));
  const where =
    request.fixed || request.corpusOnly || request.file
      ? `input ${JSON.stringify(Buffer.from(input).toString('latin1'))}`
      : `kept as ${path}`;
  return [
    `FINDING ${target}: ${kind}`,
    `  seed ${seed}, case ${caseNumber}, ${input.length} bytes, ${where}`,
    `  to repeat it: npm run fuzz ${target} -- --file ${path}`,
    ...details.split('\n').map((line) => `  | ${line}`),
  ].join('\n');
}

function plain(finding: Finding): object {
  return { ...finding, input: Buffer.from(finding.input).toString('latin1') };
}
