import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { withLimits } from '../../../test/helpers/lowered-limits.js';
import { latin1Bytes, scanInChunks, scanSlowly } from '../../../test/helpers/slow-lines.js';
import { type Random, seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { createLineScanner } from './create-line-scanner.js';
import { type LineLayout, prefsLines, qrelsLines, runLines, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from './line-scanner.js';

const layouts: [string, LineLayout][] = [
  ['runs', runLines],
  ['runs with comments', { ...runLines, comments: 'any' }],
  ['runs of any topics together', { ...runLines, topic: undefined, kept: [0] }],
  ['judgments', qrelsLines],
  ['judgments with groups and comments', { ...qrelsLines, kept: [1], comments: 'single' }],
  ['preferences', prefsLines],
  ['three columns, the topic last', { ...runLines, topic: 2, doc: 0, number: 1, tag: undefined, fields: 3 }],
  ['sixteen fields', { ...runLines, topic: 15, doc: 0, number: 14, tag: 7, fields: 16, kept: [13, 1] }],
];
const engines: [string, boolean][] = [
  ['TypeScript', false],
  ['WebAssembly', true],
];

const longLayouts: [string, LineLayout][] = [
  ['runs', runLines],
  ['runs with comments', { ...runLines, comments: 'any' }],
  ['runs of any topics together', { ...runLines, topic: undefined, kept: [0] }],
  ['judgments', { ...qrelsLines, blankIsBad: false }],
  ['judgments with groups', { ...qrelsLines, kept: [1] }],
];
const longTopics = ['301', 'topic-12', 'topic-00012', 'a-topic-of-16-by', 'a-topic-of-17-byt'];
const lineShapes: { doc(random: Random): string; number(random: Random): string; gap: string; tail: string; extra: string }[] = [
  { doc: (random) => String(random.below(1e7)), number: (random) => (random.float() * 20).toFixed(6), gap: ' ', tail: '\r', extra: '\n' },
  {
    doc: (random) => `clueweb09-en${random.below(1e5)}-${random.below(1e5)}`,
    number: (random) => String(random.normal()),
    gap: '\t',
    tail: ' x',
    extra: '# note\n',
  },
  { doc: (random) => 'd'.repeat(1 + random.below(30)), number: (random) => String(random.below(5)), gap: '  ', tail: '', extra: 'bad\n' },
];

/** One character per byte. */
const anyByte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const numberText = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.double({ noNaN: true, min: -1000, max: 1000 }).map((x) => x.toFixed(6)),
  fc.double({ noNaN: true, min: -10, max: 10 }).map((x) => x.toFixed(18)),
  fc.double({ noNaN: true, min: -100, max: 100 }).map((x) => x.toExponential(16)),
  fc.stringMatching(/^[+-]?[0-9]{0,22}\.?[0-9]{0,22}([eE][+-]?[0-9]{1,3})?$/),
  fc.integer({ min: -5, max: 5 }).map(String),
  fc.constantFrom(
    'nan',
    'inf',
    '-Infinity',
    '0x1p3',
    '1e400',
    '1e-400',
    '4.9e-324',
    '.',
    '-',
    '+',
    '1.2.3',
    '1e',
    '1e+',
    '--1',
    '1,5',
    '-0',
    '+0.0',
    '5.',
    '.5',
  ),
);
const topicText = fc.constantFrom(
  '1',
  '2',
  '301',
  '302',
  '#7',
  'topic-00001',
  'topic-00002',
  'longer-topic-name-1',
  'longer-topic-name-2',
  '\xe9',
);
const plainText = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
  fc.array(anyByte, { minLength: 1, maxLength: 12 }).map((bytes) => bytes.join('')),
  fc.constantFrom('Q0', '0', '#', '\x00', 'x'.repeat(64), 'y'.repeat(200), '\xff\xfe'),
);
const white = fc.constantFrom(' ', ' ', ' ', '\t', '  ', '\v', '\f', '\r', ' \t ');

