import { InputError } from '../../core/problem.js';
import type { ReportChart } from '../../report/charts/gallery.js';
import type { LinePicture } from '../../report/charts/lines.js';
import { writeWholeFiles } from './output-file.js';

/** The forms in which a figure can be written. */
export type FigureForm = 'svg' | 'tikz' | 'pdf';

/** The forms in which a figure can be written, the usual one first. */
export const figureForms: readonly FigureForm[] = ['svg', 'tikz', 'pdf'];

const endings: Readonly<Record<FigureForm, string>> = { svg: 'svg', tikz: 'tex', pdf: 'pdf' };

type Environment = Readonly<Record<string, string | undefined>>;

/** What turns drawings into files of a form. */
export class FigureWriter {
  private readonly drawing: typeof import('./drawing.js');
  private readonly document: Document;
  private readonly environment: Environment;

  private constructor(drawing: typeof import('./drawing.js'), environment: Environment) {
    this.drawing = drawing;
    this.document = drawing.createDocument();
    this.environment = environment;
  }

  /** @param environment Where to look for the browser that prints PDFs. */
  static async create(environment: Environment = process.env): Promise<FigureWriter> {
    return new FigureWriter(await import('./drawing.js'), environment);
  }

  /** The charts of a report in each of the forms: names of files, and what goes into them. */
  async charts(charts: readonly ReportChart[], forms: readonly FigureForm[]): Promise<{ name: string; content: Uint8Array }[]> {
    const files: { name: string; content: Uint8Array }[] = [];
    for (const chart of charts) {
      const svg = chart.draw({ document: this.document });
      for (const form of forms) files.push({ name: `${chart.id}.${endings[form]}`, content: await this.content(svg, form) });
    }
    return files;
  }

  async lines(picture: LinePicture, form: FigureForm): Promise<Uint8Array> {
    return await this.content(this.drawing.lineChart(picture, { document: this.document }), form);
  }

  private async content(svg: SVGSVGElement, form: FigureForm): Promise<Uint8Array> {
    if (form === 'pdf') {
      const { printToPdf } = await import('./pdf.js');
      return await printToPdf(this.page(svg), this.environment);
    }
    return new TextEncoder().encode(form === 'tikz' ? this.drawing.tikzPicture(svg) : this.drawing.svgFile(svg));
  }

  /** A page as large as the drawing, for a browser to print. */
  private page(svg: SVGSVGElement): string {
    const [width, height] = ['width', 'height'].map((name) => Number(svg.getAttribute(name)));
    const style = `@page { size: ${width}px ${height}px; margin: 0 } body { margin: 0 } svg { display: block }`;
    return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${this.drawing.svgMarkup(svg)}</body></html>`;
  }
}

/** Draws line charts to files, as SVG, TikZ or PDF by their ending: the first to `path`, the others beside it with a number in their
 *  names. All files appear, or none. */
export async function saveLineCharts(path: string, pictures: readonly LinePicture[], environment?: Environment): Promise<void> {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  const form = figureForms.find((one) => endings[one] === (ending ?? 'svg'));
  if (form === undefined) {
    throw new InputError({ source: path, message: `.${ending} files cannot be drawn`, wayOut: 'end the name in .svg, .tex or .pdf' });
  }
  const writer = await FigureWriter.create(environment);
  const stem = ending === undefined ? path : path.slice(0, -ending.length - 1);
  const files: { path: string; content: Uint8Array }[] = [];
  for (const [i, picture] of pictures.entries()) {
    files.push({ path: i === 0 ? path : `${stem}-${i + 1}.${endings[form]}`, content: await writer.lines(picture, form) });
  }
  writeWholeFiles(files);
}
