import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { answerCalls } from '../../../src/cli/worker/answer-calls.js';
import { InputError, type Problem } from '../../../src/core/problem.js';
import { CapturedContext } from '../../helpers/captured-context.js';
import type { Dice } from '../../helpers/dice.js';
import { docId, gradeText, scoreText, topicId } from '../generate.js';
import { awkwardTexts, bytesOf, joined, numberTexts } from '../mutate.js';
import { agree, isDue, outcomeOf } from '../outcome.js';
import { shapeOf } from '../shape.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const MAGIC = 0x44415247;
const PREFIX = 16;

/** Calls that end soon whatever they are given; the others are the concern of the target `commands`. */
const tried: readonly string[] = [
  'hello',
  'hold',
  'release',
  'eval',
  'fuse',
  'version',
  'measures',
  'audit',
  'explain',
  'score',
  'convert',
];
/** Settings that ask for much work, not for another answer. */
const untried = /threads|resamples|iterations|output|open|spark|engine/i;

type Column = Uint8Array | Uint32Array | Float32Array | Float64Array;
const typeNames: Readonly<Record<string, string>> = { Uint8Array: 'u8', Uint32Array: 'u32', Float32Array: 'f32', Float64Array: 'f64' };

function prefix(headerBytes: number, bodyBytes: number): Uint8Array {
  const bytes = Buffer.alloc(PREFIX);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(headerBytes, 4);
  bytes.writeBigUInt64LE(BigInt(bodyBytes), 8);
  return bytes;
}

function frame(json: string, columns: readonly Column[] = []): Uint8Array {
  const parts = columns.map(({ buffer, byteOffset, byteLength }) => {
    const part = new Uint8Array(Math.ceil(byteLength / 8) * 8);
    part.set(new Uint8Array(buffer, byteOffset, byteLength));
    return part;
  });
  const header = bytesOf(json);
  const body = joined(...parts);
  return joined(prefix(header.length, body.length), header, body);
}

function message(header: object, columns: readonly Column[] = []): Uint8Array {
  const arrays = columns.map((column) => ({ type: typeNames[column.constructor.name], length: column.length }));
  return frame(withDepth(JSON.stringify({ ...header, arrays })), columns);
}

/** Puts nested values in their places, which are too deep to be written by a recursive function. */
function withDepth(json: string): string {
  return json.replace(/"nested (list|object) (\d+)"/g, (_, kind: string, depth: string) => {
    const [open, close] = kind === 'list' ? ['[', ']'] : ['{"a":', '}'];
    return `${open.repeat(Number(depth))}1${close.repeat(Number(depth))}`;
  });
}

const hello = message({ id: 1, call: 'hello', protocol: 1 });

/** Collects the columns of a message, and gives their numbers. */
class Columns {
  readonly all: Column[] = [];

  add(column: Column): number {
    return this.all.push(column) - 1;
  }
}

function idColumn(dice: Dice, columns: Columns, ids: readonly string[]): object {
  if (dice.chance(0.2)) {
    const distinct = [...new Set(ids)];
    const codes = Uint32Array.from(ids, (id) => (dice.chance(0.97) ? distinct.indexOf(id) : dice.below(2 ** 32)));
    return { codes: columns.add(codes), dictionary: idColumn(dice, columns, distinct) };
  }
  const separator = dice.chance(0.9) ? 0 : dice.pick([10, 255, 256, -1, 1e9]);
  const count = dice.chance(0.95) ? ids.length : dice.pick([0, ids.length + 1, 2 ** 31, 2 ** 53, -1]);
  if (dice.chance(0.5)) return { bytes: columns.add(bytesOf(ids.join('\0'))), separator, count };
  const texts = ids.map((id) => bytesOf(id));
  const offsets = Uint32Array.of(0, ...texts.map((_, i) => texts.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0)));
  if (dice.chance(0.1)) offsets[dice.below(offsets.length)] = dice.pick([0, 1, 2 ** 31, 2 ** 32 - 1]);
  return { bytes: columns.add(joined(...texts)), offsets: columns.add(offsets) };
}

function tableInput(dice: Dice, columns: Columns, kind: 'run' | 'qrels'): object {
  const rows = Array.from({ length: dice.below(8) }, () => ({ topic: topicId(dice), doc: docId(dice) }));
  const numbers = Float64Array.from(rows, () => Number(kind === 'run' ? scoreText(dice) : gradeText(dice)));
  const byTopic = dice.chance(0.4);
  const topics = byTopic ? [...new Set(rows.map(({ topic }) => topic))] : rows.map(({ topic }) => topic);
  const sizes = Uint32Array.from(topics, (topic) => rows.filter((row) => row.topic === topic).length);
  if (dice.chance(0.05) && sizes.length > 0) sizes[0] = dice.pick([0, 1, 1000, 2 ** 32 - 1]);
  return {
    kind,
    ...(dice.chance(0.3) ? { name: dice.pick(awkwardTexts) } : {}),
    topics: idColumn(dice, columns, topics),
    ...(byTopic ? { rowsOfTopics: columns.add(sizes) } : {}),
    docs: idColumn(
      dice,
      columns,
      rows.map(({ doc }) => doc),
    ),
    [kind === 'qrels' ? 'grades' : dice.pick(['scores', 'scores', 'ranks'])]: columns.add(
      dice.chance(0.2) ? Float32Array.from(numbers) : numbers,
    ),
  };
}

