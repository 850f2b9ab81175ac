import { escapeUnprintable, InputError, jsonText, printable, problemText } from '../core/index.js';
import { BrokenPipe, DescriptorWriter } from '../node/index.js';
import type { Context } from './parse/command.js';
import { styled, wantsColour } from './print/colour.js';

/** Status of bad usage and bad input. */
const BAD_INPUT = 2;
/** Status of a defect in Gradus itself (EX_SOFTWARE of BSD's sysexits). */
const DEFECT = 70;

/** Runs one command line and gives its exit status. Each command is loaded only when it is called for, because most of
 *  the time of a small evaluation is start-up. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    return report(error, context, asksForJson(argv));
  }
}

/** Whether the result was asked for as JSON. Arguments that cannot be read are to be reported as JSON too, so the words are looked at as
 *  they are; the arguments of other tools are their own. */
function asksForJson(argv: readonly string[]): boolean {
  if (argv[0] === 'as') return false;
  const end = argv.indexOf('--');
  const words = argv.slice(1, end < 0 ? undefined : end);
  return words.some(
    (word, i) => word === '--json' || /^(--format=|-f)json$/.test(word) || (word === 'json' && /^(--format|-f)$/.test(words[i - 1])),
  );
}

async function dispatch(argv: readonly string[], context: Context): Promise<number> {
  const [name, ...rest] = argv;
  // a drop-in replacement must start as fast as it can, and its arguments are not ours to read
  if (name === 'as' && rest.length > 0 && !rest[0].startsWith('-')) {
    const { findTool } = await import('./tools/tools.js');
    const { tool, version } = findTool(rest[0]);
    return await tool.run(version, rest.slice(1));
  }
  const { runCommand } = await import('./parse/dispatch.js');
  return await runCommand(name, rest, context);
}

const tooManyFiles = new InputError({ message: 'too many files are open', wayOut: 'allow more, as with: ulimit -n 256' });

/** Says what went wrong on standard error: one line per problem, and never a stack unless it was asked for. */
function report(thrown: unknown, context: Context, asJson = false): number {
  const { code } = (thrown ?? {}) as NodeJS.ErrnoException;
  if (thrown instanceof BrokenPipe || code === 'EPIPE') return 0;
  // it can happen anywhere, when a part of the program is loaded too
  const error = code === 'EMFILE' || code === 'ENFILE' ? tooManyFiles : thrown;
  const status = error instanceof InputError ? BAD_INPUT : DEFECT;
  try {
    context.stderr.write(asJson ? errorJson(error, status) : reportText(error, context));
  } catch {
    // nobody listens; the status still says it
  }
  return status;
}

/** The same for programs: one line, whose problems have the file, the line, what was found and what can be done about it. */
function errorJson(error: unknown, status: number): string {
  const problems = error instanceof InputError ? error.problems : [{ message: defectMessage(error) }];
  return `${jsonText({ error: { status, problems: problems.map(({ source, line, message, wayOut }) => ({ source, line, message, wayOut })) } })}\n`;
}

function defectMessage(error: unknown): string {
  const what = printable(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return `internal error: ${what}; this is a defect of Gradus, please report it`;
}

function reportText(error: unknown, { stderr, environment }: Context): string {
  const label = wantsColour(stderr.isTerminal, environment) ? styled('bold', styled('red', 'gradus:')) : 'gradus:';
  if (error instanceof InputError) return error.problems.map((problem) => `${label} ${problemText(problem)}\n`).join('');
  const told = `${label} ${defectMessage(error)}`;
  if (environment.GRADUS_DEBUG !== '1') return `${told} (GRADUS_DEBUG=1 shows where it happened)\n`;
  return `${told}\n${error instanceof Error ? escapeUnprintable(error.stack ?? '', 'lines') : ''}\n`;
}

/** The program: arguments and streams of this process. */
export async function runProcess(): Promise<void> {
  const stdout = new DescriptorWriter(1, 'standard output');
  const stderr = new DescriptorWriter(2, 'standard error');
  const context: Context = { stdout, stderr, environment: process.env };
  // a process with nothing left to wait for ends, done or not
  process.exitCode = DEFECT;
  let status = await main(process.argv.slice(2), context);
  try {
    stdout.flush();
  } catch (error) {
    status = Math.max(status, report(error, context));
  }
  // everything is written; an input that is still open must not keep the program alive
  process.exit(status);
}
