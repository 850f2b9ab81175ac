import type { Dice } from './dice.js';
import type { SlowRequest } from './slow-trec-eval.js';

const topicIds = ['1', '2', '10', '051', '51', 'q\xe9', 'Z', 'a', '#'];
const docIds = [...'abcdefghijklmn'].flatMap((letter) => [letter, `${letter.toUpperCase()}1`]).concat(['D-10', 'D-9', '\xff', '\xc3\xa9']);

function judgementLines(dice: Dice, format: SlowRequest['format'], topics: readonly string[]): string[][] {
  const lines = topics.flatMap((topic) => {
    const pool = dice.sample(docIds, 1 + dice.below(12));
    const low = dice.chance(0.25) ? -2 : 0;
    const level = (): string => (dice.chance(0.03) ? dice.pick(['10', '12', '+1', '007']) : String(low + dice.below(4 - low)));
    if (format === 'qrels') return pool.map((doc) => [topic, '0', doc, level()]);
    const groups = dice.sample(['g1', 'g2', 'A'], 1 + dice.below(3));
    // levels go by document, so that sub-groups do not contradict each other
    const levelOf = new Map(pool.map((doc) => [doc, String(dice.below(4))]));
    return groups.flatMap((group) => {
      const some = (): string[] => dice.sample(pool, 1 + dice.below(pool.length));
      if (format === 'qrels_jg') return some().map((doc) => [topic, group, doc, level()]);
      if (format === 'qrels_prefs') return some().map((doc) => [topic, group, doc, dice.chance(0.2) ? '1.5' : String(dice.below(4))]);
      const subgroups = dice.sample(['s0', 's1', 'x'], dice.chance(0.5) ? 1 : 3);
      return subgroups.flatMap((subgroup) => some().map((doc) => [topic, group, subgroup, doc, levelOf.get(doc) ?? '0']));
    });
  });
  if (dice.chance(0.03)) lines.push(dice.pick(lines));
  return dice.chance(0.4) ? dice.shuffled(lines) : lines;
}

function resultLines(dice: Dice, topics: readonly string[]): string[][] {
  const answered = topics.filter(() => dice.chance(0.9));
  const lines = [...(answered.length > 0 ? answered : topics.slice(0, 1)), ...(dice.chance(0.2) ? ['unknown'] : [])].flatMap((topic) =>
    dice.sample([...docIds, 'zz1', 'zz2'], 1 + dice.below(25)).map((doc) => {
      const odd = ['nan', 'inf', '-inf', '16777216', '16777217', '1e39', '-0', 'abc', '1e400'];
      const score = dice.chance(0.04) ? dice.pick(odd) : dice.chance(0.5) ? String(dice.below(6)) : String(dice.below(1000) / 100);
      return [topic, 'Q0', doc, '1', score, dice.chance(0.95) ? 'run' : 'other'];
    }),
  );
  if (dice.chance(0.03)) lines.push(dice.pick(lines));
  return dice.chance(0.3) ? dice.shuffled(lines) : lines;
}

/** Fields in odd but lawful layouts, and now and then an unlawful line. */
function layOutLines(dice: Dice, lines: readonly (readonly string[])[], comments: boolean, blankLines: boolean): string {
  let text = '';
  for (const fields of lines) {
    if (comments && dice.chance(0.02)) text += `# a comment${dice.chance(0.5) ? ' of many fields to be skipped' : ''}\n`;
    if (blankLines && dice.chance(0.02)) text += dice.pick(['\n', ' \t\r\n']);
    const gap = dice.chance(0.9) ? ' ' : dice.pick(['\t', '  ', ' \r', '\v', '\f']);
    text += `${dice.chance(0.03) ? ' ' : ''}${fields.join(gap)}${dice.chance(0.95) ? '\n' : dice.pick(['\r\n', ' \n'])}`;
    if (dice.chance(0.002)) text += 'too short\n';
  }
  return dice.chance(0.1) ? text.replace(/\n$/, '') : text;
}

