import { type Block, oneLine, reportBlocks } from './blocks.js';
import type { ReportChart } from './charts/gallery.js';
import { visible } from './grid.js';
import { htmlStyle } from './html-style.js';
import type { Report, ReportCell, ReportTable } from './model.js';
import { cellText } from './tables.js';
import type { VerdictWords } from './verdict/words.js';

/** The components of the browser app, built to stand inside a report. */
export interface ReportBundle {
  readonly script: string;
  readonly style: string;
}

/** What goes into a page besides the report itself. */
export interface HtmlOptions {
  /** Pictures of the report with their drawings. */
  readonly charts: readonly {
    readonly chart: Pick<ReportChart, 'id' | 'title'>;
    readonly svg: string;
    /** The same for narrow screens, where the wide one could not be read. */
    readonly narrow?: string | undefined;
  }[];
  /** Whether the details are open, as for printing. */
  readonly isOpen?: boolean | undefined;
  /** Makes tables sortable and pictures downloadable. Without it, or without JavaScript, the page is complete all the same. */
  readonly bundle?: ReportBundle | undefined;
}

/** Tables of so few rows are not broken across pages. */
const SHORT_TABLE = 25;
/** How many letters of tables a line has room for on paper, and what separates two columns. */
const LETTERS_ON_PAPER = 104;
const BETWEEN_COLUMNS = 2;
/** With more systems, the summary takes more than a page. */
const MOST_ON_PAGE_ONE = 14;

/** A page that needs nothing but itself: no network, nothing that runs except the bundle, whose hash its policy names.
 *
 *  `#gradus-report` holds the model, `#gradus-app` is where the bundle may put its components, and `#gradus-static` has the details as they
 *  stand here: hidden by `body.gradus-live` on screens, and always what is printed. The answer before them, `#gradus-summary`, stays. */
export async function htmlReport(report: Report, { charts, bundle, isOpen = false }: HtmlOptions): Promise<string> {
  const drawings = new Map(charts.map(({ chart, svg, narrow }) => [chart.id, drawingMarkup(svg, narrow)]));
  const blocks = reportBlocks(
    report,
    charts.map(({ chart }) => chart),
  );
  const style = insideStyle(bundle === undefined ? htmlStyle : `${bundle.style}\n${htmlStyle}`);
  const script = bundle === undefined ? undefined : insideScript(bundle.script);
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(style)}'`,
    script === undefined ? "script-src 'none'" : `script-src '${await hashOf(script)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const title = htmlText(oneLine(report.title));
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<meta name="generator" content="${htmlText(report.provenance.program)}">`,
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main id="gradus-main">',
    ...pageParts(blocks, drawings, { isOpen, isLong: 'systems' in report && report.systems.length > MOST_ON_PAGE_ONE }),
    '</main>',
    ...(script === undefined
      ? []
      : [
          `<script type="application/json" id="gradus-report">${jsonInScript(report)}</script>`,
          `<script type="module">${script}</script>`,
        ]),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A drawing, or two of which the width of the screen chooses one. */
function drawingMarkup(svg: string, narrow: string | undefined): string {
  return narrow === undefined ? svg : `<div class="wide">${svg}</div><div class="narrow" aria-hidden="true">${narrow}</div>`;
}

/** The page from its blocks: the summary is always there and stays where it is; what the components of the app show as well is hidden
 *  when they are there, except in print. */
function pageParts(
  blocks: readonly Block[],
  drawings: ReadonlyMap<string, string>,
  { isOpen, isLong }: { readonly isOpen: boolean; readonly isLong: boolean },
): string[] {
  const parts: string[] = [];
  const verdict = blocks.find((block) => block.kind === 'verdict');
  const firstDetail = blocks.findIndex((block) => block.kind === 'heading' && (verdict === undefined || block.isDetail));
  const end = firstDetail < 0 ? blocks.length : firstDetail;
  const summary = blocks.slice(0, end);
  const details = blocks.slice(end);
  const headings = details.flatMap((block) => (block.kind === 'heading' ? [block.text] : []));
  parts.push('<div id="gradus-summary">', ...sections(summary, drawings, { isOpen: true, finding: verdict?.words }), '</div>');
  parts.push('<div id="gradus-app"></div>');
  parts.push(
    `<div id="gradus-static"${isLong ? ' class="follows"' : ''}>`,
    contents(headings),
    ...sections(details, drawings, { isOpen }),
    '</div>',
  );
  return parts;
}

interface SectionLook {
  readonly isOpen: boolean;
  /** The answer, which is the heading of a page that has one. */
  readonly finding?: VerdictWords | undefined;
}

