/** What a program can ask a worker for: every command of the command line, on columns in memory or on files. */
import { closest, InputError, limits, type Problem, printable, type Run } from '../../core/index.js';
import type { ScoredRuns } from '../../experiment/index.js';
import type { ByteSource } from '../../formats/index.js';
import { enterFolder, type MessageArray, ownDescriptor, verdictPicture, withNamedSources } from '../../node/index.js';
import { type Verdict, verdictWords } from '../../report/index.js';
import { alignTables } from '../../stats/index.js';
import { commandLoaders, loadEntry } from '../commands.js';
import type { Command, Context, ResultTaker } from '../parse/command.js';
import { runCommand } from '../parse/dispatch.js';
import { isGroup, loadSubcommand } from '../parse/group.js';
import { wordsOf } from './arguments.js';
import { type Fields, fieldsOf, type Given, inputOf, type RunParts, WholeRunNeeded, type WorkerInput } from './inputs.js';

/** The version of the protocol, which changes when a program that speaks the old one could misunderstand the new one. */
export const PROTOCOL = 1;

/** An answer: what goes into its header, and its arrays. */
export interface WorkerAnswer {
  readonly result: Fields;
  readonly arrays: readonly MessageArray[];
}

/** Commands that talk to somebody else than a program that waits for an answer. */
const notCalled: readonly string[] = ['worker', 'serve', 'as', 'completion', 'help'];

/** Answers calls one after another. What it keeps between them is what it was asked to hold, and nothing else. */
export class WorkerSession {
  private readonly held: Map<number, ByteSource> = new Map();
  private nextHandle = 1;
  private readonly environment: Context['environment'];

  constructor(environment: Context['environment']) {
    this.environment = environment;
  }

  /** @throws An `InputError` for what cannot be answered. */
  async answer(call: string, header: Fields, arrays: readonly MessageArray[], parts: RunParts): Promise<WorkerAnswer> {
    const given: Given = { arrays, held: (handle) => this.heldSource(handle), parts };
    for (const handle of listOf(header.release, 'release')) this.release(handle);
    switch (call) {
      case 'hold':
        return { result: { handle: this.hold(inputOf(header.input, 'the input', given)) }, arrays: [] };
      case 'release':
        return { result: { released: this.release(header.handle) }, arrays: [] };
      default:
        return await this.run(call, header, given);
    }
  }

  private hold(input: WorkerInput): number {
    if (this.held.size >= limits.heldInputs) {
      throw new InputError({ message: `more than ${limits.heldInputs} inputs are held`, wayOut: 'release some of them' });
    }
    if ('path' in input) throw new InputError({ message: 'a path cannot be held', wayOut: 'give it in each call' });
    if (input.source.held?.runParts !== undefined) throw new InputError('a run that comes in parts cannot be held, expected a whole one');
    const handle = this.nextHandle++;
    this.held.set(handle, input.source);
    return handle;
  }

  private release(handle: unknown): boolean {
    return typeof handle === 'number' && this.held.delete(handle);
  }

  private heldSource(handle: number): ByteSource {
    const source = this.held.get(handle);
    if (source === undefined) throw new InputError({ message: `nothing is held as ${handle}`, wayOut: 'send it again' });
    return source;
  }

  private async run(call: string, header: Fields, given: Given): Promise<WorkerAnswer> {
    const { words, command } = await commandOf(call);
    if (header.folder !== undefined) enterFolder(textOf(header.folder, 'folder'));
    const asked = listOf(header.inputs, 'inputs');
    const inputs = asked.map((input, i) => inputOf(input, `input ${i}`, given));
    const paths = inputs.map(pathOf);
    const named = new Map(inputs.flatMap((input, i) => ('path' in input ? [] : [[paths[i], input.source] as const])));
    const find = (input: number): string => {
      if (Object.hasOwn(paths, input)) return paths[input];
      throw new InputError(`there is no input ${input}, expected a number below ${paths.length}`);
    };
    const settings = wordsOf(fieldsOf(header.settings ?? {}, 'settings'), command.options, find);
    const files = listOf(header.arguments, 'arguments').map((argument) =>
      typeof argument === 'number' ? find(argument) : textOf(argument, 'arguments'),
    );
    refuseOwnStreams([...files, ...settings.map((word) => word.slice(word.indexOf('=') + 1)), ...paths]);
    const taken = new TakenResult();
    const stdout = new TextCollector();
    const stderr = new TextCollector();
    const context: Context = { stdout, stderr, environment: this.environment, take: taken };
    const status = await withNamedSources(named, () =>
      runCommand(words[0], [...words.slice(1), ...settings, '--', ...files], context),
    ).catch((error: unknown) => {
      if (error instanceof WholeRunNeeded) return undefined;
      throw error;
    });
    const handles = asked.flatMap((input, i) => (fieldsOf(input, `input ${i}`).hold === true ? [this.hold(inputs[i])] : []));
    const kept = handles.length === 0 ? {} : { handles };
    if (status === undefined) return { result: { whole: true, ...kept }, arrays: [] };
    const notes = stderr.text.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^gradus: /, '')]));
    const text = stdout.text === '' ? [] : [new TextEncoder().encode(stdout.text)];
    return {
      result: { status, notes, ...kept, ...(text.length === 0 ? {} : { text: taken.arrays.length }), ...taken.result },
      arrays: [...taken.arrays, ...text],
    };
  }
}

