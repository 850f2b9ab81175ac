/** Which options of which learners are tried. */
import { InputError } from '../../core/problem.js';
import { checkOptions, type GivenOptions } from '../../ltr/options.js';
import type { Learner, OptionValue } from '../../ltr/ranker.js';
import { loadLearner } from '../../ltr/registry.js';
import { type Candidates, drawnFrom, parseCandidates } from '../../ltr/search.js';

/** A learner with options that differ from its defaults. */
export interface Candidate {
  readonly learner: string;
  /** What differs from the defaults; nothing for the defaults themselves. */
  readonly options: GivenOptions;
}

const boosted = ['trees=50,100,200,400', 'leaves=4,7,15,31', 'rate=0.03,0.05,0.1,0.2', 'minDocs=5,20,50,100', 'featureSample=0.3,0.6,1'];
const net = ['layers=0,1', 'units=10,32', 'epochs=50,100', 'l2=0,0.001,0.01'];

/** What is searched unless somebody says otherwise. */
const usualSpaces: Readonly<Record<string, readonly string[]>> = {
  lambdamart: boosted,
  mart: boosted,
  'random-forest': ['trees=100,300', 'leaves=31,100,300', 'minDocs=1,5,20', 'featureSample=0.1,0.3,0.6'],
  'coordinate-ascent': ['restarts=1,2,5', 'tolerance=0.01,0.001,0.0001'],
  adarank: ['rounds=50,200,500', 'tolerance=0.01,0.002,0.0005'],
  rankboost: ['rounds=50,150,300', 'thresholds=5,10,50', 'directions=up,both'],
  ranksvm: ['c=0.0001;0.001;0.01;0.1;1', 'loss=hinge,squared-hinge'],
  ranknet: net,
  lambdarank: net,
  softrank: net,
  listnet: net,
  'linear-regression': ['l2=0.01,1,100'],
};

/** The learners that are tried unless somebody names others: a linear one by least squares, two that follow the order of documents, and
 *  boosted trees. */
export const usualLearners: readonly string[] = ['linear-regression', 'ranksvm', 'coordinate-ascent', 'lambdamart'];

/** What is searched. */
export interface SearchSpaceRequest {
  /** Names of learners. */
  readonly learners?: readonly string[] | undefined;
  /** Values to try, such as `rate=0.05,0.1` for every learner with this option, or `lambdamart:rate=0.05,0.1`. */
  readonly grid?: readonly string[] | undefined;
  /** How many learners with options are tried in all. */
  readonly budget?: number | undefined;
  readonly seed?: number | undefined;
  /** How the name of an option may also be written. */
  readonly spelling?: ((option: string) => string) | undefined;
}

/** Learners with options that are tried unless somebody says how many. */
export const USUAL_BUDGET = 24;

/** What is tried: of each learner its defaults first, then combinations that are drawn by the seed, the learners in turn. */
export async function candidatesOf(request: SearchSpaceRequest): Promise<Candidate[]> {
  const { learners: names = usualLearners, budget = USUAL_BUDGET, seed = 1 } = request;
  const learners = await distinctLearners(names);
  if (budget < learners.length) {
    throw new InputError({
      message: `a budget of ${budget} is less than one trial for each of ${learners.length} learners`,
      wayOut: `give --budget ${learners.length} or more, or fewer --learners`,
    });
  }
  const spaces = spacesOf(learners, request);
  const lists = learners.map((learner, l) => {
    const drawn = spaces[l].length === 0 ? [] : drawnFrom(spaces[l], budget, learner, seed);
    return distinctCandidates(learner, [{}, ...drawn]);
  });
  const candidates: Candidate[] = [];
  for (let turn = 0; candidates.length < budget && lists.some((list) => turn < list.length); turn++) {
    for (const list of lists) if (turn < list.length && candidates.length < budget) candidates.push(list[turn]);
  }
  return candidates;
}

async function distinctLearners(names: readonly string[]): Promise<Learner[]> {
  const learners: Learner[] = [];
  for (const name of names) {
    const learner = await loadLearner(name);
    if (!learners.includes(learner)) learners.push(learner);
  }
  return learners;
}

/** The candidates for the options of each learner: those that were given replace all usual ones of the learners they are for. */
function spacesOf(learners: readonly Learner[], { grid = [], spelling = (name) => name }: SearchSpaceRequest): Candidates[][] {
  const optionOf = (learner: Learner, written: string) => {
    const found = Object.entries(learner.options).find(([name]) => name === written || spelling(name) === written);
    return found && { name: found[0], spec: found[1] };
  };
  const spaces = new Map(learners.map((learner): [Learner, Candidates[]] => [learner, []]));
  for (const text of grid) {
    const { values, written, takers } = gridPart(text, learners);
    const able = takers.filter((learner) => optionOf(learner, written) !== undefined);
    // whoever has no such option is asked about it only if nobody has
    for (const learner of able.length > 0 ? able : takers.slice(0, 1)) {
      const candidates = parseCandidates(values, (name) => optionOf(learner, name));
      const own = spaces.get(learner) ?? [];
      if (own.some(({ name }) => name === candidates.name)) {
        throw new InputError({
          message: `--grid gives values of ${written} twice`,
          wayOut: `put them together, as in --grid ${written}=1,2`,
        });
      }
      own.push(candidates);
    }
  }
  return learners.map((learner) => {
    const given = spaces.get(learner) ?? [];
    if (given.length > 0) return given;
    return usualSpaces[learner.name].map((text) => parseCandidates(text, (name) => optionOf(learner, name)));
  });
}

/** `lambdamart:rate=0.1` is for one learner, `rate=0.1` for all that have the option. */
function gridPart(text: string, learners: readonly Learner[]): { values: string; written: string; takers: readonly Learner[] } {
  const equals = text.indexOf('=');
  const colon = text.slice(0, Math.max(0, equals)).indexOf(':');
  const values = text.slice(colon + 1);
  const written = values.slice(0, Math.max(0, values.indexOf('=')));
  if (colon < 0) return { values, written, takers: learners };
  const named = text.slice(0, colon);
  const taker = learners.find(({ name, aliases }) => [name, ...aliases].includes(named));
  if (taker === undefined) {
    throw new InputError({
      message: `--grid ${text}: ${named} is not among the learners that are tried`,
      wayOut: `they are ${learners.map(({ name }) => name).join(', ')}; name others with --learners`,
    });
  }
  return { values, written, takers: [taker] };
}

/** Combinations that come to the same complete options are tried once. */
function distinctCandidates(learner: Learner, combinations: readonly Record<string, OptionValue>[]): Candidate[] {
  const seen = new Set<string>();
  return combinations.flatMap((options) => {
    const complete = checkOptions(learner, options);
    const key = JSON.stringify(complete);
    if (seen.has(key)) return [];
    seen.add(key);
    const differing = Object.keys(options).filter(
      (name) => JSON.stringify(complete[name]) !== JSON.stringify(learner.options[name].default),
    );
    return [{ learner: learner.name, options: Object.fromEntries(differing.map((name) => [name, complete[name]])) }];
  });
}
