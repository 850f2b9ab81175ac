import { hashBytes } from '../../src/core/hash.js';
import { Dice } from '../helpers/dice.js';
import { minimised } from './minimise.js';
import { joined, LARGEST_INPUT, mutate } from './mutate.js';
import { lookAt } from './outcome.js';
import { shapeOf } from './shape.js';
import type { Finding, FuzzTarget, Progress } from './target.js';

/** Processor time, in seconds, that nothing so small may take, on a machine that is busy with other things too. */
const SLOWEST_CASE = 10;
/** Bytes by which nothing so small may make the process grow. */
const LARGEST_GROWTH = 600e6;
/** Inputs to start from; the oldest discovery makes room for the newest. */
const MOST_INPUTS = 600;

export interface LoopOptions {
  readonly seed: number;
  readonly firstCase: number;
  /** The loop ends after this many cases. */
  readonly numCases: number;
  /** And at this time, in milliseconds of the clock. */
  readonly deadline: number;
  /** Called before each case, so that an input that ends the process is known. */
  readonly onCase: (caseNumber: number, input: Uint8Array) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** Makes inputs and checks them, one after the other. With the same seed and the same number of cases it does the same. */
export async function fuzzLoop(target: FuzzTarget, known: readonly Uint8Array[], options: LoopOptions): Promise<Progress> {
  const { seed, firstCase, numCases, deadline } = options;
  const seeds = [...target.seeds(), ...known];
  const discovered: Uint8Array[] = [];
  const shapes = new Set<string>();
  const kinds = new Set<string>();
  let numRepeated = 0;
  let caseNumber = firstCase;
  const pick = (dice: Dice): Uint8Array => dice.pick(discovered.length > 0 && dice.chance(0.5) ? discovered : seeds);
  for (; caseNumber < firstCase + numCases && Date.now() < deadline; caseNumber++) {
    const dice = new Dice(seed, caseNumber);
    let input = caseNumber < seeds.length ? seeds[caseNumber] : undefined;
    if (input === undefined) {
      const generated = target.generate !== undefined && dice.chance(0.5) ? target.generate(dice) : undefined;
      input = generated !== undefined && dice.chance(0.6) ? generated : mutate(generated ?? pick(dice), pick(dice), target.words, dice);
    }
    options.onCase(caseNumber, input);
    const { failure, shape } = await attempt(target, input);
    if (failure !== undefined) {
      const kind = kindOf(failure);
      if (kinds.has(kind)) numRepeated++;
      else {
        kinds.add(kind);
        const stillFails = async (candidate: Uint8Array): Promise<boolean> => {
          options.onCase(caseNumber, candidate);
          const again = (await attempt(target, candidate)).failure;
          return again !== undefined && kindOf(again) === kind;
        };
        // how much a case takes depends on those before it, so such an input stays as it is and is tried again by itself
        const small = failure instanceof TooMuch ? input : await minimised(input, stillFails);
        const last = failure instanceof TooMuch ? failure : ((await attempt(target, small)).failure ?? failure);
        const isUnsure = failure instanceof TooMuch;
        options.onFinding({ target: target.name, seed, caseNumber, kind, details: detailsOf(last), input: small, isUnsure });
      }
    } else if (!shapes.has(shape)) {
      shapes.add(shape);
      if (input.length < LARGEST_INPUT / 2) discovered.push(input);
      if (discovered.length > MOST_INPUTS) discovered.shift();
    }
  }
  return { numCases: caseNumber - firstCase, numKinds: shapes.size, numRepeated, work: workDone() };
}

/** Seconds of processor time that this process has taken. */
export function workDone(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A case took more time or memory than anything so small may take. */
export class TooMuch extends Error {}

/** Checks one input; what the check chooses at random depends on the input alone. */
export async function attempt(target: FuzzTarget, input: Uint8Array): Promise<{ failure?: unknown; shape: string }> {
  const before = process.cpuUsage();
  const grownBefore = process.resourceUsage().maxRSS;
  try {
    // a copy, so that a reader that writes into what it was lent is found out
    const copy = joined(input);
    lookAt(input);
    const shape = await target.check(copy, new Dice(hashBytes(input, 0, input.length)));
    if (Buffer.compare(copy, input) !== 0) throw new Error('the reader changed the bytes it was lent');
    const { user, system } = process.cpuUsage(before);
    if (user + system > SLOWEST_CASE * 1e6) throw new TooMuch(`takes ${Math.round((user + system) / 1e6)} seconds`);
    const growth = (process.resourceUsage().maxRSS - grownBefore) * 1024;
    if (growth > LARGEST_GROWTH) throw new TooMuch(`takes ${Math.round(growth / 1e6)} MB`);
    return { shape };
  } catch (failure) {
    return { failure, shape: '' };
  }
}

/** What tells one finding from another: the first line of the message without what varies, and the place. */
function kindOf(failure: unknown): string {
  if (!(failure instanceof Error)) return shapeOf(String(failure));
  const place = failure.name === 'Disagreement' ? '' : (/\bat (?:async )?(?:new )?([\w.$<>]+) /.exec(failure.stack ?? '')?.[1] ?? '');
  return `${failure.name}: ${shapeOf(failure.message.split('\n')[0])}${place === '' ? '' : ` in ${place}`}`;
}

function detailsOf(failure: unknown): string {
  return failure instanceof Error
    ? failure.name === 'Disagreement'
      ? failure.message
      : (failure.stack ?? failure.message)
    : String(failure);
}
