import type { ConventionRules } from '../conventions/convention.js';
import { defaultRules, forEachJudgedTopic, POOLED, topicInRun, UNJUDGED } from '../core/judging/judge.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { Skipped } from '../formats/reader.js';
import { type AuditedFile, type AuditOptions, Cases, counted, countedOf, eachTopic, type Finding, skippedFindings } from './finding.js';
import { gradeFindings } from './grades.js';
import { noRelevantFinding, oneDocumentFinding, protocolFinding, shortListsFinding } from './lists.js';
import { tieFindings } from './ties.js';
import { byConvention } from './tool-words.js';

/** The depths at which unjudged documents are counted. */
const depths: readonly number[] = [5, 10, 20, 100];

/** A larger part of unjudged documents above the cutoff than this is worth a warning. */
const MANY_UNJUDGED = 0.1;

/** What is odd in judgements. */
export function auditQrels(name: string, { qrels, skipped }: { qrels: Qrels; skipped: Skipped }, options: AuditOptions = {}): AuditedFile {
  const { rel = 1, cutoff = 10 } = options;
  const numTopics = qrels.topics.size;
  const empty = new Cases();
  const single = new Cases();
  eachTopic(qrels.topics, (topic, id) => {
    const grades = qrels.grades.subarray(qrels.offsets[topic], qrels.offsets[topic + 1]);
    if (!grades.some((grade) => grade >= rel)) empty.add(id);
    if (grades.length === 1) single.add(id);
  });
  const findings = [
    ...skippedFindings(skipped, qrels.grades.length, 'Decide which judgement holds: tools keep the first, the last, or refuse the file.'),
    ...noRelevantFinding(empty, numTopics, rel),
    ...gradeFindings(qrels.grades, docNamer(qrels)),
    ...oneDocumentFinding(single, numTopics, ['has judgements on', 'have judgements on']),
  ];
  return {
    name,
    what: 'judgements',
    size: `${counted(numTopics, 'topic')}, ${counted(qrels.grades.length, 'judgement')}`,
    findings: [...findings, ...protocolFinding(findings, cutoff)],
  };
}

/** What is odd in a run, and between it and the judgements. */
export function auditRun(
  name: string,
  qrels: Qrels,
  { run, skipped, numUnreadableRanks = 0 }: { run: Run; skipped: Skipped; numUnreadableRanks?: number },
  options: AuditOptions = {},
): AuditedFile {
  const { cutoff = 10 } = options;
  const total = run.scores.length;
  const short = new Cases();
  eachTopic(run.topics, (topic, id) => {
    if (run.offsets[topic + 1] - run.offsets[topic] < cutoff) short.add(id);
  });
  const findings: Finding[] = [
    ...skippedFindings(skipped, total, 'Keep each document once: tools count it twice, keep one of its places, or refuse the run.'),
    ...unreadableRanks(numUnreadableRanks, total),
    ...topicFindings(qrels, run),
    ...shortListsFinding(short, run.topics.size, cutoff, 'retrieves'),
    ...tieFindings(qrels, run, cutoff),
    ...unjudgedFinding(qrels, run, cutoff),
    ...rankConflicts(run),
  ];
  return {
    name,
    what: 'run',
    size: `${counted(run.topics.size, 'topic')}, ${counted(total, 'document')}`,
    findings,
  };
}

function unreadableRanks(count: number, of: number): Finding[] {
  if (count === 0) return [];
  const sentence = `${countedOf(count, of, 'lines', ['has', 'have'])} something else than a number in the rank column; ranks were not compared with scores.`;
  return [{ kind: 'unreadable-ranks', severity: 'warning', count, of, examples: [], sentence }];
}

/** Names the document of a row for people: `topic 7, document d3`. */
function docNamer({ topics, docs, offsets, docOf }: Qrels): (row: number) => string {
  return (row) => {
    let topic = 0;
    while (offsets[topic + 1] <= row) topic++;
    return `topic ${topics.text(topic)}, document ${docs.text(docOf[row])}`;
  };
}