function featureInput(dice: Dice, columns: Columns): object {
  const [numRows, numFeatures] = [dice.below(4), dice.chance(0.9) ? dice.between(1, 3) : dice.pick([0, 7, 2 ** 31, 2 ** 53])];
  const width = numFeatures > 9 ? dice.below(2) : numFeatures;
  return {
    kind: 'features',
    numFeatures,
    values: columns.add(Float64Array.from({ length: numRows * width }, () => Number(scoreText(dice)))),
    ...(dice.chance(0.3) ? { names: Array.from({ length: numFeatures % 5 }, () => odd(dice)) } : {}),
    ...(dice.chance(0.5) ? { groupSizes: columns.add(Uint32Array.of(dice.below(5))) } : {}),
  };
}

/** A value that does not belong where it stands. */
function odd(dice: Dice): unknown {
  return dice.pick<() => unknown>([
    () => null,
    () => true,
    () => Number(dice.pick(numberTexts)) || 0,
    () => dice.pick(awkwardTexts),
    () => [],
    () => ({}),
    () => ({ toString: 1, valueOf: null }),
    () => `nested list ${dice.pick([1, 3, 1000, 6000])}`,
    () => `nested object ${dice.pick([1, 3, 1000, 2000])}`,
    () => 'x'.repeat(dice.pick([1, 300, 9000])),
  ])();
}

/** One of the calls, with something odd in it now and then. */
function call(dice: Dice): Uint8Array {
  const columns = new Columns();
  const inputs: unknown[] = dice.chance(0.15)
    ? [featureInput(dice, columns)]
    : [tableInput(dice, columns, 'qrels'), tableInput(dice, columns, 'run')];
  const name = dice.chance(0.1)
    ? dice.pick(['eval -', 'eval x', 'worker', 'serve', '', ' ', 'eval  ', 'release eval', ...awkwardTexts])
    : dice.pick(tried);
  const header: Record<string, unknown> = {
    id: dice.chance(0.9) ? dice.below(9) : odd(dice),
    call: dice.chance(0.97) ? name : odd(dice),
    inputs,
    arguments: dice.chance(0.8) ? inputs.map((_, i) => i) : [dice.pick(['-', 'x', 7, -1, 0.5]), odd(dice)],
    settings: dice.chance(0.6) ? { measure: dice.pick([['AP', 'RR'], 'nDCG@2', ['nope']]) } : { [dice.pick(awkwardTexts)]: odd(dice) },
    ...(dice.chance(0.3) ? { input: inputs[0], handle: dice.below(3) } : {}),
    ...(dice.chance(0.2) ? { [dice.pick(['folder', 'inputs', 'arguments', 'settings', 'input', 'handle'])]: odd(dice) } : {}),
  };
  if (dice.chance(0.1)) header.settings = { measure: { [dice.pick(['input', 'a'])]: odd(dice) } };
  return message(header, columns.all);
}

/** Bytes that are no message, or one that ends early or claims to be large. */
function noMessage(dice: Dice): Uint8Array {
  return dice.pick<() => Uint8Array>([
    () => prefix(dice.pick([2, 2 ** 24, 2 ** 24 + 1, 2 ** 32 - 1]), dice.pick([0, 8, 2 ** 31, 2 ** 31 + 1, 2 ** 52])),
    () => joined(prefix(2, dice.pick([8, 2 ** 30, 2 ** 31])), bytesOf('{}')),
    () => bytesOf('GET / HTTP/1.1\r\n\r\n'),
    () => frame(dice.pick(['[1', '7', 'null', '[]', '{"arrays":7}', '{"arrays":[7]}', '{"arrays":[{"type":"f16","length":1}]}'])),
    () => frame(`{"id":1,"arrays":[{"type":"u8","length":${dice.pick(numberTexts) || 0}}]}`, [new Uint8Array(8)]),
    () => {
      const whole = call(dice);
      return whole.subarray(0, dice.below(whole.length));
    },
  ])();
}

function conversation(dice: Dice): Uint8Array {
  const greeting = dice.chance(0.93) ? hello : dice.pick([call(dice), message({ id: odd(dice), call: 'hello', protocol: odd(dice) })]);
  const calls = Array.from({ length: dice.between(1, 4) }, () => call(dice));
  return joined(greeting, ...calls, ...(dice.chance(0.25) ? [noMessage(dice)] : []));
}

