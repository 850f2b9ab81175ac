import { type SlowTopic, type SlowValue, slowFixed, slowMeasure, slowMergeSort } from './slow-trec-measures.js';
import { SlowConflict, type SlowPreference, slowPreferenceMeasures } from './slow-trec-prefs.js';

/** A command line of trec_eval, taken apart. */
export interface SlowRequest {
  readonly version: '10.0' | '9.0.8' | '9.0.7';
  readonly format: 'qrels' | 'qrels_jg' | 'prefs' | 'qrels_prefs';
  readonly perTopic: boolean;
  readonly complete: boolean;
  readonly judgedOnly: boolean;
  readonly depth: number;
  readonly level: number;
  readonly collection: number;
  /** Single measures in the order of the tool's table, each with its parameters. */
  readonly measures: readonly (readonly [name: string, params: string | undefined])[];
  readonly relevance: string;
  readonly results: string;
}

export interface SlowOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Stop extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

const sums = ['num_ret', 'num_rel', 'num_rel_ret', 'num_nonrel_judged_ret'];
const isCount = (name: string): boolean => sums.includes(name) || name === 'num_q' || name.startsWith('prefs_num_prefs');
const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** trec_eval from its description, slowly: strings (one character per byte) and arrays, everything looked for by walking. */
export function slowTrecEval(request: SlowRequest): SlowOutcome {
  const out: string[] = [];
  try {
    evaluateAll(request, out);
    return { exitCode: 0, stdout: out.join(''), stderr: '' };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { exitCode: error.exitCode, stdout: out.join(''), stderr: error.message };
  }
}

interface Judgement extends SlowPreference {
  readonly topic: string;
}

interface Retrieved {
  readonly topic: string;
  readonly doc: string;
  readonly score: number;
}

function evaluateAll(request: SlowRequest, out: string[]): void {
  const { version, complete } = request;
  const judgements = readJudgements(request);
  const { retrieved, tag } = readRetrieved(request);
  const topics = [...new Set(judgements.map(({ topic }) => topic))].sort(byBytes);
  const perTopic: SlowValue[][] = [];
  let stale: readonly number[] | undefined;

  for (const topic of topics) {
    let lines = retrieved.filter((line) => line.topic === topic);
    const missing = lines.length === 0;
    if (missing && version !== '10.0') continue;
    if (missing && !complete) throw new Stop(4, `trec_eval: result qid '${topic}' not found in qrels\n`);
    if (missing) lines = [{ topic, doc: 'ceci_nest_pas_un_docno', score: 1 }];
    const mine = judgements.filter((judgement) => judgement.topic === topic);
    let values: SlowValue[];
    const first = firstNeeding(request);
    if (first === '')
      values = []; // nothing to compute, so nobody looks at the ranking
    else if (request.format === 'qrels') {
      const ranking = rank(request, lines, first);
      refuseRepeated(mine, first);
      const judged = mine.map(({ level }) => level).filter((level) => level >= 0);
      if (judged.length > 0) stale = judged;
      else if (stale === undefined) throw new Stop(4, `trec_eval: Can't calculate measure '${first}'\n`);
      const view = slowTopic(request, ranking, mine, judged, stale);
      values = request.measures.flatMap(([name, params]) => (computed(name) ? slowMeasure(name, params, view) : []));
    } else if (request.format === 'qrels_jg') {
      values = groupValues(request, rank(request, lines, first), mine);
    } else values = preferenceValues(request, lines, mine);
    if (missing) values = values.map(patched);
    perTopic.push(values);
    if (request.perTopic) for (const [name, value] of values) if (!name.startsWith('gm_')) out.push(line(name, topic, value));
  }
  if (perTopic.length === 0) throw new Stop(7, 'trec_eval: No queries with both results and relevance info\n');

  // all topics together
  const divisor = complete ? topics.length : perTopic.length;
  for (const [name] of request.measures) {
    if (name === 'runid') out.push(line('runid', 'all', { text: tag }));
    if (name === 'num_q') out.push(line('num_q', 'all', divisor));
    const printed = perTopic[0].map(([full]) => full).filter((full) => belongsTo(full, name, request));
    for (const full of printed) {
      const numbers = perTopic.map((values) => values.find(([other]) => other === full)?.[1]);
      if (typeof numbers[0] === 'string') continue;
      const plain = numbers as number[];
      if (full === 'num_rel' && complete) out.push(line(full, 'all', judgements.filter(({ level }) => level > 0).length));
      else if (isCount(full)) out.push(line(full, 'all', total(plain)));
      else if (name.startsWith('gm_')) {
        const logs = plain.map((x) => Math.log(Math.max(x, 0.00001)));
        out.push(line(full, 'all', Math.exp((total(logs) + (divisor - plain.length) * Math.log(0.00001)) / divisor)));
      } else out.push(line(full, 'all', total(plain) / divisor));
    }
  }
}

