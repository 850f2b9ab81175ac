import { readSync } from 'node:fs';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import { systemReason, writeFully } from '../terminal.js';

/** A message between a program and a worker: a small JSON object, and arrays of numbers or bytes. */
export interface WorkerMessage {
  readonly header: Readonly<Record<string, unknown>>;
  readonly arrays: readonly MessageArray[];
}

/** What a message can carry besides its header. */
export type MessageArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** The first four bytes of every message. */
const MAGIC = 0x44415247; // GRAD, the lowest byte first
const PREFIX = 16;
/** Every array begins at a multiple of this. */
const ALIGNMENT = 8;
/** What is set aside before anything has come. */
const FIRST_ROOM = 1 << 26;
/** More room than this is not kept for the next message. */
const MOST_KEPT = 1 << 24;
/** No system call reads more. */
const MOST_AT_ONCE = 1 << 30;

const arrayTypes = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array } as const;

function typeOf(array: MessageArray): keyof typeof arrayTypes {
  if (array instanceof Float64Array) return 'f64';
  if (array instanceof Float32Array) return 'f32';
  return array instanceof Uint32Array ? 'u32' : 'u8';
}

/** Room for the bodies of messages that are read one after another, each of which is done with when the next is read. */
export class MessageRoom {
  private bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** So many bytes; what was there before is overwritten. Undefined for more than is worth keeping. */
  take(count: number): Uint8Array<ArrayBuffer> | undefined {
    if (count > MOST_KEPT) return undefined;
    if (count > this.bytes.length) this.bytes = new Uint8Array(Math.min(MOST_KEPT, 2 * count)); // fits: bytes
    return this.bytes.subarray(0, count);
  }
}

/** Reads the next message; undefined at the end of the stream.
 *  @param room Where its arrays are to be; room of their own by default.
 *  @throws An `InputError` if it is no message, too large or cut short. Nothing that follows can be understood then. */
export function readMessage(descriptor: number, room?: MessageRoom): WorkerMessage | undefined {
  const prefix = readBytes(descriptor, PREFIX, 'a message');
  if (prefix === undefined) return undefined;
  const view = new DataView(prefix.buffer);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new InputError({
      message: 'expected a message that begins with GRAD, found other bytes',
      wayOut: 'docs/worker-protocol.md describes messages',
    });
  }
  const headerBytes = view.getUint32(4, true);
  const bodyBytes = view.getUint32(8, true) + view.getUint32(12, true) * 2 ** 32;
  refuseLarger('header', headerBytes, limits.messageHeaderBytes);
  refuseLarger('body', bodyBytes, limits.messageBodyBytes);
  const header = parseHeader(readBytes(descriptor, headerBytes, 'the header of a message') ?? new Uint8Array(0));
  const body = readBytes(descriptor, bodyBytes, 'the body of a message', room?.take(bodyBytes)) ?? new Uint8Array(0);
  return { header, arrays: arraysIn(header.arrays, body) };
}

function refuseLarger(part: string, found: number, most: number): void {
  if (found <= most) return;
  throw new InputError({
    message: `the ${part} of a message has ${found} bytes, expected at most ${most}`,
    wayOut: 'give the path of a file for what is larger',
  });
}

function parseHeader(bytes: Uint8Array): WorkerMessage['header'] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError('the header of a message is not a JSON object in UTF-8');
  }
  return value as WorkerMessage['header'];
}

function arraysIn(declared: unknown, body: Uint8Array<ArrayBuffer>): MessageArray[] {
  const list = declared ?? [];
  if (!Array.isArray(list)) throw new InputError('arrays: expected a list of types and lengths');
  let at = 0;
  const arrays = list.map((entry: unknown, i): MessageArray => {
    const { type, length } = Object(entry) as { type?: unknown; length?: unknown };
    if (typeof type !== 'string' || !Object.hasOwn(arrayTypes, type) || !Number.isSafeInteger(length) || (length as number) < 0) {
      throw new InputError(`array ${i}: expected a length and one of the types ${Object.keys(arrayTypes).join(', ')}`);
    }
    const { [type as keyof typeof arrayTypes]: kind } = arrayTypes;
    const start = at;
    at = padded(at + (length as number) * kind.BYTES_PER_ELEMENT);
    if (at > body.length) throw new InputError(`array ${i}: expected ${length} numbers of type ${type}, the body ends before them`);
    return new kind(body.buffer, start, length as number);
  });
  if (at !== body.length) throw new InputError(`the arrays take ${at} bytes, the body of the message has ${body.length}`);
  return arrays;
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** So many bytes; undefined if the stream ends before the first.
 *  @throws An `InputError` if it ends among them. */
function readBytes(descriptor: number, count: number, what: string, room?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  let bytes = room ?? new Uint8Array(Math.min(count, FIRST_ROOM)); // fits: bytes
  let at = 0;
  while (at < count) {
    // room grows with what has come, so that a few bytes cannot ask for gigabytes
    if (at === bytes.length) bytes = widened(bytes, Math.min(count, 2 * at));
    const read = readSome(descriptor, bytes, at, Math.min(bytes.length - at, MOST_AT_ONCE));
    if (read === 0) {
      if (at === 0 && what === 'a message') return undefined;
      throw new InputError(`the stream ends in the middle of ${what}: after ${at} of ${count} bytes`);
    }
    at += read;
  }
  return bytes;
}

function widened(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(length); // fits: bytes
  wider.set(bytes);
  return wider;
}

const sleeper: Int32Array = new Int32Array(new SharedArrayBuffer(4)); // fits: nothing is stored: it is only waited on

function readSome(descriptor: number, bytes: Uint8Array, at: number, length: number): number {
  for (;;) {
    try {
      return readSync(descriptor, bytes, at, length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // a pipe that does not block has nothing yet; on Windows the end of a pipe is an error
      if (code === 'EAGAIN') Atomics.wait(sleeper, 0, 0, 2);
      else if (code === 'EOF') return 0;
      else throw new InputError({ source: 'standard input', message: `cannot be read: ${systemReason(error)}` });
    }
  }
}

/** Writes a message. */
export function writeMessage(descriptor: number, { header, arrays }: WorkerMessage): void {
  const declared = arrays.map((array) => ({ type: typeOf(array), length: array.length }));
  const json = new TextEncoder().encode(JSON.stringify({ ...header, arrays: declared }));
  const parts = arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)); // fits: bytes
  const bodyBytes = parts.reduce((sum, { length }) => sum + padded(length), 0);
  // a small answer is one piece, so that it is one system call
  const together = PREFIX + json.length + (bodyBytes <= SMALL ? bodyBytes : 0);
  const first = new Uint8Array(together); // fits: bytes
  const view = new DataView(first.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, json.length, true); // fits: what a string can hold
  view.setUint32(8, bodyBytes % 2 ** 32, true); // fits: the rest of the division
  view.setUint32(12, Math.floor(bodyBytes / 2 ** 32), true); // fits: no array has 2^64 bytes
  first.set(json, PREFIX);
  if (bodyBytes <= SMALL) {
    let at = PREFIX + json.length;
    for (const part of parts) {
      first.set(part, at);
      at += padded(part.length);
    }
    writeFully(descriptor, first, 'standard output');
    return;
  }
  writeFully(descriptor, first, 'standard output');
  for (const part of parts) {
    writeFully(descriptor, part, 'standard output');
    writeFully(descriptor, new Uint8Array(padded(part.length) - part.length), 'standard output'); // fits: bytes
  }
}

/** Bytes that are copied rather than written one after another. */
const SMALL = 1 << 16;
