import { describe, expect, it } from 'vitest';
import { Dice } from '../helpers/dice.js';
import { slowTrecEval } from '../helpers/slow-trec-eval.js';
import { runCaptured } from '../helpers/trec-golden.js';
import { argumentsOf, makeRequest } from '../helpers/trec-requests.js';

const CASES = 250;

describe.each(['10.0', '9.0.8', '9.0.7'] as const)('runTrecEval as %s agrees with the slow twin', (version) => {
  it(`on ${CASES} random small runs with ties, negative levels, odd layouts and mistakes`, async () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const request = makeRequest(new Dice(seed), version);
      const args = argumentsOf(request);
      const files: Record<string, string> = { rel: request.relevance, run: request.results };
      const outcome = await runCaptured(args, version, (path) => Buffer.from(files[path], 'latin1'));
      expect(outcome, `seed ${seed}: trec_eval ${args.join(' ')}`).toEqual(slowTrecEval(request));
    }
  });
});
