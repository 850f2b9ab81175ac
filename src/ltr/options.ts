import { paramProblem, readParam, unknownParam } from '../core/params.js';
import { InputError, type Problem } from '../core/problem.js';
import type { Learner, OptionValue } from './ranker.js';

/** What a learner is asked to do: values, or texts as a command line has them. */
export type GivenOptions = Readonly<Record<string, OptionValue>>;

/** The options of a learner, complete: what was given, checked, and the defaults for the rest. An option that the learner
 *  does not have is refused rather than ignored.
 *  @throws An `InputError` that tells everything that is wrong at once. */
export function checkOptions(learner: Pick<Learner, 'name' | 'options'>, given: GivenOptions = {}): Record<string, OptionValue> {
  const problems: Problem[] = [];
  const names = Object.keys(learner.options);
  const complete = Object.fromEntries(names.map((name): [string, OptionValue] => [name, learner.options[name].default]));
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(learner.options, name)) {
      problems.push(unknownParam(learner.name, 'option', name, names));
      continue;
    }
    const spec = learner.options[name];
    const read = typeof value === 'string' ? readParam(spec, value) : value;
    const problem = paramProblem(`${name} of ${learner.name}`, spec, read);
    if (problem === undefined) complete[name] = read as OptionValue;
    else problems.push(problem);
  }
  if (problems.length > 0) throw new InputError(problems);
  return complete;
}
