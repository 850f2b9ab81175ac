import { formatFixed, formatG } from '../../core/numbers/print.js';
import { correctionWord, testName } from '../methods.js';
import type { Verdict, VerdictCaveat, VerdictPair, VerdictState } from './model.js';

/** A caveat in words. */
export interface CaveatWords {
  readonly kind: VerdictCaveat['kind'];
  readonly isWarning: boolean;
  /** In a few words, with a full stop: *Few topics.* */
  readonly title: string;
  /** A sentence with its full stop. */
  readonly text: string;
}

/** A verdict in plain text. Names are as they were given: whoever prints them escapes them. */
export interface VerdictWords {
  /** The state in a word or two: *Better*. */
  readonly state: string;
  /** A sign for the state, for those who do not see its colour. */
  readonly sign: string;
  /** The finding as a sentence with its full stop. */
  readonly heading: string;
  /** The numbers behind the heading, in sentences. */
  readonly detail: string;
  /** Both in one sentence without a full stop: what terminals, comments and messages show. */
  readonly line: string;
  /** What the pair owes to single topics; empty where there is nothing to say. */
  readonly topics: string;
  readonly caveats: readonly CaveatWords[];
}

const states: Readonly<Record<VerdictState, readonly [word: string, sign: string]>> = {
  better: ['Better', '●'],
  'not-told-apart': ['Cannot be told apart', '◌'],
  equivalent: ['Equivalent', '='],
  'too-few-topics': ['Too few topics', '△'],
  identical: ['Identical', '='],
  'clear-winner': ['Clear winner', '●'],
  'no-clear-winner': ['No clear winner', '◌'],
};

/** More names than this are counted. */
const MOST_NAMES = 3;

const smallNumbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Words a verdict. */
export function verdictWords(verdict: Verdict): VerdictWords {
  const [state, sign] = states[verdict.state];
  return {
    state,
    sign,
    heading: headingOf(verdict),
    detail: detailOf(verdict),
    line: lineOf(verdict),
    topics: topicWords(verdict),
    caveats: verdict.caveats.map((caveat) => caveatWords(caveat, verdict)),
  };
}

