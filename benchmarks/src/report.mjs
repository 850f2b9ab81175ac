import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

const INTRODUCTION = `# Benchmarks

Every table below is written by a command that anyone can run again (\`npm run bench\`); the text between the markers is
replaced, not edited. Data are generated from a seed and checked against a recorded digest. Each contender runs in a fresh
process, in alternating order, with the files in the page cache; figures are medians. Read them as ratios: a
busier or faster machine moves all rows of a table together.
`;

/** Replaces one generated section of docs/benchmarks.md, or adds it at the end.
 *  @param {string} name @param {string} text */
export function writeSection(name, text) {
  const begin = `<!-- generated: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const section = `${begin}\n${text.trim()}\n${end}`;
  const old = existsSync(page) ? readFileSync(page, 'utf8') : INTRODUCTION;
  const from = old.indexOf(begin);
  const to = old.indexOf(end);
  const updated = from >= 0 && to > from ? old.slice(0, from) + section + old.slice(to + end.length) : `${old.trimEnd()}\n\n${section}\n`;
  writeFileSync(page, updated);
}

/** The line that makes a table readable a year later.
 *  @param {readonly string[]} versions */
export function circumstances(versions) {
  const model = (cpus()[0]?.model ?? arch()).replace(/\s+/g, ' ').trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  // on a busy machine wall times say little, and ratios of processor time still something
  const load = loadavg()[0] > cpus().length ? `, load ${loadavg()[0].toFixed(0)}` : '';
  return `${date}; ${cpus().length} cores (${model})${load}, ${memory}, ${platform()} ${arch()}; ${versions.join('; ')}.`;
}

/** A Markdown table that also reads well in a terminal: numbers to the right, words to the left.
 *  @param {readonly string[]} header @param {readonly (readonly string[])[]} rows */
export function table(header, rows) {
  const widths = header.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column].length)));
  const leftAligned = (/** @type {number} */ column) => column === 0 || header[column] === 'results';
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => (leftAligned(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (leftAligned(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return `${[line(header), rule, ...rows.map(line)].join('\n')}\n`;
}

/** @param {number} value NaN where nothing was measured */
export function seconds(value) {
  if (Number.isNaN(value)) return '–';
  return value < 0.1 ? `${(value * 1000).toFixed(1)} ms` : `${value.toPrecision(3)} s`;
}

/** @param {number} value NaN where nothing was measured */
export function ratio(value) {
  if (Number.isNaN(value)) return '';
  return value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0);
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
