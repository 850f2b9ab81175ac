import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { parseMeasure } from '../../measures/parse.js';
import { docOf } from '../../measures/reference/index.js';
import { trecEvalMeasure } from '../../measures/spellings.js';
import { type MeasureRow, rowsOf } from './measure-table.js';
import type { TrecEvalOptions } from './options.js';

const general = `trec_eval [options] RELEVANCE RESULTS

Says how good the rankings in RESULTS are by the judgements in RELEVANCE.

  -h, --help                            this text; with -m, -R, -T also about those measures and formats
  -v, --version                         the version
  -q, --query_eval_wanted               a line for each topic before the lines of all topics
  -n, --nosummary                       no lines of all topics
  -m, --measure NAME[.PARAMETERS]       add a measure, or the measures behind one of these names:
                                        official (the default), all_trec, set, prefs, all_prefs, qrels_jg
  -c, --complete_rel_info_wanted        average over all judged topics, also those without results
  -l, --level_for_rel NUMBER            the lowest level of a relevant document (1)
  -J, --Judged_docs_only                take unjudged documents out of the rankings first
  -M, --Max_retrieved_per_topic NUMBER  look at so many documents of each ranking
  -N, --Number_docs_in_coll NUMBER      the size of the collection, for utility (0)
  -D, --Debug_level NUMBER[.TOPIC]      with a topic: evaluate it alone
  -R, --Rel_info_format NAME            format of RELEVANCE: qrels (the default), qrels_jg, prefs, qrels_prefs
  -T, --Results_format NAME             format of RESULTS: trec_results
  -Z, --Zscore FILE                     print deviations from the means in FILE, in standard deviations
  -o                                    accepted, without effect
`;

const relevanceHelp: Readonly<Record<string, string>> = {
  qrels: 'topic, a field that is ignored, document, level. A level below 0 says that the document was not judged.',
  qrels_jg: 'topic, group, document, level. The measures are taken for each group and averaged.',
  prefs: 'topic, group, sub-group, document, level. Within a sub-group a higher level is preferred to a lower one.',
  qrels_prefs: 'topic, group, document, level. Within a group a higher level is preferred to a lower one.',
};

const resultsHelp: Readonly<Record<string, string>> = {
  trec_results: 'topic, ignored, document, rank (ignored), score, name of the run. The highest score comes first.',
};

const ownHelp: Readonly<Record<string, string>> = {
  runid: 'The name of the run, from the last line of the results.',
  relstring: 'The levels of the first documents, one character each: > above 9, - outside the pool, . not judged.',
};

/** What `-h` prints. */
export function helpText(options: TrecEvalOptions, version: TrecEvalVersion): string {
  const parts = [general];
  const formats: [kind: string, name: string, texts: Readonly<Record<string, string>>][] = [
    ['RELEVANCE', options.relevanceFormat, relevanceHelp],
    ['RESULTS', options.resultsFormat, resultsHelp],
  ];
  for (const [kind, name, texts] of formats) {
    if (Object.hasOwn(texts, name))
      parts.push(`${kind} in the format ${name} has lines of these fields, parted by blanks:\n  ${texts[name]}\n`);
  }
  for (const row of rowsOf(version)) if (options.measures.has(row)) parts.push(`${row.name}\n  ${measureHelp(row)}\n`);
  return parts.join('\n');
}

function measureHelp(row: MeasureRow): string {
  if (Object.hasOwn(ownHelp, row.name)) return ownHelp[row.name];
  const { def } = parseMeasure((trecEvalMeasure(row.name)?.ours ?? row.name).replace('{}', '1'));
  const { title, help } = docOf(def);
  return `${title}. ${help.replace(/\s+/g, ' ')}`;
}