/** A line that follows the layout, whatever that is. */
function lineOf(layout: LineLayout): fc.Arbitrary<string> {
  const fields: fc.Arbitrary<string>[] = Array.from({ length: layout.fields }, () => plainText);
  fields[layout.topic ?? 0] = topicText;
  fields[layout.number] = numberText;
  return fc
    .tuple(
      fc.constantFrom('', '', '', ' ', '\t'),
      fc.tuple(...fields),
      fc.array(white, { minLength: 16, maxLength: 16 }),
      fc.constantFrom('', '', '\r', ' ', ' more'),
    )
    .map(([before, texts, gaps, after]) => before + texts.map((text, i) => (i === 0 ? text : gaps[i] + text)).join('') + after);
}

function textOf(layout: LineLayout, maxLines: number): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 8, arbitrary: lineOf(layout) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\r', '# a comment', '  # an indented one', '#', '# 1 2 3', '1 2 3') },
    { weight: 1, arbitrary: fc.array(fc.oneof(plainText, white), { maxLength: 30 }).map((parts) => parts.join('')) },
  );
  return fc
    .tuple(fc.array(line, { maxLength: maxLines }), fc.boolean())
    .map(([lines, lastLf]) => lines.join('\n') + (lastLf && lines.length > 0 ? '\n' : ''));
}

