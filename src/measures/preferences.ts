import type { TopicView } from '../core/judge.js';
import type { PreferenceTopic } from '../core/judge-preferences.js';
import type { AgreementKind, PreferenceScope } from '../core/preference-agreement.js';
import type { MeasureDef } from './measure.js';

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

export const prefsPossible: MeasureDef = define('PrefsPossible', 'possible', 'all', { ...count, direction: 'neither' });
export const prefsFulfilled: MeasureDef = define('PrefsFulfilled', 'fulfilled', 'all', count);
export const prefsFulfilledRet: MeasureDef = define('PrefsFulfilledRet', 'fulfilled', 'retrieved', count);

export const prefsSimp: MeasureDef = define('PrefsSimp', 'simple', 'all');
export const prefsSimpRet: MeasureDef = define('PrefsSimpRet', 'simple', 'retrieved');
export const prefsSimpImp: MeasureDef = define('PrefsSimpImp', 'simple', 'implied');

export const prefsAvg: MeasureDef = define('PrefsAvg', 'group', 'all');
export const prefsAvgRet: MeasureDef = define('PrefsAvgRet', 'group', 'retrieved');
export const prefsAvgImp: MeasureDef = define('PrefsAvgImp', 'group', 'implied');

export const prefsPair: MeasureDef = define('PrefsPair', 'pair', 'all');
export const prefsPairRet: MeasureDef = define('PrefsPairRet', 'pair', 'retrieved');
export const prefsPairImp: MeasureDef = define('PrefsPairImp', 'pair', 'implied');

export const prefsAvgRNonRel: MeasureDef = define('PrefsAvgRNonRel', 'balanced', 'all');
export const prefsAvgRNonRelRet: MeasureDef = define('PrefsAvgRNonRelRet', 'balanced', 'retrieved');
