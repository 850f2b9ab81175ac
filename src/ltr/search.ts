import { seededRandom } from '../core/numbers/random.js';
import { expectationOf } from '../core/params.js';
import { InputError, type Problem } from '../core/problem.js';
import type { Learner, LearnerOption, OptionValue } from './ranker.js';

/** The values that are tried for one option: a list, or everything between two numbers. */
export type Candidates =
  | { readonly name: string; readonly values: readonly string[] }
  | { readonly name: string; readonly low: number; readonly high: number };

/** Understands `rate=0.05,0.1` and, for random search, `rate=0.01..0.3`. Options that take several numbers have their
 *  alternatives separated by semicolons: `layers=10;20,10`. */
export function parseCandidates(text: string, optionOf: (name: string) => { name: string; spec: LearnerOption } | undefined): Candidates {
  const equals = text.indexOf('=');
  const written = text.slice(0, Math.max(0, equals));
  const option = optionOf(written);
  if (equals < 1 || option === undefined) {
    throw new InputError({
      message:
        equals < 1 ? `expected an option and its values, found ${text || 'nothing'}` : `there is no option ${written} to search over`,
      wayOut: 'write it as rate=0.05,0.1',
    });
  }
  const { name, spec } = option;
  const range = /^([^.,]*(?:\.\d+)?)\.\.(.+)$/.exec(text.slice(equals + 1));
  if (range !== null) {
    const [low, high] = [Number(range[1]), Number(range[2])];
    if (!(Number.isFinite(low) && Number.isFinite(high) && low < high) || (spec.type !== 'number' && spec.type !== 'integer')) {
      throw new InputError({ message: `${text}: expected two numbers, the lower one first`, wayOut: 'write it as rate=0.01..0.3' });
    }
    return { name, low, high };
  }
  const values = text.slice(equals + 1).split(spec.type === 'numbers' ? ';' : ',');
  if (values.some((value) => value === '')) throw new InputError(`${text}: a value is missing; ${name} takes ${expectationOf(spec)}`);
  return { name, values };
}

/** Every combination of the candidates, the last one changing fastest. */
export function gridOf(candidates: readonly Candidates[]): Record<string, OptionValue>[] {
  const problems: Problem[] = candidates.flatMap((each) =>
    'values' in each
      ? []
      : [{ message: `${each.name}=${each.low}..${each.high} has no end of values`, wayOut: 'give --random N to draw from it' }],
  );
  if (problems.length > 0) throw new InputError(problems);
  let combinations: Record<string, OptionValue>[] = [{}];
  for (const each of candidates) {
    if (!('values' in each)) continue;
    combinations = combinations.flatMap((sofar) => each.values.map((value) => ({ ...sofar, [each.name]: value })));
  }
  return combinations;
}

/** So many combinations drawn at random, none twice as long as there are others. Between two positive numbers the logarithm
 *  is drawn evenly, because that is how rates and penalties matter. */
export function drawnFrom(
  candidates: readonly Candidates[],
  count: number,
  learner: Pick<Learner, 'options'>,
  seed: number,
): Record<string, OptionValue>[] {
  const random = seededRandom(seed);
  const draw = (): Record<string, OptionValue> => {
    const drawn: Record<string, OptionValue> = {};
    for (const each of candidates) {
      if ('values' in each) drawn[each.name] = each.values[random.below(each.values.length)];
      else {
        const { low, high } = each;
        const place = random.float();
        const value = low > 0 ? low * (high / low) ** place : low + (high - low) * place;
        drawn[each.name] = learner.options[each.name]?.type === 'integer' ? Math.round(value) : Number(value.toPrecision(4));
      }
    }
    return drawn;
  };
  const seen = new Set<string>();
  const combinations: Record<string, OptionValue>[] = [];
  for (let attempt = 0; combinations.length < count && attempt < 50 * count; attempt++) {
    const drawn = draw();
    const key = JSON.stringify(drawn);
    if (seen.has(key)) continue;
    seen.add(key);
    combinations.push(drawn);
  }
  return combinations;
}
