import { InputError } from '../../core/problem.js';
import type { TableLook, TextSink } from '../../report/grid.js';
import type { Report } from '../../report/model.js';
import type { ChartFile } from '../../report/write-report.js';
import { writeOutputFile, writeWholeFile } from './output-file.js';
import { findPlace } from './output-place.js';

/** The forms in which a report can be written. */
export const reportForms: readonly string[] = ['html', 'md', 'text', 'latex', 'csv', 'json', 'pdf'];

const formOfEnding: Readonly<Record<string, string>> = {
  html: 'html',
  htm: 'html',
  md: 'md',
  markdown: 'md',
  txt: 'text',
  tex: 'latex',
  csv: 'csv',
  json: 'json',
  pdf: 'pdf',
};

/** Writes a report to a file, which appears when it is complete; Markdown has its pictures in a folder beside it.
 *  @param form What is written; by default what the ending of the name says. */
export async function saveReport(
  report: Report,
  path: string,
  form: string = formOfEnding[/\.([a-z]+)$/i.exec(path)?.[1].toLowerCase() ?? ''] ?? '',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  if (!reportForms.includes(form)) {
    const endings = Object.keys(formOfEnding).map((ending) => `.${ending}`);
    throw new InputError({ source: path, message: 'the name does not say what to write', wayOut: `end it in ${endings.join(', ')}` });
  }
  // a pipe or a device has no place beside it
  if (form === 'md' && findPlace(path).kind === 'file') await saveIllustrated(report, path);
  else if (form === 'pdf') {
    const { printToPdf } = await import('./pdf.js');
    writeWholeFile(path, await printToPdf(await reportPage(report, false), environment));
  } else if (form === 'html') {
    const page = await reportPage(report, true);
    await writeOutputFile(path, (writer) => writer.write(page));
  } else {
    const write = await reportWriter(form);
    await writeOutputFile(path, (writer) => write(report, writer));
  }
}

/** What writes a report in one of the forms that are text.
 *  @param look How tables look on a terminal. */
export async function reportWriter(form: string, look?: TableLook): Promise<(report: Report, sink: TextSink) => void> {
  const { writeCsvReport, writeJsonReport, writeMarkdownReport, writeTextReport } = await import('../../report/write-report.js');
  switch (form) {
    case 'md':
      return (report, sink) => writeMarkdownReport(report, sink);
    case 'latex': {
      const { writeLatexReport } = await import('../../report/latex/report.js');
      return (report, sink) => writeLatexReport(report, sink);
    }
    case 'csv':
      return writeCsvReport;
    case 'json':
      return writeJsonReport;
    default:
      return (report, sink) => writeTextReport(report, sink, look);
  }
}

/** A report as one page that needs nothing else.
 *  @param isLive With the components that answer to a reader; without them it is for printing. */
export async function reportPage(report: Report, isLive: boolean): Promise<string> {
  const [{ htmlReport }, { createDocument, reportCharts, svgMarkup }, { reportBundle }] = await Promise.all([
    import('../../report/html.js'),
    import('./drawing.js'),
    import('../app-files.js'),
  ]);
  const document = createDocument();
  const charts = reportCharts(report).map((chart) => ({ chart, svg: svgMarkup(chart.draw({ document })) }));
  return await htmlReport(report, isLive ? { charts, bundle: reportBundle() } : { charts });
}

/** Markdown, with its pictures as SVG files in a folder beside it. */
async function saveIllustrated(report: Report, path: string): Promise<void> {
  const [{ createDocument, reportCharts, svgFile }, { writeIllustrated }, { writeMarkdownReport }] = await Promise.all([
    import('./drawing.js'),
    import('./illustrated.js'),
    import('../../report/write-report.js'),
  ]);
  const document = createDocument();
  const charts = reportCharts(report);
  const pictures = charts.map((chart) => ({ name: `${chart.id}.svg`, content: svgFile(chart.draw({ document })) }));
  writeIllustrated(path, pictures, (files) => {
    const parts: string[] = [];
    const places = charts.map(({ id, title }, i): ChartFile => ({ id, title, file: files[i] }));
    writeMarkdownReport(report, { write: (text) => void parts.push(text) }, places);
    return parts.join('');
  });
}