function sections(blocks: readonly Block[], drawings: ReadonlyMap<string, string>, { isOpen, finding }: SectionLook): string[] {
  const parts: string[] = [];
  let close: string | undefined;
  for (const block of blocks) {
    if (block.kind === 'title') {
      const title = htmlText(oneLine(block.text));
      parts.push(finding === undefined ? `<h1>${title}</h1>` : `<p class="about">${title}</p>`);
    } else if (block.kind === 'verdict') parts.push(...verdictMarkup(block.words));
    else if (block.kind === 'heading') {
      if (close !== undefined) parts.push(close);
      const id = anchor(block.text);
      const heading = `<h2>${htmlText(block.text)}</h2>`;
      // what is folded is not drawn until somebody opens it, and is all there in print
      parts.push(
        block.isDetail ? `<details id="${id}"${isOpen ? ' open' : ''}><summary>${heading}</summary>` : `<section id="${id}">${heading}`,
      );
      close = block.isDetail ? '</details>' : '</section>';
    } else if (block.kind === 'paragraph') parts.push(`<p>${htmlText(block.text)}</p>`);
    else if (block.kind === 'command') parts.push(`<pre class="command">${htmlText(block.text)}</pre>`);
    else if (block.kind === 'facts') {
      parts.push('<dl>', ...block.facts.map(({ name, value }) => `<dt>${htmlText(name)}</dt><dd>${htmlText(value)}</dd>`), '</dl>');
    } else if (block.kind === 'chart') {
      const { id, title } = block.chart;
      parts.push(`<figure id="chart-${id}">`, drawings.get(id) ?? '', `<figcaption>${htmlText(title)}</figcaption>`, '</figure>');
    } else parts.push(tableMarkup(block.table, block.isTitled));
  }
  if (close !== undefined) parts.push(close);
  return parts;
}

function verdictMarkup({ state, sign, heading, detail, caveats }: VerdictWords): string[] {
  const tone = { '●': 'good', '=': 'info', '△': 'warn' }[sign] ?? 'neutral';
  return [
    `<p class="state ${tone}"><span aria-hidden="true">${sign}</span> ${htmlText(state)}</p>`,
    `<h1>${htmlText(oneLine(heading))}</h1>`,
    `<p class="detail">${htmlText(oneLine(detail))}</p>`,
    ...(caveats.length === 0
      ? []
      : [
          '<ul class="caveats">',
          ...caveats.map(
            ({ isWarning, title, text }) =>
              `<li class="${isWarning ? 'warn' : 'good'}"><strong>${isWarning ? '! ' : '✓ '}${htmlText(title)}</strong> ${htmlText(oneLine(text))}</li>`,
          ),
          '</ul>',
        ]),
  ];
}

function contents(headings: readonly string[]): string {
  return `<nav aria-label="Contents"><ul>${headings.map((heading) => `<li><a href="#${anchor(heading)}">${htmlText(heading)}</a></li>`).join('')}</ul></nav>`;
}

function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function tableMarkup(table: ReportTable, isTitled: boolean): string {
  const { id, title, caption, columns, rows, links } = table;
  const head = columns.map(({ name, kind }) => `<th scope="col"${kind === 'number' ? ' class="n"' : ''}>${htmlText(name)}</th>`).join('');
  const whole = fitsPaper(table) ? ' class="whole"' : '';
  const cell = (value: ReportCell, c: number, address: string | null): string => {
    const raised = typeof value === 'object' && value !== null && value.marks !== '' ? `<sup>${htmlText(value.marks)}</sup>` : '';
    const words = `${htmlText(cellText(value, columns[c]))}${raised}`;
    const text = address === null ? words : `<a href="${htmlText(address)}" rel="noopener noreferrer">${words || htmlText(address)}</a>`;
    return columns[c].kind === 'number' ? `<td class="n">${text}</td>` : `<td${whole}>${text}</td>`;
  };
  const addressOf = (r: number, c: number): string | null => (links?.column === c ? links.addresses[r] : null);
  const body = rows.map((row, r) => `<tr>${row.map((value, c) => cell(value, c, addressOf(r, c))).join('')}</tr>`).join('\n');
  const name = isTitled ? `<strong>${htmlText(title)}</strong>` : '';
  const words = isTitled || caption !== null ? `<caption>${name} ${htmlText(caption ?? '')}</caption>` : '';
  const short = rows.length <= SHORT_TABLE ? ' short' : '';
  return `<div class="table${short}" role="region" aria-label="${htmlText(title)}" tabindex="0"><table id="table-${id}">${words}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Whether every cell of a table fits into one line on paper. */
function fitsPaper({ columns, rows }: ReportTable): boolean {
  const widths = columns.map((column, c) => {
    const longestWord = Math.max(...column.name.split(' ').map(({ length }) => length));
    return rows.reduce((most, row) => Math.max(most, cellText(row[c], column).length), longestWord) + BETWEEN_COLUMNS;
  });
  return widths.reduce((sum, width) => sum + width, 0) <= LETTERS_ON_PAPER;
}

/** Text in which a browser finds no markup, inside elements and inside attributes. */
export function htmlText(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** JSON cannot end the element it stands in. */
function jsonInScript(report: Report): string {
  return JSON.stringify(report).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Text that would end the element, or start a comment in it, is spelled so that it means the same to the program and nothing here. */
function insideScript(script: string): string {
  return script.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
}

function insideStyle(style: string): string {
  return style.replace(/<\/(style)/gi, '<\\/$1');
}

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
