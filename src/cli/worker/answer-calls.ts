/** The loop of a worker: one message, one answer. */
import { InputError, problemText } from '../../core/index.js';
import { gradusVersion, keepThreads, MessageRoom, readMessage, type WorkerMessage, writeMessage } from '../../node/index.js';
import type { Context } from '../parse/command.js';
import { PROTOCOL, problemsOf, type WorkerAnswer, WorkerSession } from './calls.js';
import { RunParts } from './inputs.js';

/** Where messages come from and where answers go, by descriptor. */
export interface MessageStreams {
  readonly input: number;
  readonly output: number;
}

/** Answers calls until the input ends.
 *  @throws An `InputError` for what is no message; the sender gets the answer first. */
export async function answerCalls({ environment }: Pick<Context, 'environment'>, { input, output }: MessageStreams): Promise<number> {
  keepThreads();
  const session = new WorkerSession(environment);
  const send = (id: MessageId, header: WorkerMessage['header'], arrays: WorkerMessage['arrays'] = []): void =>
    writeMessage(output, { header: { id, ...header }, arrays });
  const next = (): WorkerMessage | undefined => {
    try {
      return readMessage(input);
    } catch (error) {
      send(null, refusal(error));
      throw error;
    }
  };
  const room = new MessageRoom();
  let broken: unknown;
  /** A message that belongs to the call at hand. Nothing that follows a broken one can be understood. */
  const nextPart = (): WorkerMessage => {
    try {
      const message = broken === undefined ? readMessage(input, room) : undefined;
      if (message !== undefined) return message;
      throw new InputError('the stream ends before the last part of a run');
    } catch (error) {
      broken ??= error;
      throw error;
    }
  };
  const greeting = next();
  if (greeting === undefined) return 0;
  greet(greeting, send);
  for (let message = next(); message !== undefined; message = next()) {
    await answer(session, message, send, nextPart);
    if (broken !== undefined) throw broken;
  }
  return 0;
}

/** What tells an answer from others: it comes back as it was sent. */
type MessageId = number | string | null;
type Send = (id: MessageId, header: WorkerMessage['header'], arrays?: WorkerMessage['arrays']) => void;

/** Longer ids than this are something else. */
const LONGEST_ID = 200;

/** @throws An `InputError` for what is no id: an answer with something of any size and depth would be no small message. */
function idOf({ id = null }: WorkerMessage['header']): MessageId {
  if (id === null || typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID)) return id;
  throw new InputError(`id: expected a number or a text of at most ${LONGEST_ID} characters`);
}

function greet({ header }: WorkerMessage, send: Send): void {
  try {
    refuseAnotherProtocol(header);
    const id = idOf(header);
    const little = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1; // fits: bytes
    const byteOrder = little ? 'little' : 'big';
    send(id, { ok: { protocol: PROTOCOL, version: gradusVersion(), byteOrder, process: process.pid } });
  } catch (error) {
    send(idOrNull(header), refusal(error));
    throw error;
  }
}

function refuseAnotherProtocol({ call, protocol }: WorkerMessage['header']): void {
  if (call === 'hello' && protocol === PROTOCOL) return;
  const version = typeof protocol === 'number' ? `version ${protocol} of the protocol` : 'no version';
  throw new InputError({
    message: `expected the call hello with version ${PROTOCOL} of the protocol first, found ${call === 'hello' ? version : 'another call'}`,
    wayOut: 'take a program and a worker of the same version of Gradus',
  });
}

async function answer(session: WorkerSession, message: WorkerMessage, send: Send, nextPart: () => WorkerMessage): Promise<void> {
  const { header } = message;
  try {
    const { result, arrays } = await answerOf(session, message, new RunParts(header.inputs, nextPart));
    send(idOf(header), { ok: result }, arrays);
  } catch (error) {
    send(idOrNull(header), refusal(error));
  }
}

async function answerOf(session: WorkerSession, { header, arrays }: WorkerMessage, parts: RunParts): Promise<WorkerAnswer> {
  try {
    idOf(header);
    const { call } = header;
    if (typeof call !== 'string') throw new InputError('call: expected the name of a call as a text');
    return await session.answer(call, header, arrays, parts);
  } finally {
    parts.skip();
  }
}

function idOrNull(header: WorkerMessage['header']): MessageId {
  try {
    return idOf(header);
  } catch {
    return null;
  }
}

function refusal(error: unknown): WorkerMessage['header'] {
  const found = problemsOf(error);
  if (!('problems' in found)) return found;
  return { problems: found.problems, message: found.problems.map(problemText).join('\n') };
}