function topicFindings(qrels: Qrels, run: Run): Finding[] {
  const findings: Finding[] = [];
  const unanswered = new Cases();
  eachTopic(qrels.topics, (topic, id) => {
    if (topicInRun(qrels, run, topic) < 0) unanswered.add(id);
  });
  if (unanswered.count > 0) {
    findings.push({
      kind: 'unanswered-topics',
      severity: 'warning',
      count: unanswered.count,
      of: qrels.topics.size,
      examples: unanswered.examples,
      sentence: `${countedOf(unanswered.count, qrels.topics.size, 'judged topics', ['is', 'are'])} not answered. Such a topic is ${byConvention(missingWords)}.`,
      recommendation: 'Average over all judged topics, or say over which ones; leaving hard topics out makes a system look better.',
    });
  }
  const unjudged = new Cases();
  eachTopic(run.topics, (topic, id) => {
    const { bytes, offsets } = run.topics;
    if (qrels.topics.findBytes(bytes, offsets[topic], offsets[topic + 1]) < 0) unjudged.add(id);
  });
  if (unjudged.count > 0) {
    findings.push({
      kind: 'unjudged-topics',
      severity: unjudged.count === run.topics.size ? 'error' : 'info',
      count: unjudged.count,
      of: run.topics.size,
      examples: unjudged.examples,
      sentence: `${countedOf(unjudged.count, run.topics.size, 'answered topics', ['has', 'have'])} no judgements and ${unjudged.count === 1 ? 'counts' : 'count'} for nothing.`,
      recommendation:
        unjudged.count === run.topics.size ? 'Check that both files belong together and spell their topics alike.' : undefined,
    });
  }
  return findings;
}

function missingWords({ topics }: ConventionRules): string {
  if (topics === 'skip') return 'left out of the mean';
  return topics === 'empty' ? 'counted as an empty ranking' : 'counted as a ranking of one unjudged document';
}

function unjudgedFinding(qrels: Qrels, run: Run, cutoff: number): Finding[] {
  const wanted = [...new Set([...depths, cutoff])].sort((a, b) => a - b);
  const unjudged = wanted.map(() => 0);
  const ranked = wanted.map(() => 0);
  const concerned = new Cases();
  forEachJudgedTopic(qrels, run, { ...defaultRules, missingTopics: 'skip' }, (topic, { codes, start, numRetrieved }) => {
    let found = false;
    for (let rank = 0; rank < Math.min(numRetrieved, wanted[wanted.length - 1]); rank++) {
      const code = codes[start + rank];
      const isUnjudged = code === UNJUDGED || code === POOLED;
      for (const [d, depth] of wanted.entries()) {
        if (rank >= depth) continue;
        ranked[d]++;
        if (!isUnjudged) continue;
        unjudged[d]++;
        if (depth === cutoff) found = true;
      }
    }
    if (found) concerned.add(() => qrels.topics.text(topic));
  });
  if (unjudged.every((count) => count === 0)) return [];
  const at = wanted.indexOf(cutoff);
  const shareAt = (d: number): number => (ranked[d] === 0 ? 0 : unjudged[d] / ranked[d]);
  const words = wanted.map((depth, d) => `${(100 * shareAt(d)).toFixed(1)}% of the first ${depth}`).join(', ');
  const many = shareAt(at) > MANY_UNJUDGED;
  return [
    {
      kind: 'unjudged',
      severity: many ? 'warning' : 'info',
      count: unjudged[at],
      of: ranked[at],
      examples: concerned.examples,
      sentence: `Of the documents retrieved for judged topics, nobody judged ${words}. Measures take them for not relevant.`,
      recommendation: many
        ? 'Report Judged@k with the numbers, and measures that leave unjudged documents out (bpref, or judged_only=true).'
        : undefined,
      details: Object.fromEntries(wanted.map((depth, d) => [`share@${depth}`, shareAt(d)])),
    },
  ];
}

/** Documents whose stated rank is not below that of one with a higher score. */
function rankConflicts(run: Run): Finding[] {
  const { ranks, scores, offsets } = run;
  if (ranks === undefined) return [];
  const topics = new Cases();
  let count = 0;
  eachTopic(run.topics, (topic, id) => {
    const rows = Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, i) => offsets[topic] + i);
    rows.sort((a, b) => scores[b] - scores[a]);
    let highestAbove = Number.NEGATIVE_INFINITY;
    let inTopic = 0;
    for (let start = 0, end = 0; start < rows.length; start = end) {
      let highest = highestAbove;
      for (; end < rows.length && scores[rows[end]] === scores[rows[start]]; end++) {
        const rank = ranks[rows[end]];
        if (rank <= highestAbove) inTopic++;
        if (rank > highest) highest = rank;
      }
      highestAbove = highest;
    }
    count += inTopic;
    if (inTopic > 0) topics.add(id);
  });
  if (count === 0) return [];
  return [
    {
      kind: 'rank-conflicts',
      severity: 'warning',
      count,
      of: scores.length,
      examples: topics.examples,
      sentence: `${countedOf(count, scores.length, 'documents', ['stands', 'stand'])} by rank before one with a higher score, or at the same rank, on ${counted(topics.count, 'topic')}. Nearly all tools go by the score and ignore the rank.`,
      recommendation: 'If the ranks are what is meant, write scores that say the same, such as 1 / rank.',
    },
  ];
}
