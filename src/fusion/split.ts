import { seededRandom, shuffleInPlace } from '../core/numbers/random.js';
import { requireParam } from '../core/params.js';
import { InputError } from '../core/problem.js';

/** Topics to choose weights by, and topics to test the choice on; as places in the list of topics. */
export interface TopicSplit {
  readonly name: string;
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** Divides topics into training and test sets: by `trainTopics`, or into `folds` parts of which each is tested with what the others
 *  teach. The parts are dealt out from a seeded shuffle, so that their sizes differ by one at most.
 *  @param topics In a fixed order, so that the same seed divides them in the same way. */
export function splitTopics(
  topics: readonly string[],
  { folds, trainTopics, seed }: { folds?: number | undefined; trainTopics?: readonly string[] | undefined; seed: number },
): TopicSplit[] {
  if (trainTopics !== undefined) {
    if (folds !== undefined) throw new InputError({ message: 'both folds and training topics were given', wayOut: 'give one of them' });
    return [splitByList(topics, trainTopics)];
  }
  const parts = folds ?? 5;
  requireParam('folds', { type: 'integer', min: 2 }, parts);
  if (parts > topics.length) {
    throw new InputError({ message: `${parts} folds for ${topics.length} judged topics`, wayOut: `use at most ${topics.length}` });
  }
  const order = Uint32Array.from(topics, (_, t) => t); // fits: entries
  shuffleInPlace(seededRandom(seed, 0), order);
  const partOf = new Uint32Array(topics.length); // fits: numbers of parts, at most one for each topic
  for (let i = 0; i < order.length; i++) partOf[order[i]] = i % parts;
  return Array.from({ length: parts }, (_, part) => ({
    name: String(part + 1),
    train: placesOf(partOf, (of) => of !== part),
    test: placesOf(partOf, (of) => of === part),
  }));
}

function splitByList(topics: readonly string[], trainTopics: readonly string[]): TopicSplit {
  const wanted = new Set(trainTopics);
  const unknown = [...wanted].filter((topic) => !topics.includes(topic));
  if (unknown.length > 0) {
    throw new InputError({
      message: `${unknown.length} training ${unknown.length === 1 ? 'topic is' : 'topics are'} not judged: ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}`,
      wayOut: 'name judged topics only',
    });
  }
  const isTrain = Uint32Array.from(topics, (topic) => (wanted.has(topic) ? 1 : 0)); // fits: flags
  const train = placesOf(isTrain, (one) => one === 1);
  const test = placesOf(isTrain, (one) => one === 0);
  if (train.length === 0) throw new InputError('found no training topics, expected at least 1');
  if (test.length === 0) {
    throw new InputError({
      message: 'every judged topic is a training topic, none is left to test on',
      wayOut: 'name fewer, or use folds',
    });
  }
  return { name: '1', train, test };
}

function placesOf(values: Uint32Array, isWanted: (value: number) => boolean): Uint32Array {
  return Uint32Array.from([...values.keys()].filter((place) => isWanted(values[place]))); // fits: entries
}
