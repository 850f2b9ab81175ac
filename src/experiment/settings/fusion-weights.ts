import { InputError, type Problem } from '../../core/problem.js';

/** Weights as a person gives them: in the order of the runs, or by their names. */
export interface GivenWeights {
  readonly weights: readonly number[];
  /** What the runs are called that they are for; undefined if their order tells. */
  readonly names: readonly string[] | undefined;
}

/** `0.3,0.7` or `bm25=0.3,neural=0.7` */
export function readWeights(text: string): GivenWeights {
  const parts = text.split(',').map((part) => ({ part, equals: part.lastIndexOf('=') }));
  const numbers = parts.map(({ part, equals }) => part.slice(equals + 1).trim());
  const weights = numbers.map((number) => (number === '' ? Number.NaN : Number(number)));
  const numNamed = parts.filter(({ equals }) => equals >= 0).length;
  if (weights.some((weight) => !(Number.isFinite(weight) && weight >= 0)) || (numNamed > 0 && numNamed < parts.length)) {
    throw new InputError({
      message: `--weights: expected numbers of at least 0, separated by commas, found ${text === '' ? 'nothing' : text}`,
      wayOut: 'write 0.3,0.7 or bm25=0.3,neural=0.7',
    });
  }
  return { weights, names: numNamed === 0 ? undefined : parts.map(({ part, equals }) => part.slice(0, equals).trim()) };
}

/** The weights in the order of the runs.
 *  @param runs What the runs are called.
 *  @throws An `InputError` if a run has no weight or two, or a weight no run. */
export function weightsInOrder({ weights, names }: GivenWeights, runs: readonly string[]): readonly number[] {
  if (names === undefined) return weights;
  const problems: Problem[] = [];
  for (const [i, name] of names.entries()) {
    if (!runs.includes(name)) problems.push({ message: `--weights: no run is called ${name}`, wayOut: `they are ${runs.join(', ')}` });
    else if (names.indexOf(name) < i) problems.push({ message: `--weights: ${name} has two weights` });
  }
  for (const run of runs) {
    if (!names.includes(run)) problems.push({ message: `--weights: ${run} has no weight`, wayOut: 'give each run one' });
  }
  if (problems.length > 0) throw new InputError(problems);
  return runs.map((run) => weights[names.indexOf(run)]);
}
