/** One thing wrong with the input or the request, described so that a person can mend it: where, what was found, what was
 *  expected, and the way out. */
export interface Problem {
  /** The file or argument, as the user named it. */
  readonly source?: string | undefined;
  /** Line in that file, from 1. */
  readonly line?: number | undefined;
  /** What was found and what was expected, in one clause, lower case, no full stop. */
  readonly message: string;
  /** What the user can do about it, in one clause. */
  readonly wayOut?: string | undefined;
}

/** Thrown for bad input and bad usage, never for a defect of Gradus itself. The command line prints the message and
 *  ends with status 2; a library caller can read the single problems. */
export class InputError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[] | Problem | string) {
    const list = typeof problems === 'string' ? [{ message: problems }] : Array.isArray(problems) ? problems : [problems as Problem];
    super(list.map(problemText).join('\n'));
    this.name = 'InputError';
    this.problems = list;
  }
}

/** What work on a file gives; an `InputError` that names no file names this one. */
export function namingSource<T>(source: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map((problem) => ({ ...problem, source: problem.source ?? source })));
  }
}

/** What work on something gives; an `InputError` says what it was about.
 *  @param about What the messages begin with, such as a topic; undefined if there is nothing to add. */
export function aboutWhat<T>(about: () => string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const words = error instanceof InputError ? about() : undefined;
    if (words === undefined) throw error;
    throw new InputError((error as InputError).problems.map((problem) => ({ ...problem, message: `${words}: ${problem.message}` })));
  }
}

/** `run.txt:17: expected 6 fields, found 5; --lenient skips such lines` */
export function problemText(problem: Problem): string {
  const where =
    problem.source === undefined ? '' : problem.line === undefined ? `${problem.source}: ` : `${problem.source}:${problem.line}: `;
  return printable(where + problem.message) + (problem.wayOut === undefined ? '' : `; ${printable(problem.wayOut)}`);
}

/** What a terminal acts upon, or what makes a line look like another one: control characters of both sets, marks that turn the
 *  direction of writing, line ends that are no line feeds, invisible letters. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** Text in which such characters appear as escapes. JSON may have line feeds between its values, and has escapes of its own.
 *  @param form One line of text, JSON, or lines whose ends and tabs stay. */
export function escapeUnprintable(text: string, form: 'plain' | 'json' | 'lines'): string {
  return text.replace(unprintable, (found) => {
    if (form !== 'plain' && (found === '\n' || found === '\t')) return found;
    return Array.from({ length: found.length }, (_, i) => {
      const code = found.charCodeAt(i);
      return code < 256 && form !== 'json' ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    }).join('');
  });
}

/** Text from outside made safe to show on a terminal: control characters appear as `\xNN`, and very long text is cut. */
export function printable(text: string, longest = 400): string {
  return escapeUnprintable(text.length > longest ? `${text.slice(0, longest)}…` : text, 'plain');
}
