import type { TopicView } from '../../core/judging/judge.js';
import type { PreferenceTopic } from '../../core/judging/judge-preferences.js';
import type { AgreementKind, PreferenceScope } from '../../core/judging/preference-agreement.js';
import type { MeasureDef } from '../measure.js';

function define(name: string, kind: AgreementKind, scope: PreferenceScope, changes: Partial<MeasureDef> = {}): MeasureDef {
  return {
    name,
    params: {},
    needs: 'preferences',
    aggregate: 'mean',
    range: [0, 1],
    direction: 'higher',
    bindPreferences: () => (topic) => topic.agreement(kind, scope),
    isEmpty: () => (topic) => (topic as TopicView & PreferenceTopic).agreement('possible', 'all') === 0,
    ...changes,
  };
}

const count = { aggregate: 'sum', range: [0, Infinity] } as const;

/** PrefsPossible: how many preferences the judgements hold. */
export const prefsPossible: MeasureDef = define('PrefsPossible', 'possible', 'all', { ...count, direction: 'neither' });
/** PrefsFulfilled: how many preferences the ranking fulfils, also by retrieving only the preferred document. */
export const prefsFulfilled: MeasureDef = define('PrefsFulfilled', 'fulfilled', 'all', count);
/** PrefsFulfilledRet: how many preferences between two retrieved documents the ranking fulfils. */
export const prefsFulfilledRet: MeasureDef = define('PrefsFulfilledRet', 'fulfilled', 'retrieved', count);

/** PrefsSimp: the share of all preferences that is fulfilled, without regard to the groups they come from. */
export const prefsSimp: MeasureDef = define('PrefsSimp', 'simple', 'all');
/** PrefsSimpRet: as PrefsSimp, of preferences between two retrieved documents. */
export const prefsSimpRet: MeasureDef = define('PrefsSimpRet', 'simple', 'retrieved');
/** PrefsSimpImp: as PrefsSimp, of preferences with at least one retrieved document. */
export const prefsSimpImp: MeasureDef = define('PrefsSimpImp', 'simple', 'implied');

/** PrefsAvg: the share of fulfilled preferences of each group, averaged, so that every group has the same weight. */
export const prefsAvg: MeasureDef = define('PrefsAvg', 'group', 'all');
/** PrefsAvgRet: as PrefsAvg, of preferences between two retrieved documents. */
export const prefsAvgRet: MeasureDef = define('PrefsAvgRet', 'group', 'retrieved');
/** PrefsAvgImp: as PrefsAvg, of preferences with at least one retrieved document. */
export const prefsAvgImp: MeasureDef = define('PrefsAvgImp', 'group', 'implied');

/** PrefsPair: pairs of documents, each worth the share of its groups that agree with the ranking. */
export const prefsPair: MeasureDef = define('PrefsPair', 'pair', 'all');
/** PrefsPairRet: as PrefsPair, of pairs of retrieved documents. */
export const prefsPairRet: MeasureDef = define('PrefsPairRet', 'pair', 'retrieved');
/** PrefsPairImp: as PrefsPair, of pairs with at least one retrieved document. */
export const prefsPairImp: MeasureDef = define('PrefsPairImp', 'pair', 'implied');

/** PrefsAvgRNonRel: as PrefsAvg, with relevant and non-relevant documents of a group brought into balance. */
export const prefsAvgRNonRel: MeasureDef = define('PrefsAvgRNonRel', 'balanced', 'all');
/** PrefsAvgRNonRelRet: as PrefsAvgRNonRel, of preferences between two retrieved documents. */
export const prefsAvgRNonRelRet: MeasureDef = define('PrefsAvgRNonRelRet', 'balanced', 'retrieved');
