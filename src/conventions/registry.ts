import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';
import { type Convention, plainRules } from './convention.js';
import { engineConventions } from './engine-conventions.js';
import { libraryConventions } from './library-conventions.js';
import { ltrConventions } from './ltr-conventions.js';
import { defaultTrecEvalVersion, type TrecEvalVersion, trecEvalVersions } from './trec-eval-versions.js';

/** Gradus' own rules: what a newcomer would expect, with nothing left out silently. */
export const gradusConvention: Convention = {
  name: 'gradus',
  title: "Gradus' own rules",
  help: `All judged topics are averaged, and one that the run does not answer counts as an empty ranking. Scores are compared as 64-bit
    numbers. Equal scores are ordered by document id, descending by bytes, so that a value does not depend on the order of the lines.`,
  rules: plainRules,
  missingTopicsOfAll: 'empty',
};

function trecEvalConvention(version: TrecEvalVersion): Convention {
  const isDefault = version === defaultTrecEvalVersion;
  const details = [
    version.missingTopic === 'fatal'
      ? 'The program refuses a run that leaves a judged topic out; here such a topic is left out of the averages.'
      : 'A judged topic that the run does not answer is left out of the averages unless all topics are asked for.',
    version.precision === 'float32'
      ? 'Scores are rounded to 32 bits before they are compared, which makes ties.'
      : 'Scores are compared as 64-bit numbers.',
    version.recallRounding === 'nearest'
      ? 'A recall level becomes the nearest whole number of documents.'
      : 'A recall level becomes a number of documents rounded up from a tenth on.',
    version.missingTopicUnderC === 'placeholder'
      ? 'With all topics asked for, a missing one counts as a ranking of one document that nobody judged.'
      : 'With all topics asked for, a missing one counts as an empty ranking.',
  ];
  return {
    name: `trec_eval@${version.name}`,
    ...(isDefault ? { aliases: ['trec_eval'] } : {}),
    title: `trec_eval ${version.name}`,
    help: details.join(' '),
    version: version.name,
    verified: 'gradus as trec_eval: byte for byte with the output of the program, but for its help (-h) and its traces (-D)',
    unverified: 'inputs on which the program reads memory that it does not own',
    rules: {
      ...plainRules,
      scorePrecision: version.precision,
      topics: 'skip',
      recallRounding: version.recallRounding,
      formulas: { RprecMult: { depth_rounding: 'up' } },
      printed: { decimals: 4, halves: 'even' },
    },
    missingTopicsOfAll: version.missingTopicUnderC === 'placeholder' ? 'placeholder' : 'empty',
  };
}

/** Every convention by which runs can be evaluated. */
export const conventions: readonly Convention[] = [
  gradusConvention,
  ...trecEvalVersions.map(trecEvalConvention),
  ...ltrConventions,
  ...libraryConventions,
  ...engineConventions,
];

/** The convention of this name or alias; an `InputError` suggests the closest if there is none. */
export function findConvention(name: string): Convention {
  const found = conventions.find((convention) => convention.name === name || convention.aliases?.includes(name));
  if (found !== undefined) return found;
  const names = conventionNames();
  const close = closest(name, names);
  throw new InputError({
    message: `there is no convention ${name === '' ? 'with an empty name' : name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}it can be ${names.join(', ')}`,
  });
}

/** Every name that `findConvention` knows, aliases included. */
export function conventionNames(): string[] {
  return conventions.flatMap(({ name, aliases = [] }) => [...aliases, name]);
}
