import type { MeasureDef } from '../../src/measures/measure.js';
import { allMeasures } from '../../src/measures/registry.js';

/** Parameters that lead a measure down another path, by name; cutoffs come on top. */
const variants: Readonly<Record<string, readonly string[]>> = {
  NumRelRet: ['rel=2'],
  AP: ['rel=2', "denominator='min'", "denominator='list'", "denominator='found'", "cwl='ED'"],
  IPrec: ["rounding='nearest'", "rounding='exact'"],
  IAP: ['levels=[0.2,0.5,0.9]'],
  P: ['rel=2', "divisor='retrieved'", "short='zero'", "cwl='ETU'"],
  F: ['beta=2'],
  SetF: ['beta=0.5'],
  SetAccuracy: ['collection=20'],
  Fallout: ['collection=20'],
  RR: ['rel=2', "cwl='ED'"],
  ESL: ['rel=2', 'missing=9'],
  nDCG: [
    "gain='exp'",
    "gain='exp-floor'",
    "ideal='list'",
    "discount='jk',base=3",
    "discount='ln'",
    "discount='rank'",
    "discount='none'",
    "short='zero'",
    'gains={1:3,2:1}',
    "term='inverse'",
    "term='product'",
    "term='ratio'",
  ],
  MeanNDCG: ["ideal='list',discount='jk',term='product'"],
  DCG: ["gain='exp',discount='jk'"],
  IDCG: ["ideal='list'"],
  GAP: ['g=[0.2,0.8]', 'clicks=[3,1]', 'thresholds=[0.5,1.5,2]'],
  GradedP: ['g=[0,1]'],
  GradedR: ['g=[0.2,0.8]'],
  GradedIPrec: ['g=[0.2,0.8]'],
  RBP: ['p=0.5', "gain='linear'", "gain='exp'", "gain='range'", "gain='grade'", 'residual=true', "cwl='ETU'", "cwl='EU',residual=true"],
  ERR: ["max_rel='data'", "gain='linear'", "gain='exp-floor'"],
  nERR: ["gain='linear'"],
  INST: ['T=2', "cwl='ETC'", 'residual=true'],
  INSQ: ["cwl='ETU'", 'residual=true'],
  BPM: ['T=2', 'hb=0.5,hc=1'],
  SDCG: ['min_rel=1'],
  UMeasure: ['L=3'],
  IFT: ["model='goal'", "model='rate'"],
  TBG: ['rel=2', 'halflife=10'],
  Q: ['beta=0', "gain='exp'", 'gains={1:2,2:1}'],
  OMeasure: ['beta=10', "gain='exp'"],
  PPlus: ["gain='exp'"],
  NCU: ["stop='graded'", "stop='rank-biased',beta=0"],
  Bpref: ['rel=2'],
  Compat: ['p=0.5', 'normalize=false'],
  alpha_nDCG: ['alpha=0.2', 'rel=2'],
  ERR_IA: ['alpha=1'],
  NRBP: ['alpha=0,beta=0.9'],
  RelativeRecall: ['expected=2'],
  RecallEffort: ['expected=2'],
};

/** Measures that cannot do without a parameter that has no default. */
const needed: Readonly<Record<string, string>> = { RelativeRecall: 'expected=3', RecallEffort: 'expected=3' };

/** Spellings of a measure with many combinations of its parameters. */
export function spellingsOf(def: MeasureDef): string[] {
  const ats = def.at === undefined ? [''] : atValues(def).map((value) => `@${value}`);
  if (def.at !== undefined && !def.params[def.at].required) ats.push('');
  const insides = [needed[def.name] ?? '', ...(variants[def.name] ?? [])];
  return insides.flatMap((inside) => ats.map((at) => `${def.name}${inside === '' ? '' : `(${inside})`}${at}`));
}

function atValues(def: MeasureDef): number[] {
  if (def.at === 'recall') return [0, 0.3, 0.5, 1];
  if (def.at === 'multiple') return [0.5, 1, 2];
  return [1, 2, 3, 10];
}

/** All of them for measures that need one kind of judgements. */
export function spellingsFor(needs: MeasureDef['needs']): string[] {
  return allMeasures.filter((def) => (def.needs ?? 'ranking') === needs).flatMap(spellingsOf);
}

/** Adds a parameter to a spelling. */
export function withParam(spelling: string, param: string): string {
  const [, name, inside, at] = /^([^(@]+)(?:\((.*)\))?(@.*)?$/.exec(spelling) ?? [];
  return `${name}(${inside === undefined ? '' : `${inside},`}${param})${at ?? ''}`;
}
