/** Compares the numbers of search engines and their tools, as recorded in a folder with `scenarios.json`, `core.tsv`, `values.tsv` and
 *  `pairwise.tsv`, with what Gradus gives under the convention of each tool. Needs a build. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  comparePair,
  findConvention,
  judgingRulesOf,
  parameterDefaults,
  readMeasures,
  refuseJudgements,
  upperThreshold,
} from '../../dist/conventions/index.js';
import { toQrels } from '../../dist/core/index.js';
import { evaluator } from '../../dist/measures/index.js';

/** How many values agree, of how many, and a line for each that does not. Files that the folder does not have are left out. */
export async function checkMetrics(folder) {
  const scenarios = JSON.parse(await readFile(join(folder, 'scenarios.json'), 'utf8'));
  const disagreements = [];
  let total = 0;
  for (const file of ['core.tsv', 'values.tsv']) {
    for (const row of await rowsOf(join(folder, file))) {
      total++;
      const found = ourValue(row, scenarios[row.scenario]);
      if (!agrees(row, found))
        disagreements.push(
          `${file} ${row.case}: ${row.tool} ${row.metric} ${row.parameters} on ${row.scenario} is ${row.value}, Gradus has ${found}`,
        );
    }
  }
  for (const row of await rowsOf(join(folder, 'pairwise.tsv'))) {
    const listOf = (text) => text.split(',').filter((doc) => doc !== '');
    const ours = comparePair(listOf(row.listA), listOf(row.listB));
    for (const [name, value] of Object.entries(ours)) {
      total++;
      if (Number(row[name]) !== value) disagreements.push(`pairwise.tsv ${row.scenario}: ${name} is ${row[name]}, Gradus has ${value}`);
    }
  }
  return { agreed: total - disagreements.length, total, disagreements };
}

/** The name by which `scripts/golden.mjs` calls each part. */
export { checkMetrics as check };

async function rowsOf(path) {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const names = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((cell, i) => [names[i], cell])));
}

/** The value of the product, or its refusal in words. */
function ourValue(row, scenario) {
  if (scenario === undefined) return `no scenario ${row.scenario}`;
  if (row.metric === 'threshold') return upperThreshold(Object.values(scenario.ratings));
  const asked = askedOf(row);
  if (asked === undefined) return 'no measure for it';
  try {
    const convention = findConvention(asked.convention);
    const qrels = judgementsOf(scenario.ratings);
    const read = readMeasures([asked.measure], parameterDefaults(convention, undefined));
    refuseJudgements(convention, read, qrels);
    const run = scenario.docs.map((doc, i) => ({ topic: 'q', doc, score: scenario.docs.length - i }));
    const rules = { ...judgingRulesOf(convention.rules), ...convention.planOptions, unrelated: 'accept' };
    return evaluator(qrels, asked.unrounded ? read.map(unrounded) : read, rules)
      .evaluate(run)
      .value(0, 0);
  } catch (error) {
    if (error.name !== 'InputError') throw error;
    return `refused: ${error.message}`;
  }
}

/** Values that were recorded before the tool rounds them. */
function unrounded(measure) {
  return { ...measure, params: { ...measure.params, half_up: undefined } };
}

/** Judgements of one topic; a topic without any stays a topic. */
function judgementsOf(ratings) {
  if (Object.keys(ratings).length > 0) return toQrels({ q: ratings });
  const one = toQrels({ q: { none: 0 } });
  return { ...one, offsets: Uint32Array.of(0, 0), docOf: new Uint32Array(0), grades: new Float64Array(0) };
}

/** A tool fails or has no finite number: Gradus must refuse. Its NaN is shown as 0. Decimal numbers are recorded in full. */
function agrees({ value }, found) {
  if (value.startsWith('error') || value === 'Infinity') return String(found).startsWith('refused');
  return typeof found === 'number' && (value === 'NaN' ? found === 0 : Number(value) === found);
}

function askedOf({ tool, version, metric, parameters }) {
  if (tool === 'elasticsearch' || tool === 'opensearch') return { convention: tool, measure: rankEvalMeasure(metric, parameters) };
  if (tool === 'opensearch-srw') return { convention: workbenchOf(version), measure: workbenchMeasure(metric) };
  if (tool === 'quepid') {
    const server = version.includes('server');
    return { convention: server ? 'quepid@server' : 'quepid', measure: quepidMeasure(metric), unrounded: server };
  }
  if (tool === 'rre') return { convention: 'rre', measure: rreMeasure(metric) };
  return undefined;
}

/** `P(rel=2,divisor='judged')@10` for precision with these parameters. */
function rankEvalMeasure(metric, parameters) {
  const given = Object.fromEntries(
    parameters
      .split(' ')
      .filter((part) => part.includes('='))
      .map((part) => part.split('=')),
  );
  const names = {
    precision: 'P',
    recall: 'R',
    mean_reciprocal_rank: 'RR',
    dcg: given.normalize === 'true' ? 'nDCG' : 'DCG',
    expected_reciprocal_rank: 'ERR',
  };
  const inside = [];
  if (given.relevant_rating_threshold !== undefined) inside.push(`rel=${given.relevant_rating_threshold}`);
  if (given.ignore_unlabeled === 'true') inside.push("divisor='judged'");
  if (given.unknown_doc_rating !== undefined) inside.push(`unjudged=${given.unknown_doc_rating}`);
  if (given.maximum_relevance !== undefined) inside.push(`max_rel=${given.maximum_relevance}`);
  return `${names[metric]}(${inside.join(',')})@${given.k ?? 10}`;
}

function workbenchOf(version) {
  if (version.includes('b3230ab')) return 'opensearch-workbench@3.0';
  return version.includes('d8be5d1') ? 'opensearch-workbench@3.1' : 'opensearch-workbench@2026';
}

function workbenchMeasure(metric) {
  const [name, cutoff] = metric.split('@');
  const names = { precision: 'P', recall: 'R', mrr: 'RR', map: 'AP', dcg: 'DCG', ndcg: 'nDCG', coverage: 'Judged' };
  return `${names[name.toLowerCase()]}${cutoff === undefined ? '' : `@${cutoff}`}`;
}

function quepidMeasure(metric) {
  const [name, cutoff] = metric.split('@');
  const names = { p: 'P', rr: 'RR', ap: 'AP', cg: 'CG', dcg: 'DCG', ndcg: 'nDCG', ndcg_cut: "nDCG(ideal_depth='cutoff')", err: 'ERR' };
  return `${names[name]}@${cutoff}`;
}

function rreMeasure(metric) {
  const [, name, cutoff, rest] = /^([A-Za-z]+[\d.]*)(?:@(\d+))?(.*)$/.exec(metric);
  const given = Object.fromEntries([...rest.matchAll(/(\w+)=([\d.]+)/g)].map(([, key, value]) => [key, value]));
  const beta = /^F([\d.]+)$/.exec(name)?.[1];
  if (beta !== undefined) return cutoff === undefined ? `SetF(beta=${beta})` : `F(beta=${beta})@${cutoff}`;
  if (cutoff === undefined) return { P: 'SetP', R: 'SetR', AP: 'AP' }[name];
  if (name === 'ERR') return `ERR(max_rel=${given.max ?? 3},unjudged=${given.missing ?? 2})@${cutoff}`;
  return `${{ P: 'P', Precision: 'P', Recall: 'R', R: 'R', RR: 'RR', NDCG: 'nDCG' }[name]}@${cutoff}`;
}