const computed = (name: string): boolean => name !== 'runid' && name !== 'num_q';
const total = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function firstNeeding({ measures }: SlowRequest): string {
  return measures.find(([name]) => computed(name))?.[0] ?? '';
}

/** Whether a printed name is one of this measure's; measures whose names begin alike are told apart. */
function belongsTo(full: string, name: string, { measures }: SlowRequest): boolean {
  if (full !== name && !full.startsWith(`${name}_`)) return false;
  return !measures.some(([other]) => other.length > name.length && (full === other || full.startsWith(`${other}_`)));
}

function patched([name, value]: SlowValue): SlowValue {
  if (name === 'relstring') return [name, ''];
  return ['num_ret', 'utility', 'rbp_resid'].includes(name) || name.startsWith('unj') ? [name, 0] : [name, value];
}

function line(name: string, topic: string, value: number | string | { text: string }): string {
  const shown =
    typeof value === 'object'
      ? value.text
      : typeof value === 'string'
        ? `'${value}'`
        : isCount(name)
          ? String(value)
          : slowFixed(value, 4).padStart(6);
  return `${name.padEnd(22)}\t${topic}\t${shown}\n`;
}

/** Steps 1 to 3: sort by id, then by score with ties by id, cut, refuse what is there twice. */
function rank(request: SlowRequest, lines: readonly Retrieved[], first: string): string[] {
  const down = request.format === 'qrels' || request.format === 'qrels_jg' ? -1 : 1;
  const byId = slowMergeSort(lines, (a, b) => byBytes(a.doc, b.doc));
  const ranked = slowMergeSort(byId, (a, b) => (a.score > b.score ? -1 : a.score < b.score ? 1 : down * byBytes(a.doc, b.doc)));
  const docs = ranked.slice(0, request.depth).map(({ doc }) => doc);
  const twice = docs.filter((doc, i) => docs.indexOf(doc) !== i).sort(byBytes)[0];
  const procedure = down < 0 ? 'form_res_qrels' : 'form_prefs_counts';
  if (twice !== undefined)
    throw new Stop(4, `trec_eval.${procedure}: duplicate docs ${twice}trec_eval: Can't calculate measure '${first}'\n`);
  return docs;
}

function refuseRepeated(mine: readonly Judgement[], first: string): void {
  const docs = mine.map(({ doc }) => doc);
  const twice = docs.filter((doc, i) => docs.indexOf(doc) !== i).sort(byBytes)[0];
  if (twice === undefined) return;
  throw new Stop(4, `trec_eval.form_res_rels: duplicate docs ${twice}\ntrec_eval: Can't calculate measure '${first}'\n`);
}

function slowTopic(
  request: SlowRequest,
  ranking: readonly string[],
  mine: readonly Judgement[],
  judged: readonly number[],
  judgedForGains: readonly number[],
): SlowTopic {
  const { level, collection, version } = request;
  const all = ranking.map((doc) => {
    const found = mine.find((judgement) => judgement.doc === doc);
    return found === undefined ? -1 : found.level < 0 ? -2 : found.level;
  });
  return { codes: request.judgedOnly ? all.filter((code) => code >= 0) : all, judged, judgedForGains, level, collection, version };
}

