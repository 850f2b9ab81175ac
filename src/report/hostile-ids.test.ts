import { parseHTML } from 'linkedom';
import { beforeAll, describe, expect, test } from 'vitest';
import { comparisonExample, trecExample } from '../../test/helpers/report-examples.js';
import { reportCharts, svgFile, svgMarkup } from './charts/index.js';
import { htmlReport } from './html.js';
import { writeLatexReport } from './latex/report.js';
import type { Report } from './model.js';
import { writeCsvReport, writeJsonReport, writeMarkdownReport, writeTextReport } from './write-report.js';

const systems = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'onload='alert(1)",
  '=HYPERLINK("http://x","y")',
  '\x1b[31mred\x07',
  '\\input{/etc/passwd}$x_1$ & 50% #~^',
  '</script><!--<style>*{display:none}</style>',
  '[click](javascript:alert(1)) | *b* `c`',
];
const topics = ['<b>1</b>', '@SUM(A1)', '+1+1', ']]>&lt;'];

/** Control characters except tabs and line ends. */
const controls = new RegExp(`[${String.fromCharCode(0)}-${String.fromCharCode(8, 11, 12, 14)}-${String.fromCharCode(31, 127)}]`);

/** What an output makes of a report. */
function printed(report: Report, write: (report: Report, sink: { write(text: string): void }) => void): string {
  let text = '';
  write(report, { write: (part) => (text += part) });
  return text;
}

describe.each([
  ['TREC', () => trecExample(systems, topics)],
  ['comparison', () => comparisonExample(systems, topics)],
] as const)('hostile names in a %s report', (_, make) => {
  let report: Report;
  beforeAll(() => {
    report = make();
  });

  test('stay text in HTML', async () => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>');
    const charts = reportCharts(report).map((chart) => ({ chart, svg: svgMarkup(chart.draw({ document })) }));
    const page = await htmlReport(report, {
      charts,
      bundle: { script: 'const bundled = "</script>";', style: 'p { color: red } /* </style> */' },
    });
    const parsed = parseHTML(page).document;
    // ours, and no others: the model and the bundle
    expect(parsed.querySelectorAll('script').length).toBe(2);
    expect(parsed.querySelectorAll('style').length).toBe(1);
    expect(parsed.querySelectorAll('img, b, iframe, object, a[href^="javascript"]').length).toBe(0);
    const handlers = Array.from(parsed.querySelectorAll('*')).flatMap((element) =>
      Array.from(element.attributes).filter(({ name }) => /^on/i.test(name)),
    );
    expect(handlers).toEqual([]);
    expect(parsed.body.textContent).toContain('<script>alert(1)</script>');
    expect(page).not.toMatch(controls);
    const data = /<script type="application\/json" id="gradus-report">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    expect(data).not.toContain('<');
    expect(JSON.parse(data)).toEqual(report);
    expect(page).toContain('const bundled = "<\\/script>";');
  });

  test('stay text in SVG', () => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>');
    for (const chart of reportCharts(report)) {
      const file = svgFile(chart.draw({ document }));
      expect(file).not.toMatch(/<(script|img|b|style>\*)/);
      expect(file).not.toMatch(controls);
      const parsed = parseHTML(`<html><body>${file.replace(/^<\?xml[^>]*\?>/, '')}</body></html>`).document;
      const handlers = Array.from(parsed.querySelectorAll('*')).flatMap((element) =>
        Array.from(element.attributes).filter(({ name }) => /^on/i.test(name)),
      );
      expect(handlers).toEqual([]);
      expect(parsed.querySelectorAll('script, img, foreignObject').length).toBe(0);
      // a reader of XML must not stumble either
      expect(file.replace(/&(amp|lt|gt|quot|apos|nbsp|#\d+);/g, '')).not.toContain('&');
      expect(file).not.toContain('&nbsp;');
      expect(chart.id).toMatch(/^[a-z0-9-]+$/);
    }
  });

  test('start no formula in CSV, and every row has its five fields', () => {
    const text = printed(report, writeCsvReport);
    for (const row of csvRows(text)) {
      expect(row.length).toBe(5);
      for (const field of row.slice(0, 4)) expect(field).not.toMatch(/^[=@\t\r]|^[+-](?!\d+(\.\d+)?$)/);
    }
    // names are as they are: programs read this, and a terminal is shown escapes
    expect(text).toContain('\x1b[31mred\x07');
    const shown = printed(report, (one, sink) => writeCsvReport(one, { ...sink, isTerminal: true }));
    expect(shown).not.toMatch(controls);
  });

  test('do nothing in a terminal', () => {
    expect(printed(report, writeTextReport)).not.toMatch(controls);
  });

  test('are no markup in Markdown', () => {
    const text = printed(report, (one, sink) =>
      writeMarkdownReport(
        one,
        sink,
        reportCharts(one).map(({ id, title }) => ({ id, title, file: `a b(c)/${id}.svg` })),
      ),
    );
    // the only markup is the superscripts of our own
    expect(text.replace(/<\/?sup>/g, '')).not.toMatch(/<[a-z!/]/i);
    expect(text).not.toMatch(/(?<!\\)\]\(javascript/);
    expect(text).toContain('](a%20b%28c%29/');
    expect(text).not.toMatch(controls);
  });

  test('are no commands in LaTeX', () => {
    const text = printed(report, writeLatexReport);
    const ours =
      /\\(documentclass|usepackage|ifPDFTeX|ifdefined|Umathcode|else|fi|setlength|tabcolsep|belowcaptionskip|emergencystretch|LTcapwidth|linewidth|raggedright|begingroup|endgroup|begin|end(head|firsthead|foot)?|section|subsection|allowbreak|caption|label|centering|sloppy|item|small|footnotesize|scriptsize|(top|mid|bottom)rule|tabularnewline|multicolumn|addtocounter|underline|char34|ensuremath|alpha|text[a-z]+|\\|[&%$#_{}])/g;
    expect(text.replace(ours, '')).not.toContain('\\');
    expect(text).not.toContain('\\input');
    // a row that begins with a bracket is not taken for an option of the end of the row before
    expect(text).not.toMatch(/(\\\\|\\tabularnewline)\n\s*[[*]/);
    // dollars only around the symbols of statistics
    expect(text.replace(/\\\$/g, '').replace(/\$(\\alpha = [\d.]+|d_z|t|-)\$/g, '')).not.toContain('$');
  });

  test('come back from JSON as they were', () => {
    expect(JSON.parse(printed(report, writeJsonReport))).toEqual(report);
  });
});

/** Fields of CSV as RFC 4180 has them. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