/** The command that a call names, as in `eval` or `meta power`, and the words of its name.
 *  @throws An `InputError` if there is none. */
async function commandOf(call: string): Promise<{ readonly words: readonly string[]; readonly command: Command }> {
  const words = call.split(' ');
  const [name, word = ''] = words;
  const names = Object.keys(commandLoaders).filter((one) => !notCalled.includes(one));
  const entry = names.includes(name) ? await loadEntry(name) : undefined;
  if (entry === undefined) {
    const close = closest(name, names);
    throw new InputError({
      message: `there is no call ${printable(name) || 'with an empty name'}`,
      wayOut: `${close === undefined ? '' : `did you mean ${close}? `}there are ${names.join(', ')}, hold and release`,
    });
  }
  // further words would be options and files that nobody has looked at
  const most = isGroup(entry) ? 2 : 1;
  if (words.length > most) {
    throw new InputError({
      message: `there is no call ${printable(call)}, found ${words.length} words, expected ${most === 1 ? 'one' : 'two'}`,
      wayOut: 'put files into arguments and options into settings',
    });
  }
  return { words, command: isGroup(entry) ? await loadSubcommand(entry, word) : entry };
}

/** @throws An `InputError` for what is no text. */
function textOf(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new InputError(`${where}: expected ${where === 'arguments' ? 'numbers of inputs and texts' : 'a text'}`);
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new InputError(`${where}: expected a list`);
}

/** What an input is called on the command line that a call stands for; nothing on disk has such a name by chance. */
function pathOf(input: WorkerInput, i: number): string {
  return 'path' in input ? input.path : `gradus-input:${i}`;
}

/** The streams of this process belong to its messages. */
function refuseOwnStreams(paths: readonly string[]): void {
  const own = paths.find((path) => (ownDescriptor(path) ?? 3) < 3);
  if (own !== undefined) {
    throw new InputError({
      message: `${own} is the stream that messages come and go by`,
      wayOut: 'give the path of a file, or send the content',
    });
  }
}

/** Text that is sent when it is complete. */
class TextCollector {
  readonly isTerminal = false;
  readonly columns = 80;
  private readonly parts: string[] = [];

  write(text: string): void {
    this.parts.push(text);
  }

  get text(): string {
    return this.parts.join('');
  }
}

/** A result that is sent as arrays. */
class TakenResult implements ResultTaker {
  result: Fields = {};
  arrays: readonly MessageArray[] = [];

  scores({ tables, plan }: ScoredRuns): void {
    const table = alignTables(tables);
    this.result = {
      systems: table.systems,
      topics: table.topics,
      measures: table.measures,
      directions: plan.measures.map(({ def }) => def.direction),
      convention: plan.convention.name,
      values: 0,
      means: 1,
    };
    // of each run by its own topics, as they are printed
    const means = tables.flatMap((one) => one.columns.map((_, m) => one.aggregate(m)));
    this.arrays = [table.values, Float64Array.from(means)];
  }

  run({ name, topics, docs, offsets, docOf, scores }: Run): void {
    this.result = {
      name,
      topics: { bytes: 0, offsets: 1 },
      rowsOfTopics: 2,
      docs: { codes: 3, dictionary: { bytes: 4, offsets: 5 } },
      scores: 6,
    };
    this.arrays = [
      topics.bytes.subarray(0, topics.offsets[topics.size]),
      topics.offsets.subarray(0, topics.size + 1),
      Uint32Array.from({ length: topics.size }, (_, t) => offsets[t + 1] - offsets[t]), // fits: entries
      docOf,
      docs.bytes.subarray(0, docs.offsets[docs.size]),
      docs.offsets.subarray(0, docs.size + 1),
      scores,
    ];
  }

  predictions(scores: Float64Array): void {
    this.result = { predictions: 0 };
    this.arrays = [scores];
  }

  async verdict(verdict: Verdict): Promise<void> {
    const picture = await verdictPicture(verdict);
    this.result = { verdict: verdictWords(verdict), ...(picture === undefined ? {} : { picture: 0 }) };
    this.arrays = picture === undefined ? [] : [new TextEncoder().encode(picture)];
  }
}

/** What is wrong, as it is sent. */
export function problemsOf(error: unknown): { readonly problems: readonly Problem[] } | { readonly defect: string } {
  if (error instanceof InputError) return { problems: error.problems };
  return { defect: printable(error instanceof Error ? `${error.name}: ${error.message}` : String(error)) };
}
