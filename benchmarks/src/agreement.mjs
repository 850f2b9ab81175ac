/** Do two tools mean the same? A fast wrong answer must not win, so every contender's numbers are compared with those of
 *  trec_eval's own code before its time counts. */

/** Means by trec_eval's names.
 *  @typedef {Map<string, number>} Means */

/** Tools print four decimals; one unit in the last place covers rounding and the float32 scores of trec_eval before 9.0.8. */
export const PRINTED_UNIT = 0.0001;

/** @typedef {{ compared: number, worst: number, worstName: string }} Agreement */

/** @param {Means} means @param {Means} expected @returns {Agreement} over the measures both know */
export function compareMeans(means, expected) {
  const agreement = { compared: 0, worst: 0, worstName: '' };
  for (const [name, value] of means) {
    const wanted = expected.get(name);
    if (wanted === undefined) continue;
    agreement.compared++;
    const difference = Number.isFinite(value) ? Math.abs(value - wanted) : Number.POSITIVE_INFINITY;
    if (difference > agreement.worst) {
      agreement.worst = difference;
      agreement.worstName = name;
    }
  }
  return agreement;
}

/** The same means taken over all judged topics, those absent from the run counting as zero. The counts and the
 *  geometric mean are left out: they do not scale.
 *  @param {Means} means over the topics that are retrieved and judged @param {number} judgedTopics @returns {Means} */
export function overAllJudgedTopics(means, judgedTopics) {
  const share = (means.get('num_q') ?? Number.NaN) / judgedTopics;
  return new Map(
    [...means].filter(([name]) => !name.startsWith('num_') && name !== 'gm_map').map(([name, value]) => [name, value * share]),
  );
}

/** `map<TAB>all<TAB>0.1234` or `map<TAB>0.1234`, with the tool's names turned into trec_eval's.
 *  @param {string} text @param {(name: string) => string} [trecEvalName] @returns {Means} */
export function parseMeans(text, trecEvalName = (name) => name) {
  const means = /** @type {Means} */ (new Map());
  for (const line of text.split('\n')) {
    const fields = line.split('\t').map((field) => field.trim());
    if (fields.length < 2 || (fields.length === 3 && fields[1] !== 'all')) continue;
    const last = fields[fields.length - 1];
    // a mean that is no number must be seen, and fail; other words are headings
    if (fields[0] !== 'runid' && /^-?[0-9]|^nan$/i.test(last)) means.set(trecEvalName(fields[0]), Number(last));
  }
  return means;
}

/** @type {ReadonlyMap<string, string>} */
const otherNames = new Map([
  ['AP', 'map'],
  ['Bpref', 'bpref'],
  ['RR', 'recip_rank'],
  ['mrr', 'recip_rank'],
  ['r-precision', 'Rprec'],
]);

/** trec_eval's name for a measure of ir_measures, ranx or Gradus.
 *  @param {string} name */
export function trecEvalName(name) {
  // the rule of trec_eval, whose name does not say so
  const [base, cutoff] = name.replace("(rounding='up')", '').split('@');
  if (cutoff === undefined) return otherNames.get(name) ?? name;
  if (base === 'IPrec') return `iprec_at_recall_${Number(cutoff).toFixed(2)}`;
  return base === 'P' || base === 'precision' ? `P_${cutoff}` : name;
}