/** A difference with its sign, and a minus that is one: `+0.194`, `−0.020`, `0.000`. */
export function signedText(value: number, digits = 3): string {
  const text = minus(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A number in a sentence; three decimals, and more for what would read as 0. */
export function numberText(value: number): string {
  return minus(value, digitsFor(value));
}

/** `p = 0.039`, `p < 0.0001`: three decimals, four where there would be none, and never on the wrong side of alpha. */
export function pWords(
  p: number,
  { alpha = 0.05, resamples = null }: { readonly alpha?: number; readonly resamples?: number | null } = {},
): string {
  if (p === 0 && resamples !== null) return `p < ${formatG(1 / resamples, 3)}`;
  if (p < 0.0001) return 'p < 0.0001';
  let digits = p < 0.001 ? 4 : 3;
  // 0.0501 is not told as 0.050 where 0.05 decides
  while (digits < 8 && p !== alpha && Number(formatFixed(p, digits)) <= alpha !== p <= alpha) digits++;
  const text = formatFixed(p, digits);
  return `p = ${Number(text) === 1 ? '1.00' : text}`;
}

/** A correction as a part of a sentence: *Holm-corrected over 10,153 pairs*. */
function overPairs(corrected: string, { numPairs }: Verdict): string {
  return `${corrected} over ${counted(numPairs, 'pair')}`;
}

/** Of 1: *1 topic*; of more: *2 topics*. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}

function minus(value: number, digits: number): string {
  const text = formatFixed(value, digits);
  return text.startsWith('-') ? (/[1-9]/.test(text) ? `−${text.slice(1)}` : text.slice(1)) : text;
}

function digitsFor(value: number): number {
  return value !== 0 && Math.abs(value) < 0.01 ? 4 : 3;
}

function listed(names: readonly string[]): string {
  if (names.length > MOST_NAMES) return `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** `[0.139, 0.248]` */
function bounds({ low, high }: { readonly low: number | null; readonly high: number | null }, digits = 3): string {
  return low === null || high === null ? '' : ` [${minus(low, digits)}, ${minus(high, digits)}]`;
}

/** `0.139 to 0.248`; with signs where the interval holds 0. */
function range({ low, high }: { readonly low: number | null; readonly high: number | null }, digits = 3): string {
  if (low === null || high === null) return 'not known';
  return low < 0 && high > 0
    ? `${signedText(low, digits)} to ${signedText(high, digits)}`
    : `${minus(low, digits)} to ${minus(high, digits)}`;
}

function levelText({ alpha }: Verdict): string {
  return `${formatG(100 * (1 - alpha), 4)}%`;
}

function correctedWord({ correction, numPairs }: Verdict): string | undefined {
  return correction === 'none' || numPairs === 1 ? undefined : `${correctionWord(correction)}-corrected`;
}

function pOf(verdict: Verdict, p: number): string {
  return pWords(p, verdict);
}

function headingOf(verdict: Verdict): string {
  const { state, pair, measure, numTopics, systems, notToldApart, equivalence } = verdict;
  const { system, against } = pair;
  const others = systems.length - 1;
  switch (state) {
    case 'better':
      return `${system} is better than ${against}.`;
    case 'not-told-apart':
      return `${notShown(pair)}.`;
    case 'equivalent':
      return `${system} and ${against} are equivalent within ±${equivalence?.margin}.`;
    case 'identical':
      return `${system} and ${against} have the same values on all ${numTopics} topics.`;
    case 'too-few-topics':
      return `${tooFew(numTopics)}.`;
    case 'clear-winner':
      return `${system} is better than ${allOthers(others)} by ${measure}.`;
    case 'no-clear-winner':
      return `${highest(verdict)}, but ${
        notToldApart.length === others
          ? `none of the other ${others} systems can be told apart from it`
          : `${notToldApart.length} of the other ${others} systems cannot be told apart from it`
      }.`;
  }
}

function allOthers(count: number): string {
  return count === 2 ? 'both others' : `all ${count} others`;
}

function highest({ pair, measure, direction }: Verdict): string {
  return `${pair.system} has the ${direction === 'lower' ? 'lowest' : 'highest'} mean ${measure}`;
}

function tooFew(numTopics: number): string {
  const word = smallNumbers[numTopics] ?? String(numTopics);
  return `${word[0].toUpperCase()}${word.slice(1)} topics are too few for a verdict`;
}

/** A test of one side says nothing of the other. */
function notShown({ system, against, alternative }: VerdictPair): string {
  if (alternative === 'two-sided') return `${system} and ${against} cannot be told apart`;
  return `${system} is not shown to be ${alternative === 'greater' ? 'better' : 'worse'} than ${against}`;
}

function detailOf(verdict: Verdict): string {
  const { state, pair, measure, numTopics, systems, equivalence, beaten, direction, test } = verdict;
  const size = numberText(Math.abs(pair.difference));
  const level = levelText(verdict);
  const tested = `${capitalised(testName(test))} over ${numTopics} topics, ${pOf(verdict, pair.pValue)}`;
  const corrected = correctedWord(verdict);
  const alsoCorrected = corrected === undefined ? '' : `; ${overPairs(corrected, verdict)}, ${pOf(verdict, pair.correctedPValue)}`;
  const effect = pair.effectSize === null ? '' : `; effect size d_z = ${minus(Math.abs(pair.effectSize), 2)}`;
  const baseline = baselineWords(verdict);
  switch (state) {
    case 'better':
      return `${measure} is ${direction === 'lower' ? 'lower' : 'higher'} by ${size} (${level} interval ${range(upwards(pair))}${effect}). ${tested}${alsoCorrected}.${baseline}`;
    case 'not-told-apart': {
      const holdsZero = pair.low !== null && pair.high !== null && pair.low <= 0 && pair.high >= 0;
      const runs = `the ${level} interval of the difference runs from ${range(pair)}${holdsZero ? ' and includes zero' : ''}`;
      return `The means differ by ${size}${holdsZero ? ', but' : ';'} ${runs}. This does not show that they are equal. ${tested}${alsoCorrected}.${baseline}`;
    }
    case 'equivalent': {
      const inside =
        equivalence === null
          ? ''
          : `its ${formatG(100 * equivalence.level, 4)}% interval, ${range(equivalence, 4)}, lies inside the margin that was set (two one-sided t tests, ${pOf(verdict, equivalence.pValue)})`;
      return `The difference is ${numberText(pair.difference)} and ${inside}. ${tested}.`;
    }
    case 'identical':
      return `Nothing can be tested where nothing differs; the rankings may differ below what ${measure} looks at.`;
    case 'too-few-topics': {
      const most = systems.length === 2 ? '' : ` of ${pair.against}`;
      return `On these ${numTopics}, ${pair.system} is ahead${most} by ${size}; the ${level} interval runs from ${range(pair)}.${neededWords(verdict)}`;
    }
    case 'clear-winner':
    case 'no-clear-winner': {
      const [leader] = systems;
      const mean = `Its mean is ${leader.mean === null ? 'not known' : numberText(leader.mean)} (${level} interval ${range(leader)}).`;
      return `${mean}${beatenWords(verdict, beaten)}${baseline}`;
    }
  }
}

/** The interval of a gain, whichever way the measure goes. */
function upwards({ low, high, difference }: VerdictPair): { low: number | null; high: number | null } {
  return difference < 0 && low !== null && high !== null ? { low: 0 - high, high: 0 - low } : { low, high };
}

function beatenWords(verdict: Verdict, beaten: readonly VerdictPair[]): string {
  const corrected = correctedWord(verdict);
  const over = corrected === undefined ? '' : overPairs(corrected, verdict);
  if (beaten.length === 0) return ` It cannot be told apart from any of them${over === '' ? '' : ` (${over})`}.`;
  if (beaten.length > MOST_NAMES) {
    const [closest] = beaten;
    const told = `${closest.against} (${signedText(closest.difference)}, ${pOf(verdict, closest.correctedPValue)})`;
    return ` It is better than ${beaten.length} systems, the best of them ${told}${over === '' ? '' : `; ${over}`}.`;
  }
  const each = beaten.map(
    ({ against, difference, correctedPValue }) => `${against} (${signedText(difference)}, ${pOf(verdict, correctedPValue)})`,
  );
  return ` It is better than ${listed(each)}${over === '' ? '' : `, ${over}`}.`;
}

function baselineWords({ againstBaseline, baseline }: Verdict): string {
  if (againstBaseline === null) return '';
  const { better, worse, notToldApart } = againstBaseline;
  const all = better.length + worse.length + notToldApart.length;
  return ` Of ${all} systems, ${better.length} ${better.length === 1 ? 'is' : 'are'} better than the baseline ${baseline}, ${worse.length} worse, and ${notToldApart.length} cannot be told apart from it.`;
}

function lineOf(verdict: Verdict): string {
  const { state, pair, measure, numTopics, systems, equivalence, beaten, notToldApart } = verdict;
  const { system, against } = pair;
  const digits = digitsFor(pair.difference);
  const by = `${signedText(pair.difference, digits)} ${measure}${bounds(pair, digits)}`;
  const corrected = correctedWord(verdict);
  const p = `${pOf(verdict, pair.correctedPValue)}${corrected === undefined ? '' : ` (${corrected})`}`;
  const won = `better on ${pair.better} of ${counted(numTopics, 'topic')}, worse on ${pair.worse}`;
  switch (state) {
    case 'better':
      return `${system} beats ${against} by ${by}, ${p}; ${won}`;
    case 'not-told-apart':
      return `${notShown(pair)}: ${by}, ${p}; ${won}`;
    case 'equivalent':
      return `${system} and ${against} are equivalent within ±${equivalence?.margin}: ${by}, ${pOf(verdict, equivalence?.pValue ?? 1)}; ${won}`;
    case 'identical':
      return `${system} and ${against} have the same ${measure} on all ${numTopics} topics`;
    case 'too-few-topics':
      return `${tooFew(numTopics)}: ${system} is ahead of ${against} by ${by}; ${won}`;
    case 'clear-winner':
      return `${system} is better than ${allOthers(systems.length - 1)}: ${against}, the best of them, by ${by}, ${p}; ${won}`;
    case 'no-clear-winner': {
      const [leader] = systems;
      const mean = leader.mean === null ? '' : `, ${numberText(leader.mean)}${bounds(leader)}`;
      const beats = beaten.length === 0 ? '' : `; it beats ${listed(beaten.map((one) => one.against))}`;
      const of = notToldApart.length === systems.length - 1 ? 'none' : `${systems.length - 1 - notToldApart.length}`;
      return `${highest(verdict)}${mean}, but can be told apart from ${of} of the other ${systems.length - 1} systems${beats}${corrected === undefined ? '' : ` (${corrected})`}`;
    }
  }
}

function topicWords({ topics, alpha, pair, test, systems }: Verdict): string {
  const { gains, without, fewestToTip } = topics;
  if (without === null) return '';
  const standIn = without.test === test ? '' : ', paired t-test';
  const five = gains.length === 1 ? 'topic' : `${smallNumbers[gains.length] ?? gains.length} topics`;
  const left = `Without the ${five} that favour ${pair.system} most, the difference${systems.length > 2 ? ` from ${pair.against}` : ''} would be ${numberText(without.difference)}, ${pWords(without.pValue, { alpha })} (not corrected${standIn})`;
  if (fewestToTip === null) return `${left}.`;
  const many = smallNumbers[fewestToTip] ?? String(fewestToTip);
  return `${left}; without the ${many} most favourable, p would exceed ${alpha}.`;
}

function neededWords({ caveats, pair }: Verdict): string {
  const needed = caveats.find((caveat) => caveat.kind === 'topics')?.needed ?? null;
  if (needed === null) return '';
  return ` At this spread a true difference of ${numberText(Math.abs(pair.difference))} takes about ${needed} topics to be found four times in five.`;
}

function caveatWords(caveat: VerdictCaveat, verdict: Verdict): CaveatWords {
  const { kind, isWarning } = caveat;
  const words = (title: string, text: string): CaveatWords => ({ kind, isWarning, title, text });
  switch (caveat.kind) {
    case 'unjudged': {
      const { share, system, cutoff, judgedOnly, changesLeader } = caveat;
      const top = cutoff === 10 ? 'top ten' : `top ${cutoff}`;
      const much = `${percent(share)} of ${possessive(system)} ${top} is unjudged`;
      if (changesLeader && judgedOnly !== null) {
        const lead = `without unjudged documents it would lead, ${numberText(judgedOnly.leaderMean)} to ${numberText(judgedOnly.secondMean)}`;
        return words('Unjudged documents matter.', `${much}; ${lead}.`);
      }
      const same = judgedOnly === null || share === 0 ? '' : `; without unjudged documents ${judgedOnly.leader} would lead all the same`;
      if (isWarning) return words('Many documents are unjudged.', `${much}${same}.`);
      const most =
        share === 0 ? `Every document of each ${top} is judged` : `At most ${percent(share)} of a ${top} is unjudged (${system})`;
      return words('Unjudged documents do not matter.', `${most}${same}.`);
    }
    case 'topics': {
      const { topics, detectable, needed } = caveat;
      const found =
        detectable === null
          ? `${counted(topics, 'topic')}, and the systems differ by the same on each.`
          : `${counted(topics, 'topic')} ${topics === 1 ? 'finds' : 'find'} a true difference of ${formatFixed(detectable, 2)} four times in five${verdict.numPairs > 1 && verdict.correction !== 'none' ? ', before correction' : ''}.`;
      const more =
        needed !== null && (verdict.state === 'not-told-apart' || verdict.state === 'too-few-topics')
          ? ` A difference as large as this one takes about ${needed}.`
          : '';
      return words(isWarning ? 'Few topics.' : 'Enough topics.', `${found}${more}`);
    }
    case 'ties': {
      const { shift, changesRank } = caveat;
      if (shift === 0 && !changesRank) return words('Equal scores do not matter.', 'Their order moves neither this difference nor a rank.');
      const moved = `Their order could move the difference by ${numberText(shift)}`;
      return changesRank
        ? words('Equal scores matter.', `${moved}, and could change a rank.`)
        : words('Equal scores do not matter.', `${moved}, which changes no rank.`);
    }
    case 'missing-topics': {
      const { systems, system, topics } = caveat;
      if (systems === 0) return words('No topic is missing.', 'Every run answers every judged topic.');
      const most = `${system} leaves ${counted(topics, 'judged topic')} unanswered`;
      return words(
        'Topics are missing.',
        systems === 1 ? `${most}.` : `${systems} runs leave judged topics unanswered, ${system} ${topics}.`,
      );
    }
  }
}

function possessive(name: string): string {
  return `${name}'s`;
}

function capitalised(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}
