import { numberParam } from '../measures/measure.js';
import { NotInSql } from './not-in-sql.js';
import type { Expression } from './query.js';

/** The value of a measure on a topic, as an expression of columns of topics; no value where the definition gives 0/0. */
export interface Expressed {
  readonly value: string;
  /** The condition that the topic holds nothing to be found; by default that no grade reaches `rel`. */
  readonly isEmpty?: () => string;
}

/** How each measure is put into SQL, by its name. */
export type Expressions = Readonly<Record<string, (expression: Expression) => string | Expressed>>;

/** The lowest grade that counts as relevant. */
export function levelOf({ measure }: Expression): number {
  return checkedLevel(numberParam(measure.params, 'rel'));
}

/** A level below zero would make documents relevant that nobody judged, and those are not in the tables. */
export function checkedLevel(level: number): number {
  if (level < 0) throw new NotInSql('a rel below 0 asks for documents without a judgement');
  return level;
}

/** Refuses the mean over all orders of equal scores, for a measure that is not linear. */
export function oneOrderOnly({ ranking }: Expression): void {
  if (ranking.isExpected) throw new NotInSql('its mean over all orders of equal scores is no sum over documents');
}