/** The headers of the whole messages at the beginning of some bytes, read independently of the code under test; undefined for one that is
 *  no JSON object. */
function headersIn(bytes: Buffer): (Readonly<Record<string, unknown>> | undefined)[] {
  const found: (Readonly<Record<string, unknown>> | undefined)[] = [];
  for (let at = 0; at + PREFIX <= bytes.length && bytes.readUInt32LE(at) === MAGIC; ) {
    const end = at + PREFIX + bytes.readUInt32LE(at + 4);
    const next = end + Number(bytes.readBigUInt64LE(at + 8));
    if (next > bytes.length) break;
    try {
      const header: unknown = JSON.parse(bytes.toString('utf8', at + PREFIX, end));
      found.push(Object(header) === header && !Array.isArray(header) ? (header as Record<string, unknown>) : undefined);
    } catch {
      found.push(undefined);
    }
    at = next;
  }
  return found;
}

function isHarmless(header: Readonly<Record<string, unknown>> | undefined): boolean {
  const { call: name, settings } = header ?? {};
  if (typeof name === 'string' && /^[a-z]/.test(name) && !tried.includes(name.split(' ')[0])) return false;
  return typeof settings !== 'object' || settings === null || !Object.keys(settings).some((key) => untried.test(key));
}

/** What a worker answers to some bytes, and how it ends. */
async function answersTo(input: Uint8Array): Promise<{ answers: Buffer; refused: string | undefined }> {
  const home = process.cwd();
  rmSync('world', { recursive: true, force: true });
  mkdirSync('world');
  process.chdir('world');
  writeFileSync('messages', input);
  const [reading, writing] = [openSync('messages', 'r'), openSync('answers', 'w')];
  try {
    let refused: string | undefined;
    try {
      await answerCalls(new CapturedContext(), { input: reading, output: writing });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused = error.message;
    }
    process.chdir(home);
    return { answers: readFileSync('world/answers'), refused };
  } finally {
    process.chdir(home);
    closeSync(reading);
    closeSync(writing);
  }
}

/** The words of a refusal are looked at where those of all others are. */
function lookAtWords(problems: readonly Problem[]): void {
  outcomeOf(() => {
    // a column of numbers may hold this one without its name standing anywhere
    throw new InputError(problems.map((problem) => ({ ...problem, message: problem.message.replaceAll('found NaN', 'found none') })));
  }, null);
}

/** Every message gets one answer with a result or a sentence, in order; what is no message gets a sentence, and ends the worker. */
async function check(bytes: Uint8Array, dice: Dice): Promise<string> {
  // nothing outside the folder is named
  const input = Buffer.from(bytes.map((byte) => (byte === 0x2f ? 0x5f : byte)));
  const asked = headersIn(input);
  if (!asked.every(isHarmless)) return 'not tried';
  const { answers, refused } = await answersTo(input);
  const headers = headersIn(answers);
  const rest = headers.length === asked.length + 1 || (refused !== undefined && headers.length <= asked.length);
  if (refused === undefined ? headers.length !== asked.length : !rest) {
    throw new Disagreement(`${headers.length} answers to ${asked.length} messages`, JSON.stringify(headers).slice(0, 2000));
  }
  for (const header of headers) {
    if (header === undefined) throw new Disagreement('an answer without a header');
    const kinds = ['ok', 'problems', 'defect'].filter((kind) => Object.hasOwn(header, kind));
    if (kinds.length !== 1 || kinds[0] === 'defect') throw new Disagreement(`an answer with ${kinds}: ${header.defect}`);
    if (header.problems !== undefined) lookAtWords(header.problems as Problem[]);
  }
  if (refused !== undefined && headers.at(-1)?.problems === undefined) throw new Disagreement('it ended without a reason', refused);
  if (isDue(dice, 0.1)) agree('a conversation, held twice', { answers, refused }, await answersTo(input));
  return shapeOf(headers.map((header) => (header?.ok === undefined ? String(header?.message).slice(0, 120) : 'ok')).join(' | '));
}

export const workerTargets: readonly FuzzTarget[] = [
  {
    name: 'worker',
    summary: 'messages to a worker: one answer each, with a result or a sentence, and an end with a reason at what is no message',
    cases: 600,
    words: [
      '"call":"',
      'hello',
      'hold',
      'release',
      'eval',
      '"arrays":[',
      '"type":"f64"',
      '"length":',
      '"held":',
      '"codes":',
      'GRAD',
      '\0\0\0\0',
    ],
    seeds: () => [joined(hello, message({ id: 2, call: 'version' }))],
    generate: conversation,
    check,
  },
];
