import { type Block, type ChartPlace, oneLine, reportBlocks } from '../blocks.js';
import type { TextSink } from '../grid.js';
import type { ComparisonReport, Report } from '../model.js';
import { gridOf } from '../tables.js';
import { writeLatexGrid } from './grid-table.js';
import { paperTable } from './paper-table.js';
import { breakableText, proseText } from './text.js';
import { type LatexTableOptions, writePaperTable } from './write-table.js';

/** A picture in a file beside the document: TikZ, or PDF. */
export interface LatexFigure extends ChartPlace {
  /** Its address from where the document is. */
  readonly file: string;
}

/** How a report is written as a document. */
export interface LatexReportOptions extends Pick<LatexTableOptions, 'siunitx'> {
  /** Pictures that stand in files beside the document; without them it has tables only. */
  readonly figures?: readonly LatexFigure[] | undefined;
}

const DIGITS = 4;

/** A document that LaTeX sets as it is. pdfLaTeX knows the letters of Europe, LuaLaTeX all others too. */
export function writeLatexReport(report: Report, sink: TextSink, { siunitx = false, figures = [] }: LatexReportOptions = {}): void {
  sink.write(`\\documentclass[a4paper]{article}
\\usepackage{iftex}
\\ifPDFTeX\\usepackage[T1]{fontenc}\\usepackage{textcomp}\\else\\usepackage{fontspec}\\fi
\\usepackage[margin=20mm]{geometry}
\\usepackage{booktabs,longtable,caption${siunitx ? ',siunitx' : ''}}
`);
  if (figures.some(({ file }) => file.endsWith('.tex'))) sink.write('\\usepackage{tikz}\n');
  if (figures.some(({ file }) => file.endsWith('.pdf'))) sink.write('\\usepackage{graphicx}\n');
  sink.write('\\begin{document}\n\\sloppy\n');
  const fileOf = new Map(figures.map(({ id, file }) => [id, file]));
  for (const block of reportBlocks(report, figures)) writeBlock(block, report, fileOf, siunitx, sink);
  sink.write('\\end{document}\n');
}

function writeBlock(block: Block, report: Report, fileOf: ReadonlyMap<string, string>, siunitx: boolean, sink: TextSink): void {
  if (block.kind === 'title') sink.write(`\\section*{${breakableText(oneLine(block.text))}}\n`);
  else if (block.kind === 'heading') sink.write(`\\subsection*{${breakableText(block.text)}}\n`);
  else if (block.kind === 'paragraph') sink.write(`${proseText(oneLine(block.text))}\n\n`);
  else if (block.kind === 'command') sink.write(`\\texttt{${breakableText(oneLine(block.text))}}\n\n`);
  else if (block.kind === 'verdict') {
    const { heading, detail, caveats } = block.words;
    sink.write(`\\textbf{${breakableText(oneLine(heading))}} ${proseText(oneLine(detail))}\n\n`);
    if (caveats.length === 0) return;
    const items = caveats.map(({ title, text }) => `\\item \\textbf{${proseText(title)}} ${proseText(oneLine(text))}\n`);
    sink.write(`\\begin{itemize}\n${items.join('')}\\end{itemize}\n`);
  } else if (block.kind === 'facts') {
    const items = block.facts.map(({ name, value }) => `\\item ${breakableText(oneLine(name))}: ${breakableText(oneLine(value))}\n`);
    sink.write(`\\begin{itemize}\n${items.join('')}\\end{itemize}\n`);
  } else if (block.kind === 'chart') {
    const file = fileOf.get(block.chart.id) ?? '';
    const picture = file.endsWith('.pdf') ? `\\includegraphics[width=\\linewidth]{${file}}` : `\\input{${file}}`;
    sink.write(`\\begin{figure}[htbp]\n\\centering\n${picture}\n\\caption{${breakableText(oneLine(block.chart.title))}}\n\\end{figure}\n`);
  } else if (report.kind === 'comparison' && block.table.id === 'systems') {
    writePaperTable(mainTable(report), sink, { siunitx });
    sink.write('\n');
  } else {
    const { title, caption } = block.table;
    const words = [
      ...(block.isTitled ? [`\\textbf{${breakableText(oneLine(title))}}`] : []),
      ...(caption === null ? [] : [proseText(oneLine(caption))]),
    ];
    writeLatexGrid(gridOf(block.table), words.join(' '), sink, 'here');
    sink.write('\n');
  }
}

/** The systems of a report, best first. */
function mainTable({ systems, measures, test }: ComparisonReport): ReturnType<typeof paperTable> {
  const { order } = measures[0];
  const placeOf = new Map(order.map((s, place) => [s, place]));
  return paperTable({
    systems: order.map((s) => systems[s]),
    measures: measures.map(({ name, direction, systems: own }) => ({
      name,
      direction,
      digits: DIGITS,
      means: order.map((s) => own[s].mean),
      better: order.map((s) => own[s].better.map((other) => placeOf.get(other) ?? 0)),
    })),
    numTopics: measures[0].numTopics,
    tested: systems.length === 1 ? null : test,
  });
}
