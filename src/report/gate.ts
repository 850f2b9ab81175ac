import { formatFixed, formatG } from '../core/numbers/print.js';
import type { AllowedDrop, FailedTopic, GatedMeasure, GateResult } from '../stats/gate.js';
import { type Grid, markdownText, type TableLook, type TextSink, type Tone, visible, writeGrid } from './grid.js';
import { testName } from './methods.js';
import { pText } from './number-text.js';
import type { Verdict } from './verdict/model.js';
import { verdictWords } from './verdict/words.js';

/** What the gate found out about unjudged documents, if it was asked to look. */
export interface UnjudgedRate {
  readonly cutoff: number;
  readonly rate: number;
  readonly most: number;
}

/** A gate's result with what is printed beside it. */
export interface GateReport {
  readonly result: GateResult;
  readonly unjudged?: UnjudgedRate | undefined;
  /** What the first measure says of the two; undefined where means are weighted. */
  readonly verdict?: Verdict | undefined;
  /** How many fallen topics are listed per measure, 5 by default. */
  readonly mostTopics?: number | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** One thing that the gate looked at, put so that a person who sees nothing else knows what to do. */
export interface GateFinding {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
}

const DIGITS = 4;

/** Whether nothing speaks against the candidate, the share of unjudged documents included. */
export function gatePassed(report: GateReport): boolean {
  return gateFindings(report).every(({ passed }) => passed);
}

/** The gate's verdicts one by one, each with a sentence that gives its numbers. */
export function gateFindings(report: GateReport): GateFinding[] {
  const { result, unjudged } = report;
  const findings: GateFinding[] = result.measures.map((measure) => ({
    name: measure.measure,
    passed: measure.passed,
    message: measureMessage(measure, result),
  }));
  if (result.maxTopicDrop !== null || result.numGuarded > 0)
    findings.push(...result.measures.map((measure) => topicFinding(measure, result)));
  if (unjudged !== undefined) findings.push(unjudgedFinding(unjudged, result.candidate));
  return findings;
}

/** How many topics that fail by themselves are named in a sentence. */
const MOST_NAMED = 5;

function topicFinding({ measure, failedTopics }: GatedMeasure, { maxTopicDrop, numGuarded }: GateResult): GateFinding {
  const guards = [
    ...(maxTopicDrop === null ? [] : [`no topic may fall by more than ${dropText(maxTopicDrop)}`]),
    ...(numGuarded === 0 ? [] : [`${numGuarded} ${numGuarded === 1 ? 'topic is' : 'topics are'} guarded`]),
  ].join(', ');
  const name = `${measure} by topic`;
  if (failedTopics.length === 0) return { name, passed: true, message: `no topic fails; ${guards}` };
  const named = failedTopics.slice(0, MOST_NAMED).map(failureText);
  const more = failedTopics.length > named.length ? `, and ${failedTopics.length - named.length} more` : '';
  const count = failedTopics.length === 1 ? '1 topic fails' : `${failedTopics.length} topics fail`;
  return { name, passed: false, message: `${count}: ${named.join('; ')}${more}` };
}

function failureText({ topic, baseline, candidate, drop, reason, limit }: FailedTopic): string {
  const moved = `${topic} ${formatFixed(baseline, DIGITS)} -> ${formatFixed(candidate, DIGITS)}`;
  if (reason === 'floor') return `${moved}, must reach ${limit}`;
  if (reason === 'guarded') return `${moved}, must not fall`;
  return `${moved}, fell by ${formatFixed(drop, DIGITS)}, more than the ${formatG(limit, 4)} allowed`;
}

function dropText(drop: AllowedDrop): string {
  return typeof drop === 'number' ? String(drop) : percent(drop.share);
}

function unjudgedFinding({ cutoff, rate, most }: UnjudgedRate, candidate: string): GateFinding {
  const passed = rate <= most;
  const found = `${percent(rate)} of the first ${cutoff} documents of ${candidate} have no judgement`;
  return {
    name: `unjudged@${cutoff}`,
    passed,
    message: passed
      ? `${found}; ${percent(most)} are allowed`
      : `${found}, more than the ${percent(most)} allowed, so its scores may be too low or mean little: judge these documents, or allow more with --max-unjudged`,
  };
}

function percent(share: number): string {
  return `${formatG(100 * share, 3)}%`;
}

function measureMessage(measure: GatedMeasure, { minTopics, strict, comparison }: GateResult): string {
  const { drop, maxDrop, topics, tooLarge, significant, enoughTopics, correctedPValue, detectable } = measure;
  const { alpha, correction, measures } = comparison;
  const allowed = measure.maxDropShare === null ? String(maxDrop) : `${percent(measure.maxDropShare)} (${formatFixed(maxDrop, DIGITS)})`;
  const means = `${formatFixed(measure.baseline, DIGITS)} -> ${formatFixed(measure.candidate, DIGITS)}`;
  const moved = drop > 0 ? `fell by ${formatFixed(drop, DIGITS)}` : drop < 0 ? `rose by ${formatFixed(-drop, DIGITS)}` : 'did not change';
  const pLabel = correction === 'none' || measures.length === 1 ? 'p' : `p after ${correction}`;
  const resamples = comparison.test === 'bootstrap' ? comparison.resamples : null;
  const p = `${pLabel} ${pText(correctedPValue, DIGITS, resamples).replace(/^(?!<)/, '= ')}`;
  const head = `${means}, ${moved} over ${topics} topics (${p})`;
  if (!enoughTopics) {
    return `${head}; ${topics} topics are fewer than the ${minTopics} this gate asks for, too few to see a real drop: judge more topics, or ask for fewer with --min-topics`;
  }
  const seen =
    detectable === null ? '' : `; with these topics a drop of ${formatFixed(detectable, DIGITS)} would be noticed with 80% chance`;
  if (!measure.passed) {
    const why = [
      ...(tooLarge ? [`more than the ${allowed} allowed`] : []),
      ...(significant ? [`significant at ${alpha}`] : []),
      ...(strict && tooLarge !== significant ? ['either is enough with --strict'] : []),
    ];
    return `${head}: ${why.join(', ')}. Look at the topics that fell most; if the drop is wanted, allow it with --max-drop or renew the baseline`;
  }
  if (tooLarge) return `${head}: more than the ${allowed} allowed, but chance explains it at ${alpha}, so it passes${seen}`;
  if (significant) return `${head}: a real drop at ${alpha}, but within the ${allowed} allowed`;
  return `${head}${seen}`;
}

function headline(report: GateReport): string {
  const { result } = report;
  const findings = gateFindings(report);
  const failed = findings.filter(({ passed }) => !passed);
  if (failed.length === 0) return `PASS: ${result.candidate} may take the place of ${result.baseline}`;
  return `FAIL: ${result.candidate} against ${result.baseline}: ${failed.map(({ name }) => name).join(', ')}`;
}

/** `0.01`, or `0.02 (nDCG@10) or 0.01 (AP)` where they differ. */
function allowedDrops({ measures }: GateResult): string {
  const limitOf = ({ maxDrop, maxDropShare }: GatedMeasure): string => (maxDropShare === null ? String(maxDrop) : percent(maxDropShare));
  const drops = [...new Set(measures.map(limitOf))];
  if (drops.length === 1) return drops[0];
  const named = drops.map(
    (drop) =>
      `${drop} (${measures
        .filter((measure) => limitOf(measure) === drop)
        .map(({ measure }) => measure)
        .join(', ')})`,
  );
  return named.join(' or ');
}

function ruleText(result: GateResult): string {
  const { strict, minTopics, comparison } = result;
  const { alpha, test, correction, measures, seed, resamples } = comparison;
  const how = `one-sided ${testName(test)}${measures.length > 1 && correction !== 'none' ? `, ${correction} correction over ${measures.length} measures` : ''}`;
  const drawn = resamples === null ? '' : `, ${resamples} resamples, seed ${seed}`;
  return `The gate fails if a mean falls by more than ${allowedDrops(result)} ${strict ? 'or' : 'and'} the fall is significant at ${alpha} (${how}${drawn}), or with fewer than ${minTopics} topics.${result.numWeighted === 0 ? '' : ` Means are weighted: ${result.numWeighted} topics have a weight of their own, the others 1.`}`;
}

/** For a terminal or a log.
 *  @param look How it looks where people read it. */
export function writeGateText(report: GateReport, sink: TextSink, look: TableLook = {}): void {
  const { paintTone = (_: Tone, text: string): string => text } = look;
  const { result, mostTopics = 5, notes = [] } = report;
  sink.write(`${paintTone(gatePassed(report) ? 'better' : 'worse', visible(headline(report)))}\n`);
  if (report.verdict !== undefined) sink.write(`  ${visible(verdictWords(report.verdict).line)}\n`);
  for (const { name, passed, message } of gateFindings(report)) {
    sink.write(`  ${passed ? paintTone('better', 'ok  ') : paintTone('worse', 'FAIL')} ${visible(name)}: ${visible(message)}\n`);
  }
  for (const measure of result.measures) {
    // who passes need not know where it hurts, unless the mean fell
    if (measure.fallen.length === 0 || (measure.passed && !measure.tooLarge)) continue;
    sink.write(`\n${visible(fallenTitle(measure, mostTopics))}\n`);
    writeGrid('table', fallenGrid(measure, mostTopics), sink, look);
  }
  for (const note of notes) sink.write(`\n${visible(`Note: ${note}.`)}\n`);
  sink.write(`\n${visible(ruleText(result))}\n`);
}

function fallenTitle({ measure, fallen, topics }: GatedMeasure, most: number): string {
  const shown = fallen.length > most ? `, the ${most} that fell most` : '';
  return `${measure} is worse on ${fallen.length} of ${topics} topics${shown}:`;
}

function fallenGrid({ fallen }: GatedMeasure, most: number): Grid {
  return {
    columns: [
      { name: 'topic' },
      { name: 'baseline', numeric: true },
      { name: 'candidate', numeric: true },
      { name: 'drop', numeric: true },
    ],
    *rows() {
      for (const { topic, baseline, candidate, drop } of fallen.slice(0, most)) {
        yield [topic, formatFixed(baseline, DIGITS), formatFixed(candidate, DIGITS), formatFixed(drop, DIGITS)];
      }
    },
  };
}

/** For the summary of a job. */
export function writeGateMarkdown(report: GateReport, sink: TextSink): void {
  const { result, mostTopics = 5, notes = [] } = report;
  sink.write(`## ${markdownText(headline(report))}\n\n`);
  if (report.verdict !== undefined) sink.write(`${markdownText(verdictWords(report.verdict).line)}.\n\n`);
  writeGrid('md', findingGrid(report), sink);
  for (const measure of result.measures) {
    if (measure.fallen.length === 0) continue;
    sink.write(`\n### ${markdownText(fallenTitle(measure, mostTopics).replace(/:$/, ''))}\n\n`);
    writeGrid('md', fallenGrid(measure, mostTopics), sink);
  }
  for (const note of notes) sink.write(`\n${markdownText(`Note: ${note}.`)}\n`);
  sink.write(`\n${markdownText(ruleText(result))}\n`);
}

function findingGrid(report: GateReport): Grid {
  return {
    columns: [{ name: 'check' }, { name: 'result' }, { name: 'what was found' }],
    *rows() {
      for (const { name, passed, message } of gateFindings(report)) yield [name, passed ? 'ok' : 'FAIL', message];
    },
  };
}

/** For servers that collect the results of tests: a test case per check. */
export function writeGateJunit(report: GateReport, sink: TextSink): void {
  const findings = gateFindings(report);
  const failures = findings.filter(({ passed }) => !passed).length;
  const suite = xmlText(`gradus gate: ${report.result.candidate} against ${report.result.baseline}`);
  sink.write('<?xml version="1.0" encoding="UTF-8"?>\n');
  sink.write(`<testsuites tests="${findings.length}" failures="${failures}">\n`);
  sink.write(`  <testsuite name="${suite}" tests="${findings.length}" failures="${failures}" errors="0" skipped="0">\n`);
  for (const { name, passed, message } of findings) {
    const open = `    <testcase classname="gradus.gate" name="${xmlText(name)}"`;
    if (passed) sink.write(`${open}>\n      <system-out>${xmlText(message)}</system-out>\n    </testcase>\n`);
    else {
      const { fallen = [] } = report.result.measures.find(({ measure }) => measure === name) ?? {};
      const topics = fallen
        .slice(0, report.mostTopics ?? 5)
        .map(({ topic, drop }) => `\ntopic ${topic} fell by ${formatFixed(drop, DIGITS)}`)
        .join('');
      sink.write(`${open}>\n      <failure message="${xmlText(message)}">${xmlText(message + topics)}</failure>\n    </testcase>\n`);
    }
  }
  sink.write('  </testsuite>\n</testsuites>\n');
}

const xmlSpecials: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text that is safe in elements and attributes. Most control characters and lone surrogates cannot stand in XML at all. */
function xmlText(text: string): string {
  const lines = text.split('\n').map(visible).join('\n');
  return lines.replace(/[&<>"']/g, (c) => xmlSpecials[c]).replace(/\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd');
}

/** Everything, for scripts. */
export function gateJson(report: GateReport): Record<string, unknown> {
  const { baseline, candidate, maxDrop, maxTopicDrop, numGuarded, numWeighted, minTopics, strict, measures, comparison } = report.result;
  const { test, correction, alpha, seed, resamples } = comparison;
  return {
    passed: gatePassed(report),
    baseline,
    candidate,
    rule: { maxDrop, maxTopicDrop, numGuarded, numWeighted, alpha, test, correction, strict, minTopics, seed, resamples },
    checks: gateFindings(report),
    measures,
    unjudged: report.unjudged ?? null,
    verdict: report.verdict === undefined ? null : { ...report.verdict, sentence: verdictWords(report.verdict).line },
    notes: report.notes ?? [],
  };
}
