import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateRunFile } from '../../src/node/streams/stream-evaluate.js';
import { type GoldenCase, goldenCases, goldenFolder, readFrom, runCaptured } from '../helpers/trec-golden.js';

const read = readFrom(goldenFolder);
const versions = ['10.0', '9.0.8', '9.0.7'];

function stdinOf({ stdin }: GoldenCase): { readStdin: () => Uint8Array } | Record<string, never> {
  return stdin === undefined ? {} : { readStdin: () => read(stdin) ?? new Uint8Array(0) };
}

describe.each(versions)('runTrecEval as trec_eval %s prints what the tool printed', (version) => {
  const cases = goldenCases().filter((golden) => golden.version === version);

  it('has cases', () => expect(cases.length).toBeGreaterThan(150));

  it.each(cases.map((golden) => [golden.id, golden.args.join(' '), golden] as const))('%s: %s', async (_id, _args, golden) => {
    const outcome = await runCaptured(golden.args, version, read, stdinOf(golden));
    expect(outcome).toEqual({ exitCode: golden.exitCode, stdout: golden.stdout, stderr: golden.stderr });
  });
});

describe.each(versions)('runTrecEval as trec_eval %s prints the same with evaluateFast', (version) => {
  it('in all cases, and files with their topics together go that way', async () => {
    const cases = goldenCases().filter((golden) => golden.version === version);
    let numFast = 0;
    for (const golden of cases) {
      const outcome = await runCaptured(golden.args, version, read, {
        ...stdinOf(golden),
        evaluateFast: async ({ resultsPath, options, ...request }) => {
          const result = await evaluateRunFile({ ...request, path: join(goldenFolder, resultsPath), planOptions: options, grammar: 'c' });
          if (result !== undefined) numFast++;
          return result;
        },
      });
      expect(outcome, golden.id).toEqual({ exitCode: golden.exitCode, stdout: golden.stdout, stderr: golden.stderr });
    }
    expect(numFast).toBeGreaterThan(30);
  });
});
