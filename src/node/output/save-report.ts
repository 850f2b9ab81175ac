import { dirname, join } from 'node:path';
import { InputError } from '../../core/problem.js';
import type { TableLook, TextSink } from '../../report/grid.js';
import type { Report } from '../../report/model.js';
import type { ChartFile } from '../../report/write-report.js';
import type { FigureForm } from './figures.js';
import { writeOutputFile, writeWholeFile, writeWholeFiles } from './output-file.js';
import { findPlace } from './output-place.js';

type Environment = Readonly<Record<string, string | undefined>>;

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
 *  @param form What is written; by default what the ending of the name says.
 *  @param figures Forms in which the figures are written besides, into a folder beside the report. */
export async function saveReport(
  report: Report,
  path: string,
  form: string = formOfEnding[/\.([a-z]+)$/i.exec(path)?.[1].toLowerCase() ?? ''] ?? '',
  environment: Environment = process.env,
  figures: readonly FigureForm[] = [],
): Promise<void> {
  if (!reportForms.includes(form)) {
    const endings = Object.keys(formOfEnding).map((ending) => `.${ending}`);
    throw new InputError({ source: path, message: 'the name does not say what to write', wayOut: `end it in ${endings.join(', ')}` });
  }
  // a pipe or a device has no place beside it
  const isFile = findPlace(path).kind === 'file';
  if (figures.length > 0 && !isFile) {
    throw new InputError({ source: path, message: 'it has no folder beside it for the figures', wayOut: 'name a file with -o' });
  }
  if (form === 'md' && isFile) await saveIllustrated(report, path, figures, environment);
  else if (figures.length > 0) await saveWithFigures(report, path, form, figures, environment);
  else if (form === 'pdf' || form === 'html') writeWholeFile(path, await pageBytes(report, form, environment));
  else {
    const write = await reportWriter(form);
    await writeOutputFile(path, (writer) => write(report, writer));
  }
}

/** A page, or what is printed of it. */
async function pageBytes(report: Report, form: 'html' | 'pdf', environment: Environment): Promise<Uint8Array> {
  const page = await reportPage(report, form === 'html');
  if (form === 'html') return new TextEncoder().encode(page);
  const { printToPdf } = await import('./pdf.js');
  return await printToPdf(page, environment);
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

/** What a phone shows beside its margins, in pixels. */
const PHONE_WIDTH = 343;

/** Pictures that are read before anything is opened. */
function isOnFirstPage(id: string): boolean {
  return /^(verdict|leaderboard|deciding-topics)/.test(id);
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
  const charts = reportCharts(report).map((chart) => {
    const draw = (width?: number): string => svgMarkup(chart.draw({ document, width }));
    return { chart, svg: draw(), narrow: isOnFirstPage(chart.id) ? draw(PHONE_WIDTH) : undefined };
  });
  return await htmlReport(report, isLive ? { charts, bundle: reportBundle() } : { charts, isOpen: true });
}

/** Markdown, with its pictures as SVG files in a folder beside it; other forms of them lie there too if they are asked for. */
async function saveIllustrated(report: Report, path: string, figures: readonly FigureForm[], environment: Environment): Promise<void> {
  const [{ reportCharts }, { FigureWriter }, { writeIllustrated }, { writeMarkdownReport }] = await Promise.all([
    import('./drawing.js'),
    import('./figures.js'),
    import('./illustrated.js'),
    import('../../report/write-report.js'),
  ]);
  const charts = reportCharts(report);
  const pictures = await (await FigureWriter.create(environment)).charts(charts, [...new Set<FigureForm>(['svg', ...figures])]);
  writeIllustrated(path, pictures, (files) => {
    const parts: string[] = [];
    const drawn = files.filter((file) => file.endsWith('.svg'));
    const places = charts.map(({ id, title }, i): ChartFile => ({ id, title, file: drawn[i] }));
    writeMarkdownReport(report, { write: (text) => void parts.push(text) }, places);
    return parts.join('');
  });
}

/** A report with its figures in a folder beside it: all files appear, or none. */
async function saveWithFigures(
  report: Report,
  path: string,
  form: string,
  figures: readonly FigureForm[],
  environment: Environment,
): Promise<void> {
  const [{ reportCharts }, { FigureWriter }, { folderFor }] = await Promise.all([
    import('./drawing.js'),
    import('./figures.js'),
    import('./illustrated.js'),
  ]);
  const folder = join(dirname(path), folderFor(path));
  const drawn = await (await FigureWriter.create(environment)).charts(reportCharts(report), figures);
  const parts: string[] = [];
  if (form !== 'html' && form !== 'pdf') (await reportWriter(form))(report, { write: (text) => void parts.push(text) });
  const content = form === 'html' || form === 'pdf' ? await pageBytes(report, form, environment) : new TextEncoder().encode(parts.join(''));
  writeWholeFiles([...drawn.map(({ name, content: own }) => ({ path: join(folder, name), content: own })), { path, content }], folder);
}
