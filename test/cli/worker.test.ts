import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { launcher, repository, runGradus } from '../helpers/run-gradus.js';

const MAGIC = 0x44415247;

function message(header: object, ...arrays: (Uint8Array | Uint32Array | Float64Array)[]): Buffer {
  const types = { Uint8Array: 'u8', Uint32Array: 'u32', Float64Array: 'f64' };
  const declared = arrays.map((array) => ({ type: types[array.constructor.name as keyof typeof types], length: array.length }));
  const json = Buffer.from(JSON.stringify({ ...header, arrays: declared }));
  const body = Buffer.concat(
    arrays.map(({ buffer, byteOffset, byteLength }) => {
      const padded = Buffer.alloc(Math.ceil(byteLength / 8) * 8);
      Buffer.from(buffer, byteOffset, byteLength).copy(padded);
      return padded;
    }),
  );
  const prefix = Buffer.alloc(16);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(json.length, 4);
  prefix.writeBigUInt64LE(BigInt(body.length), 8);
  return Buffer.concat([prefix, json, body]);
}

interface Received {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function received(bytes: Buffer): Received[] {
  const found: Received[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes.readUInt32LE(at)).toBe(MAGIC);
    const start = at + 16;
    const end = start + bytes.readUInt32LE(at + 4);
    const next = end + Number(bytes.readBigUInt64LE(at + 8));
    found.push({ header: JSON.parse(bytes.subarray(start, end).toString()), body: bytes.subarray(end, next) });
    at = next;
  }
  return found;
}

const hello = message({ id: 1, call: 'hello', protocol: 1 });

function answersTo(...messages: readonly Buffer[]): { answers: Received[]; status: number | null; stderr: string } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, 'worker'], {
    input: Buffer.concat([hello, ...messages]),
    cwd: repository,
    maxBuffer: 1 << 26,
  });
  return { answers: received(stdout), status, stderr: stderr.toString() };
}

const files = ['examples/data/example.qrels', 'examples/data/bm25.run', 'examples/data/neural.run'];
const texts = (...ids: readonly string[]): Uint8Array => new TextEncoder().encode(ids.join('\0'));

test('gradus worker evaluates columns, and holds what it is asked to hold', () => {
  const qrels = {
    kind: 'qrels',
    topics: { bytes: 0, separator: 0, count: 1 },
    rowsOfTopics: 1,
    docs: { bytes: 2, separator: 0, count: 2 },
    grades: 3,
  };
  const run = {
    kind: 'run',
    topics: { bytes: 0, separator: 0, count: 1 },
    rowsOfTopics: 1,
    docs: { bytes: 2, separator: 0, count: 2 },
    scores: 3,
  };
  const { answers, status } = answersTo(
    message({ id: 2, call: 'hold', input: qrels }, texts('q'), Uint32Array.of(2), texts('a', 'b'), Float64Array.of(0, 1)),
    message(
      { id: 3, call: 'eval', inputs: [{ held: 1 }, run], arguments: [0, 1], settings: { measure: ['RR', 'P@1'] } },
      texts('q'),
      Uint32Array.of(2),
      texts('a', 'b'),
      Float64Array.of(2, 1),
    ),
    message({ id: 4, call: 'release', handle: 1 }),
    message({ id: 5, call: 'eval', inputs: [{ held: 1 }], arguments: [0] }),
  );
  expect(status).toBe(0);
  expect(answers.map(({ header }) => header.id)).toEqual([1, 2, 3, 4, 5]);
  expect(answers[1].header.ok).toEqual({ handle: 1 });
  expect(answers[2].header.ok).toMatchObject({ status: 0, topics: ['q'], measures: ['RR', 'P@1'], values: 0, means: 1 });
  // the relevant document is the second of two: RR is 1/2, P@1 is 0
  expect([answers[2].body.readDoubleLE(0), answers[2].body.readDoubleLE(8)]).toEqual([0.5, 0]);
  expect(answers[3].header.ok).toEqual({ released: true });
  expect(answers[4].header.message).toBe('nothing is held as 1; send it again');
});

test('gradus worker says what the commands print', () => {
  const paths = files.map((path) => ({ path }));
  const { answers } = answersTo(
    message({ id: 2, call: 'compare', inputs: paths, arguments: [0, 1, 2], settings: { json: true, measure: 'AP' } }),
    message({ id: 3, call: 'gate', arguments: files, settings: { json: true, maxDrop: { AP: 0.02 }, measure: ['AP'] } }),
    message({ id: 4, call: 'meta power', arguments: files, settings: { json: true, measure: ['AP'], resamples: 50 } }),
  );
  const text = ({ header: { ok, arrays }, body }: Received): string => {
    const { text: place } = ok as { text: number };
    const lengths = (arrays as { length: number }[]).map(({ length }) => length);
    const start = lengths.slice(0, place).reduce((sum, length) => sum + Math.ceil(length / 8) * 8, 0);
    return body.subarray(start, start + lengths[place]).toString();
  };
  expect(text(answers[1])).toBe(runGradus(['compare', ...files, '-m', 'AP', '--json']).stdout);
  expect(text(answers[2])).toBe(runGradus(['gate', ...files, '-m', 'AP', '--max-drop', 'AP=0.02', '--json']).stdout);
  expect(text(answers[3])).toBe(runGradus(['meta', 'power', ...files, '-m', 'AP', '-B', '50', '--json']).stdout);
});