describe.each(engines)('the %s scanner', (_, wasm) => {
  describe.each(layouts)('of %s', (_name, layout) => {
    test('agrees with splitting, whatever the text and wherever the chunks end', () => {
      fc.assert(
        fc.property(textOf(layout, 12), fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }), (text, chunkSizes) => {
          const scanner = createLineScanner({ ...layout, capacity: 16, lines: 2, wasm });
          expect(scanInChunks(scanner, latin1Bytes(text), chunkSizes, layout)).toEqual(scanSlowly(text, layout));
        }),
        { numRuns: 500 },
      );
    });

    test('agrees with splitting for a chunk boundary at every position', () => {
      const scanner = createLineScanner({ ...layout, wasm });
      fc.assert(
        fc.property(textOf(layout, 4), (text) => {
          const expected = scanSlowly(text, layout);
          const file = latin1Bytes(text);
          for (let cut = 1; cut <= file.length; cut++) {
            expect(scanInChunks(scanner, file, [cut, file.length], layout)).toEqual(expected);
          }
        }),
        { numRuns: 10 },
      );
    });
  });

  test.each(longLayouts)('agrees with splitting on many lines of a topic: %s', (_name, layout) => {
    const random = seededRandom(7);
    for (const shape of lineShapes) {
      let text = '';
      for (let line = 0; line < 3000; line++) {
        // a topic lasts long enough to fill several batches of the kernel
        const topic = longTopics[Math.floor(line / 700)];
        const fields = Array.from({ length: layout.fields }, () => 'Q0');
        fields[layout.topic ?? 0] = random.below(400) === 0 ? 'other' : topic;
        fields[layout.doc] = shape.doc(random);
        fields[layout.number] = random.below(50) === 0 ? 'odd' : shape.number(random);
        text += `${fields.join(shape.gap)}${random.below(60) === 0 ? shape.tail : ''}\n`;
        if (random.below(90) === 0) text += shape.extra;
      }
      const scanner = createLineScanner({ ...layout, wasm });
      // toEqual is slow on thousands of lines, and says no more than this when it fails
      expect(JSON.stringify(scanInChunks(scanner, latin1Bytes(text), [40_000, 17], layout))).toBe(JSON.stringify(scanSlowly(text, layout)));
    }
  });

  test('stops are distinguished and leave the line where it is', () => {
    const scanner = createLineScanner({ ...runLines, lines: 2, wasm });
    const text = '1 Q0 a 1 5 t\n\n1 Q0 b 2 4 t\n1 Q0 c 3 3 u\n2 Q0 d 1 9 t\n2 Q0 e\n2 Q0';
    scanner.bytes.set(latin1Bytes(text));

    expect(scanner.scan(text.length)).toBe(SCAN_FULL);
    expect([scanner.position, scanner.numLines, scanner.recordsSeen, scanner.linesSeen]).toEqual([27, 2, 2, 3]);
    scanner.reserveLines(3);
    expect(scanner.scan(text.length)).toBe(SCAN_TOPIC);
    expect([scanner.position, scanner.numLines, scanner.recordsSeen, scanner.linesSeen]).toEqual([40, 3, 3, 4]);
    expect([...scanner.numbers.subarray(0, 3)]).toEqual([5, 4, 3]);
    expect([scanner.tagStart, scanner.tagEnd]).toEqual([38, 39]);
    scanner.startTopic();
    expect(scanner.scan(text.length)).toBe(SCAN_BAD);
    expect([scanner.position, scanner.numLines, scanner.recordsSeen, scanner.linesSeen]).toEqual([53, 1, 4, 5]);
    expect(scanner.skipLine(text.length)).toBe(true);
    expect(scanner.scan(text.length)).toBe(SCAN_END);
    expect([scanner.position, scanner.numLines, scanner.recordsSeen, scanner.linesSeen]).toEqual([60, 1, 5, 6]);
    expect(scanner.skipLine(text.length)).toBe(false);
  });

  test('a line is not complete while its LF lies behind the end', () => {
    const scanner = createLineScanner({ ...runLines, wasm });
    const text = '1 Q0 a 1 5 t\n';
    scanner.bytes.set(latin1Bytes(text));
    expect(scanner.scan(text.length - 1)).toBe(SCAN_END);
    expect(scanner.numLines).toBe(0);
    expect(scanner.scan(text.length)).toBe(SCAN_END);
    expect(scanner.numLines).toBe(1);
  });

  test('more text than memory can hold is refused in one sentence, and what was read stays', () => {
    const scanner = createLineScanner({ ...runLines, wasm });
    const text = '1 Q0 a 1 5 t\n';
    scanner.bytes.set(latin1Bytes(text));
    scanner.scan(text.length);
    expect(() => scanner.reserve(2 ** 50)).toThrow(InputError);
    expect(scanner.docEnd[0]).toBe(6);
    expect(scanner.scan(text.length)).toBe(SCAN_END);
  });

  test('a layout that names a field it does not have is refused', () => {
    expect(() => createLineScanner({ ...runLines, fields: 5, wasm })).toThrow('no such field: 5');
    expect(() => createLineScanner({ ...runLines, fields: 17, wasm })).toThrow('invalid number of fields: 17');
    expect(() => createLineScanner({ ...runLines, kept: [1, 2, 3], wasm })).toThrow('at most two');
  });
});

describe('without WebAssembly', () => {
  test('no more bytes are held than places in them can be numbered in 32 bits', async () => {
    const scanner = createLineScanner({ ...runLines, capacity: 100, wasm: false });
    await withLimits({ entries: 1000 }, () => {
      scanner.reserve(1000);
      expect(() => scanner.reserve(1001)).toThrow('one topic, or one line, takes 1001 bytes or more');
    });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('the TypeScript scanner takes over where there is no memory left for another kernel', () => {
    vi.spyOn(WebAssembly, 'Memory').mockImplementation(function none() {
      throw new RangeError('could not allocate memory');
    });
    const scanner = createLineScanner(runLines);
    vi.restoreAllMocks();
    expect(scanInChunks(scanner, latin1Bytes('1 Q0 a 1 5 t\n'), [99], runLines).records).toBe(1);
  });

  test('the TypeScript scanner takes over, and asking for the other fails', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { createLineScanner: create } = await import('./create-line-scanner.js');
    expect(scanInChunks(create(runLines), latin1Bytes('1 Q0 a 1 5 t\n'), [99], runLines).records).toBe(1);
    expect(() => create({ ...runLines, wasm: true })).toThrow('not available');
  });
});
