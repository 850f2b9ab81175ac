import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';

/** How the text after a measure's first point is read: whole cutoffs, real cutoffs, a list of numbers, or level=gain
 *  pairs. A measure that takes nothing ignores it. */
export type ParameterKind = 'none' | 'cutoffs' | 'real cutoffs' | 'list' | 'pairs';

/** What a measure is computed from. */
export type Source = 'nothing' | 'ranking' | 'groups' | 'preferences';

/** One row of the tool's table of measures. */
export interface MeasureRow {
  readonly name: string;
  readonly parameters: ParameterKind;
  /** Our parameter that takes the list, for rows that read one. */
  readonly listParameter?: 'coefficients' | 'levels' | 'weight' | 'length';
  readonly source: Source;
  /** Whether `-q` prints a line for each topic. */
  readonly perTopic: boolean;
  /** What the line of all topics shows: the run's name, the number of topics, a sum or mean over them, or nothing. */
  readonly summary: 'run' | 'topics' | 'sum' | 'mean' | 'geometric mean' | 'none';
  /** Only in versions that have the later measures. */
  readonly later?: boolean;
  /** Reads the number of judged documents at each level even where a topic has none, and then finds those of the topic
   *  before. */
  readonly readsStaleLevels?: boolean;
}

function row(name: string, changes: Partial<MeasureRow> = {}): MeasureRow {
  return { name, parameters: 'none', source: 'ranking', perTopic: true, summary: 'mean', ...changes };
}

const counted = { summary: 'sum' } as const;
const gains = { parameters: 'pairs', readsStaleLevels: true } as const;
const preferences = { source: 'preferences' } as const;

/** All measures, in the order in which they are computed and printed. */
const measureRows: readonly MeasureRow[] = [
  row('runid', { source: 'nothing', perTopic: false, summary: 'run' }),
  row('num_q', { source: 'nothing', perTopic: false, summary: 'topics' }),
  row('num_ret', counted),
  row('num_rel', counted),
  row('num_rel_ret', counted),
  row('map'),
  row('gm_map', { perTopic: false, summary: 'geometric mean' }),
  row('Rprec'),
  row('bpref'),
  row('recip_rank'),
  row('iprec_at_recall', { parameters: 'real cutoffs' }),
  row('P', { parameters: 'cutoffs' }),
  row('relstring', { parameters: 'list', listParameter: 'length', summary: 'none' }),
  row('recall', { parameters: 'cutoffs' }),
  row('infAP'),
  row('gm_bpref', { perTopic: false, summary: 'geometric mean' }),
  row('Rprec_mult', { parameters: 'real cutoffs' }),
  row('utility', { parameters: 'list', listParameter: 'coefficients' }),
  row('11pt_avg', { parameters: 'list', listParameter: 'levels' }),
  row('binG'),
  row('G', gains),
  row('dcg', { ...gains, later: true }),
  row('ideal_dcg', { ...gains, later: true }),
  row('ndcg', gains),
  row('ndcg_rel', gains),
  row('Rndcg', { parameters: 'pairs' }),
  row('ndcg_cut', { parameters: 'cutoffs' }),
  row('map_cut', { parameters: 'cutoffs' }),
  row('relative_P', { parameters: 'cutoffs' }),
  row('success', { parameters: 'cutoffs' }),
  row('set_P'),
  row('set_relative_P'),
  row('set_recall'),
  row('set_map'),
  row('set_F', { parameters: 'list', listParameter: 'weight' }),
  row('num_nonrel_judged_ret', counted),
  row('prefs_num_prefs_poss', { ...preferences, ...counted }),
  row('prefs_num_prefs_ful', { ...preferences, ...counted }),
  row('prefs_num_prefs_ful_ret', { ...preferences, ...counted }),
  row('prefs_simp', preferences),
  row('prefs_pair', preferences),
  row('prefs_avgjg', preferences),
  row('prefs_avgjg_Rnonrel', preferences),
  row('prefs_simp_ret', preferences),
  row('prefs_pair_ret', preferences),
  row('prefs_avgjg_ret', preferences),
  row('prefs_avgjg_Rnonrel_ret', preferences),
  row('prefs_simp_imp', preferences),
  row('prefs_pair_imp', preferences),
  row('prefs_avgjg_imp', preferences),
  row('map_avgjg', { source: 'groups' }),
  row('P_avgjg', { source: 'groups', parameters: 'cutoffs' }),
  row('Rprec_mult_avgjg', { source: 'groups', parameters: 'real cutoffs' }),
  row('yaap'),
  row('rbp', { ...gains, later: true }),
  row('rbp_resid', { parameters: 'pairs', later: true }),
  row('unj', { parameters: 'cutoffs', later: true }),
];

const official = 'runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P';
const prefs = 'runid num_q prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg';

/** Names for several measures at once. */
const nicknames: Readonly<Record<string, string>> = {
  official,
  set: 'runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map set_F',
  all_trec: `${official} relstring recall infAP gm_bpref utility 11pt_avg ndcg relative_P Rprec_mult success map_cut ndcg_cut ndcg_rel
    Rndcg binG G set_P set_recall set_relative_P set_map set_F num_nonrel_judged_ret unj rbp rbp_resid`,
  prefs,
  all_prefs: `${prefs} prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel_ret
    prefs_simp_imp prefs_pair_imp prefs_avgjg_imp`,
  qrels_jg: 'runid num_q map_avgjg P_avgjg Rprec_mult_avgjg',
};

/** The rows of one version, in table order. */
export function rowsOf(version: TrecEvalVersion): readonly MeasureRow[] {
  return measureRows.filter((candidate) => version.laterMeasures || !candidate.later);
}

/** The rows that a name stands for: those of a nickname, or one measure. Undefined if there is no such name. */
export function rowsNamed(name: string, rows: readonly MeasureRow[]): readonly MeasureRow[] | undefined {
  if (Object.hasOwn(nicknames, name)) {
    const members = nicknames[name].split(/\s+/);
    return rows.filter((candidate) => members.includes(candidate.name));
  }
  const found = rows.find((candidate) => candidate.name === name);
  return found === undefined ? undefined : [found];
}

/** Whether a name stands for a set of measures, as `official` does. */
export function isNickname(name: string): boolean {
  return Object.hasOwn(nicknames, name);
}
