import * as fc from 'fast-check';
import type { LetorOptions } from '../../src/formats/letor/options.js';

const number = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -9, max: 99999 }).map(String) },
  { weight: 5, arbitrary: fc.double({ min: -10, max: 10, noNaN: true }).map((x) => x.toFixed(6)) },
  { weight: 2, arbitrary: fc.double({ noNaN: true }).map(String) },
  { weight: 2, arbitrary: fc.constantFrom('-0', '+.5', '5.', '1e5', '2E-7', '007', '1234567890', '0.0370370370370370', '1e999') },
  { weight: 1, arbitrary: fc.constantFrom('', '.', '-', 'nan', '-INF', 'Infinity', '1.2.3', '1e', '0x1', 'é') },
);
const feature = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.integer({ min: 1, max: 12 }), number).map(([id, value]) => `${id}:${value}`) },
  { weight: 1, arbitrary: fc.constantFrom('0:1', '1', ':', '1:', ':1', 'a:1', '1234567890:1', '123456789:1', '1:1:1', 'qid:1', '-1:2') },
);
const regular = fc.array(number, { minLength: 3, maxLength: 3 }).map((values) => values.map((value, k) => `${k + 1}:${value}`));
const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t', ' \v\f');
const comment = fc.constantFrom('', '', '#docid = 12 inc = 1', ' # a # b', '#', '#\r');
const row = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom('0', '1', '2', '3.5', '-1') }, { weight: 1, arbitrary: number }),
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('qid:1', 'qid:2', 'qid:xyz') },
      { weight: 1, arbitrary: fc.constantFrom('qid:', 'qi:1', '', 'q') },
    ),
    fc.oneof(fc.array(feature, { maxLength: 6 }), regular),
    blank,
    comment,
  )
  .map(([label, qid, features, gap, remark]) => [label, qid, ...features].join(gap) + remark);
const line = fc.oneof(
  { weight: 9, arbitrary: row },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '# remark', '\t#x', '\r', ' 1 qid:1 1:1 ') },
);
/** Texts of up to so many lines of feature files, good ones and bad ones, one byte per character. */
export function letorText(maxLines: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(line, { maxLength: maxLines }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, closed]) => lines.join(end) + (closed ? end : ''));
}

/** All ways of reading them leniently. */
export const letorOptions: fc.Arbitrary<LetorOptions> = fc.record({
  lenient: fc.constant(true),
  allowEmpty: fc.constant(true),
  maxProblems: fc.constant(1000),
  features: fc.constantFrom<LetorOptions['features']>('auto', 'dense', 'sparse', 'auto', false),
  precision: fc.constantFrom('double', 'single'),
  missing: fc.constantFrom(0, Number.NaN, -7),
  firstFeature: fc.constantFrom(0, 1),
  numFeatures: fc.constantFrom(undefined, undefined, 11),
  nonFinite: fc.boolean(),
  comments: fc.boolean(),
  scattered: fc.constantFrom('group', 'split', 'refuse'),
  expectedBytes: fc.constantFrom(undefined, 100),
});
