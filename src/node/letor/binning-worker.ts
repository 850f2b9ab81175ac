import { systemReason } from '../terminal.js';
import { type BinningTask, EdgeFinder, factsOfPart, PartBinner, type Survey, surveyPart } from './binning.js';
import { giveUp, isTurnOf, type NumberedParts, type PartControl, PartParser, partControl } from './letor-file-parts.js';
import type { PartAnswer } from './letor-worker.js';

/** What a team of threads calls: takes parts of the work until none is left. */
export function work(task: BinningTask, number: number): PartAnswer {
  const control = partControl(task.control);
  try {
    if (task.job.kind === 'survey') return { parts: surveyParts(task, task.job.survey, control), failure: undefined };
    performParts(task, number);
    return { parts: [], failure: undefined };
  } catch (error) {
    giveUp(control);
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return { parts: [], failure: systemReason(error) };
  }
}

/** The parts of work of which none waits for another; the thread that began it takes part in it too. */
export function performParts({ source, options, control: words, job }: BinningTask, number: number): void {
  const { parts } = partControl(words);
  if (job.kind === 'edges') {
    const finder = new EdgeFinder(job.sample, job.target, job.maxValueBins);
    parts.takeEach((feature) => finder.find(feature));
  } else if (job.kind === 'bins') {
    const parser = new PartParser(source, options);
    const binner = new PartBinner(job.target, number);
    parts.takeEach((part) => binner.bin(part, parser.parse(part)));
  }
}

function surveyParts({ source, options }: BinningTask, survey: Survey, control: PartControl): NumberedParts {
  const kept: NumberedParts = [];
  const parser = new PartParser(source, options);
  control.parts.takeEach((part) => {
    const lines = parser.parse(part);
    const facts = factsOfPart(lines, survey);
    while (!isTurnOf(part, control));
    kept.push([part, surveyPart(part, lines, facts, survey, control)]);
  });
  return kept;
}
