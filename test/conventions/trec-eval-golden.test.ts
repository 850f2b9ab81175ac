import { describe, expect, it } from 'vitest';
import { goldenCases, goldenFolder, readFrom, runCaptured } from '../helpers/trec-golden.js';

const read = readFrom(goldenFolder);

describe.each(['10.0', '9.0.8', '9.0.7'])('runTrecEval as trec_eval %s prints what the tool printed', (version) => {
  const cases = goldenCases().filter((golden) => golden.version === version);

  it('has cases', () => expect(cases.length).toBeGreaterThan(150));

  it.each(cases.map((golden) => [golden.id, golden.args.join(' '), golden] as const))('%s: %s', async (_id, _args, golden) => {
    const { stdin } = golden;
    const outcome = await runCaptured(
      golden.args,
      version,
      read,
      stdin === undefined ? {} : { readStdin: () => read(stdin) ?? new Uint8Array(0) },
    );
    expect(outcome).toEqual({ exitCode: golden.exitCode, stdout: golden.stdout, stderr: golden.stderr });
  });
});
