import type { MeasureDef } from '../measure.js';
import { averagePrecisionDocs } from './average-precision.js';
import { blendedDocs } from './blended.js';
import { countDocs } from './counts.js';
import { cumulatedGainDocs } from './cumulated-gain.js';
import { cutoffDocs } from './cutoff.js';
import { diversityDocs } from './diversity.js';
import type { FamilyDocs, MeasureDoc } from './doc.js';
import { firstAnswerDocs } from './first-answer.js';
import { gradedDocs } from './graded.js';
import { incompleteDocs } from './incomplete.js';
import { overlapDocs } from './overlap.js';
import { parameterWords } from './params.js';
import { preferenceDocs } from './preferences.js';
import { readerDocs } from './readers.js';
import { setDocs } from './sets.js';
import { userModelDocs } from './user-models.js';

export type { MeasureDoc, MeasureExample } from './doc.js';

/** The words for every measure, by name. */
export const measureDocs: FamilyDocs = {
  ...countDocs,
  ...averagePrecisionDocs,
  ...cutoffDocs,
  ...firstAnswerDocs,
  ...cumulatedGainDocs,
  ...gradedDocs,
  ...userModelDocs,
  ...blendedDocs,
  ...incompleteDocs,
  ...setDocs,
  ...diversityDocs,
  ...readerDocs,
  ...overlapDocs,
  ...preferenceDocs,
};

/** What is to be said about a measure; one that is not in the registry speaks for itself. */
export function docOf({ name, title, help }: MeasureDef): MeasureDoc {
  return Object.hasOwn(measureDocs, name) ? measureDocs[name] : { title: title ?? name, help: help ?? '', examples: [] };
}

/** What one of its parameters means. */
export function parameterHelp(def: MeasureDef, param: string): string {
  return docOf(def).params?.[param] ?? parameterWords[param] ?? '';
}
