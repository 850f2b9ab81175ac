import { describe, expect, it } from 'vitest';
import { type GetoptOption, walkOptions } from './getopt.js';

const specs: readonly GetoptOption[] = [
  { short: 'q', long: 'query', argument: false },
  { short: 'm', long: 'measure', argument: true },
  { short: 'R', long: 'Rel', argument: true },
  { short: 'T', long: 'Results', argument: true },
  { short: 'o', long: 'Output', argument: false, longArgument: true },
];

function walk(...args: string[]): { seen: string[]; rest: unknown } {
  const seen: string[] = [];
  const rest = walkOptions(args, specs, (spec, argument) => seen.push(`${spec.short}:${argument}`));
  return { seen, rest };
}

describe('walkOptions(args) takes a command line apart as getopt_long does', () => {
  // messages are those of glibc 2.36
  it.each<[args: string[], seen: string[], rest: unknown]>([
    [
      ['-q', 'a', '-m', 'map', 'b'],
      ['q:', 'm:map'],
      ['a', 'b'],
    ],
    [['-qmmap', 'a'], ['q:', 'm:map'], ['a']],
    [['-m', '-q', 'a'], ['m:-q'], ['a']],
    [['-m=x'], ['m:=x'], []],
    [['-m', 'x', '--', '-q', '--'], ['m:x'], ['-q', '--']],
    [['-', ''], [], ['-', '']],
    [['--meas', 'x', '--q', 'a'], ['m:x', 'q:'], ['a']],
    [['--measure=', '--measure=a=b'], ['m:', 'm:a=b'], []],
    [['--Out', 'x', '-o', 'y'], ['o:x', 'o:'], ['y']],
    [['--Re', 'x'], [], { mistake: "option '--Re' is ambiguous; possibilities: '--Rel' '--Results'" }],
    [['--Re=x'], [], { mistake: "option '--Re=x' is ambiguous; possibilities: '--Rel' '--Results'" }],
    [['--Rel', 'x'], ['R:x'], []],
    [['--bogus=3'], [], { mistake: "unrecognized option '--bogus=3'" }],
    [['--qu=3'], [], { mistake: "option '--query' doesn't allow an argument" }],
    [['a', '--meas'], [], { mistake: "option '--measure' requires an argument" }],
    [['a', '-qm'], ['q:'], { mistake: "option requires an argument -- 'm'" }],
    [['-q-'], ['q:'], { mistake: "invalid option -- '-'" }],
    [['-qx', 'a'], ['q:'], { mistake: "invalid option -- 'x'" }],
  ])('%j', (args, seen, rest) => {
    expect(walk(...args)).toEqual({ seen, rest });
  });
});