function groupValues(request: SlowRequest, ranking: readonly string[], mine: readonly Judgement[]): SlowValue[] {
  const groups = [...new Set(mine.map(({ group }) => group))].sort(byBytes);
  const perGroup = groups.map((id) => {
    const judgements = mine.filter(({ group }) => group === id);
    const judged = judgements.map(({ level }) => level).filter((level) => level >= 0);
    const view = slowTopic(request, ranking, judgements, judged, judged);
    return request.measures.flatMap(([name, params]) =>
      computed(name)
        ? slowMeasure(name.replace('_avgjg', ''), params, view).map(([full, value]) => [
            full.replace(/^(map|P|Rprec_mult)/, '$1_avgjg'),
            value,
          ])
        : [],
    );
  });
  return perGroup[0].map(([name], c) => [String(name), total(perGroup.map((values) => Number(values[c][1]))) / groups.length]);
}

function preferenceValues(request: SlowRequest, lines: readonly Retrieved[], mine: readonly Judgement[]): SlowValue[] {
  const first = firstNeeding(request);
  try {
    const values = slowPreferenceMeasures(rank(request, lines, first), mine);
    return request.measures.flatMap(([name]) => (computed(name) ? [[name, values[name]]] : []));
  } catch (error) {
    if (!(error instanceof SlowConflict)) throw error;
    throw new Stop(4, `${error.message}trec_eval: Can't calculate measure '${first}'\n`);
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

const fieldsOf = (text: string): string[] => text.match(/[^ \t\v\f\r]+/g) ?? [];

function readJudgements({ relevance, format, version }: SlowRequest): Judgement[] {
  const judgements: Judgement[] = [];
  let afterComment = false;
  for (const text of linesOf(relevance)) {
    if (version === '10.0' && text.startsWith('#') && !afterComment) {
      afterComment = true;
      continue;
    }
    afterComment = false;
    const fields = fieldsOf(text);
    if (fields.length !== (format === 'prefs' ? 5 : 4)) {
      throw new Stop(2, `trec_eval.get_${format}: Malformed line ${judgements.length + 1}\ntrec_eval: Quit in file 'rel'\n`);
    }
    const [topic, group] = fields;
    const subgroup = format === 'prefs' ? fields[2] : '0';
    const [doc, levelText] = fields.slice(-2);
    const real = Number.parseFloat(levelText) || 0;
    const level = format.endsWith('prefs') ? (version === '9.0.7' ? Math.fround(real) : real) : Number.parseInt(levelText, 10) || 0;
    judgements.push({ topic, group, subgroup, doc, level });
  }
  if (format === 'qrels_jg') {
    const keys = judgements.map(({ topic, group, doc }) => `${topic} ${group} ${doc}`);
    const twice = keys.filter((key, i) => keys.indexOf(key) !== i).sort(byBytes)[0];
    if (twice !== undefined)
      throw new Stop(2, `trec_eval.get_qrels: duplicate docs ${twice.split(' ')[2]}\ntrec_eval: Quit in file 'rel'\n`);
  }
  return judgements;
}

function readRetrieved({ results, version }: SlowRequest): { retrieved: Retrieved[]; tag: string } {
  const retrieved: Retrieved[] = [];
  let tag = '';
  for (const text of linesOf(results)) {
    const fields = fieldsOf(text);
    if (fields.length === 0 || (version === '10.0' && fields[0].startsWith('#'))) continue;
    if (fields.length < 6) {
      throw new Stop(2, `trec_eval.get_results: Malformed line ${retrieved.length + 1}\ntrec_eval: Quit in file 'run'\n`);
    }
    const value = /^nan$/i.test(fields[4]) ? Number.NaN : Number.parseFloat(fields[4].replace(/^([+-]?)inf$/i, '$1Infinity')) || 0;
    retrieved.push({ topic: fields[0], doc: fields[2], score: version === '9.0.7' ? Math.fround(value) : value });
    tag = fields[5];
  }
  return { retrieved, tag };
}
