import { type ExperimentRequest, ExperimentResult, scoreExperiment } from '../experiment/experiment.js';
import type { ReportRequest } from '../experiment/report.js';
import type { Report } from '../report/model.js';
import { nodePlatform } from './platform.js';

/** Scores runs against judgements, to look at, compare and report. Names are paths of files, and `-` is standard input:
 *
 *      const result = await experiment({ judgements: 'qrels.txt', runs: ['a.run', 'b.run'], measures: 'nDCG@10 AP' });
 *      result.table.means();
 *      await result.compare({ baseline: 'a' });
 *      await result.report('out.html');
 */
export async function experiment(request: ExperimentRequest): Promise<FileExperiment> {
  return new FileExperiment(request, await scoreExperiment(request, nodePlatform));
}

/** What came out of an experiment with files. */
export class FileExperiment extends ExperimentResult {
  private readonly request: ExperimentRequest;

  constructor(request: ExperimentRequest, scored: ExperimentResult['scored']) {
    super(scored, nodePlatform);
    this.request = request;
  }

  /** Writes a report on the same files, which it reads again for its curves; what the name ends in says which form it has: .html, .md,
   *  .txt, .tex, .csv, .json or .pdf. */
  async report(path: string, options: Omit<ReportRequest, keyof ExperimentRequest> = {}): Promise<Report> {
    const [{ reportExperiment }, { saveReport }] = await Promise.all([
      import('../experiment/report.js'),
      import('./output/save-report.js'),
    ]);
    const report = await reportExperiment({ ...this.request, ...options }, nodePlatform);
    await saveReport(report, path);
    return report;
  }
}