const gainPairs = ['1=3', '2=9', '4=4.5', '-1=0.5', '-2=0.25', '0=1', '1=0.2', '2=0.4', '3=0.9', '1=-1', '3=0'];
const choices: readonly (readonly [name: string, params: readonly (string | undefined)[], later?: true])[] = [
  ['runid', [undefined]],
  ['num_q', [undefined]],
  ['num_ret', [undefined]],
  ['num_rel', [undefined]],
  ['num_rel_ret', [undefined]],
  ['map', [undefined]],
  ['gm_map', [undefined]],
  ['Rprec', [undefined]],
  ['bpref', [undefined]],
  ['recip_rank', [undefined]],
  ['iprec_at_recall', [undefined, '0.05,0.333,0.999,1.5,-0.5', '0.3']],
  ['P', [undefined, '1,3,7', '10,5']],
  ['relstring', [undefined, '3', '200', '0', '7.9']],
  ['recall', [undefined, '2,4']],
  ['infAP', [undefined]],
  ['gm_bpref', [undefined]],
  ['Rprec_mult', [undefined, '0.01,0.5,3.25,123456.789']],
  ['utility', [undefined, '2,-1,-0.5,0.001']],
  ['11pt_avg', [undefined, '0.2,0.5,0.8', '0.8,0.2,0.5']],
  ['binG', [undefined]],
  ['G', [undefined, 'pairs']],
  ['dcg', [undefined, 'pairs'], true],
  ['ideal_dcg', [undefined, 'pairs'], true],
  ['ndcg', [undefined, 'pairs']],
  ['ndcg_rel', [undefined, 'pairs']],
  ['Rndcg', [undefined, 'pairs']],
  ['ndcg_cut', [undefined, '1,3,7']],
  ['map_cut', [undefined, '1,3,7']],
  ['relative_P', [undefined, '2,9']],
  ['success', [undefined, '1,3']],
  ['set_P', [undefined]],
  ['set_relative_P', [undefined]],
  ['set_recall', [undefined]],
  ['set_map', [undefined]],
  ['set_F', [undefined, '0.5', '2']],
  ['num_nonrel_judged_ret', [undefined]],
  ['yaap', [undefined]],
  ['rbp', [undefined, 'p=0.5', 'pairs'], true],
  ['rbp_resid', [undefined, 'p=0.95'], true],
  ['unj', [undefined, '1,3'], true],
];
const groupChoices: typeof choices = [
  ['runid', [undefined]],
  ['num_q', [undefined]],
  ['map_avgjg', [undefined]],
  ['P_avgjg', [undefined, '1,3']],
  ['Rprec_mult_avgjg', [undefined, '0.5,1']],
];
const preferenceChoices: typeof choices = [
  'runid num_q prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg prefs_avgjg_Rnonrel',
  'prefs_simp_ret prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp',
].flatMap((names) => names.split(' ').map((name) => [name, [undefined]] as const));

/** A random small evaluation: ties, negative levels, odd layouts and mistakes. */
export function makeRequest(dice: Dice, version: SlowRequest['version']): SlowRequest {
  const format = dice.pick(['qrels', 'qrels', 'qrels', 'qrels_jg', 'prefs', 'qrels_prefs'] as const);
  const table = format === 'qrels' ? choices : format === 'qrels_jg' ? groupChoices : preferenceChoices;
  const offered = table.filter(([, , later]) => later === undefined || version === '10.0');
  const wanted = offered.filter(() => dice.chance(0.3));
  // two measures that share gain parameters make the real tool crash
  const paired = dice.pick(['G', 'dcg', 'ideal_dcg', 'ndcg', 'ndcg_rel', 'Rndcg', 'rbp']);
  const measures = wanted
    .filter(([name]) => name === paired || !['dcg', 'ideal_dcg', 'ndcg'].includes(name))
    .map(([name, params]) => {
      const chosen = dice.pick(params);
      const pairs = dice.sample(gainPairs, 1 + dice.below(3)).join(',');
      return [name, chosen === 'pairs' ? (name === paired ? pairs : undefined) : chosen] as const;
    });
  const topics = dice.sample(
    topicIds.filter((id) => version !== '10.0' || id !== '#'),
    1 + dice.below(4),
  );
  return {
    version,
    format,
    perTopic: dice.chance(0.7),
    complete: dice.chance(0.3),
    judgedOnly: dice.chance(0.2),
    depth: dice.chance(0.2) ? dice.pick([0, 1, 3, 10]) : 2147483647,
    level: dice.chance(0.3) ? dice.below(4) : 1,
    collection: dice.chance(0.2) ? 100 : 0,
    measures: measures.length > 0 ? measures : [offered[2 + dice.below(offered.length - 2)]].map(([name]) => [name, undefined] as const),
    relevance: layOutLines(dice, judgementLines(dice, format, topics), version === '10.0', false),
    results: layOutLines(dice, resultLines(dice, topics), version === '10.0', true),
  };
}

/** The command line that asks for the same. */
export function argumentsOf(request: SlowRequest): string[] {
  const flags = [
    ...(request.format === 'qrels' ? [] : ['-R', request.format]),
    ...(request.perTopic ? ['-q'] : []),
    ...(request.complete ? ['-c'] : []),
    ...(request.judgedOnly ? ['-J'] : []),
    ...['-M', String(request.depth), '-l', String(request.level), '-N', String(request.collection)],
  ];
  const measures = request.measures.flatMap(([name, params]) => ['-m', params === undefined ? name : `${name}.${params}`]);
  return [...flags, ...measures, 'rel', 'run'];
}