test('gradus worker gives the verdict of a comparison in words, and of two systems its picture', () => {
  const { answers } = answersTo(
    message({ id: 2, call: 'compare', arguments: files, settings: { json: true, measure: 'AP' } }),
    message({ id: 3, call: 'compare', arguments: [...files, 'examples/data/hybrid.run'], settings: { json: true, measure: 'AP' } }),
  );
  const [two, three] = answers.slice(1).map(({ header }) => header.ok as Record<string, Record<string, unknown>>);
  expect(two.verdict).toMatchObject({ state: 'Better', heading: 'neural is better than bm25.' });
  expect(answers[1].body.subarray(0, 4).toString()).toBe('<svg');
  expect(two).toMatchObject({ picture: 0, text: 1 });
  expect(three.verdict.state).toBe('Clear winner');
  expect(three.picture).toBeUndefined();
});

test('gradus worker refuses with the sentence of the command line, and goes on', () => {
  const { answers, status } = answersTo(
    message({ id: 2, call: 'eval', arguments: ['examples/data/example.qrels', 'no-such.run'] }),
    message({ id: 3, call: 'eval', arguments: files.slice(0, 2), settings: { mesure: 'AP' } }),
    message({ id: 4, call: 'version' }),
  );
  const printed = runGradus(['eval', 'examples/data/example.qrels', 'no-such.run']).stderr;
  expect(`gradus: ${String(answers[1].header.message)}\n`).toBe(printed);
  expect(answers[2].header.message).toContain('gradus eval has no option --mesure; did you mean --measure?');
  expect(answers[3].header.ok).toMatchObject({ status: 0 });
  expect(status).toBe(0);
});

test.each([
  ['other bytes', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 'expected a message that begins with GRAD'],
  ['half a message', message({ id: 2 }).subarray(0, 20), 'the stream ends in the middle of the header of a message'],
])('gradus worker ends with status 2 at %s, and says why', (_, bytes, sentence) => {
  const { answers, status, stderr } = answersTo(bytes);
  expect(answers.at(-1)?.header.message).toContain(sentence);
  expect(stderr).toContain(sentence);
  expect(status).toBe(2);
});

/** A message whose header is this text. */
function rawMessage(json: string): Buffer {
  const prefix = Buffer.alloc(16);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(Buffer.byteLength(json), 4);
  return Buffer.concat([prefix, Buffer.from(json)]);
}

const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;

test.each([
  ['a deep id', `{"id":${deep},"call":"version"}`, 'id: expected a number or a text of at most 200 characters'],
  ['a long id', `{"id":"${'x'.repeat(201)}","call":"version"}`, 'id: expected a number or a text of at most 200 characters'],
  ['a call that is no text', `{"id":2,"call":${deep}}`, 'call: expected the name of a call as a text'],
  ['a file in the name of a call', '{"id":2,"call":"eval -"}', 'there is no call eval -, found 2 words, expected one'],
  ['three words', '{"id":2,"call":"meta power -"}', 'there is no call meta power -, found 3 words, expected two'],
  ['a deep argument', `{"id":2,"call":"eval","arguments":[${deep}]}`, 'arguments: expected numbers of inputs and texts'],
  ['an odd argument', '{"id":2,"call":"eval","arguments":[{"toString":1}]}', 'arguments: expected numbers of inputs and texts'],
  ['a deep setting', `{"id":2,"call":"eval","settings":{"measure":{"a":${deep}}}}`, 'measure: expected a text, a number'],
  ['an odd folder', '{"id":2,"call":"eval","folder":7}', 'folder: expected a text'],
])('gradus worker refuses %s with a sentence, and goes on', (_, json, sentence) => {
  const { answers, status } = answersTo(rawMessage(json), message({ id: 3, call: 'version' }));
  expect(answers[1].header.message).toContain(sentence);
  expect(answers[2].header).toMatchObject({ id: 3, ok: { status: 0 } });
  expect(status).toBe(0);
});

test('gradus worker refuses a version of the protocol that is no number', () => {
  const json = `{"id":1,"call":"hello","protocol":${deep}}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, 'worker'], { input: rawMessage(json) });
  expect(received(stdout)[0].header.message).toContain('expected the call hello with version 1 of the protocol first, found no version');
  expect(stderr.toString()).toMatch(/^gradus: expected the call hello/);
  expect(status).toBe(2);
});

test.runIf(process.platform === 'linux')('gradus worker sets no gigabytes aside for a few bytes', () => {
  const prefix = Buffer.alloc(16);
  prefix.writeUInt32LE(MAGIC, 0);
  prefix.writeUInt32LE(2, 4);
  prefix.writeBigUInt64LE(2n ** 31n, 8);
  // as much memory as Node takes by itself, and not a gigabyte more
  const limited = `ulimit -v 2600000; exec "$0" "$1" worker`;
  const input = Buffer.concat([hello, prefix, Buffer.from('{}')]);
  const { stdout, status } = spawnSync('sh', ['-c', limited, process.execPath, launcher], { input });
  expect(received(stdout).at(-1)?.header.message).toContain(
    'the stream ends in the middle of the body of a message: after 0 of 2147483648 bytes',
  );
  expect(status).toBe(2);
});

let child: ChildProcessWithoutNullStreams | undefined;
afterEach(() => void child?.kill());

test.skipIf(process.platform === 'win32')('gradus worker lets Ctrl-C pass, which is for the program that asks', async () => {
  const worker = spawn(process.execPath, [launcher, 'worker']);
  child = worker;
  worker.stdin.write(hello);
  await new Promise((resolve) => worker.stdout.once('data', resolve));
  worker.kill('SIGINT');
  worker.stdin.end(message({ id: 2, call: 'version' }));
  const [header] = received(
    await new Promise<Buffer>((resolve) => {
      worker.stdout.once('data', resolve);
    }),
  );
  expect(header.header.id).toBe(2);
});
