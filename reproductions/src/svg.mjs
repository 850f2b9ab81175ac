// What the pictures of the pages are made of: text, lines and the file around them. Everything is written with one decimal, so that the
// same numbers give the same bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Colours that people with any kind of colour vision tell apart (Okabe and Ito), with a dash for lines that others hide. */
export const styles = [
  { colour: '#0072b2', width: 3, dash: '' },
  { colour: '#b8790a', width: 1.6, dash: '5 4' },
  { colour: '#00785a', width: 1.8, dash: '' },
  { colour: '#a8477d', width: 1.8, dash: '9 3 2 3' },
  { colour: '#c04a00', width: 1.8, dash: '2 3' },
  { colour: '#3b3b3b', width: 1.4, dash: '8 3' },
];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Roughly how wide a text is at 11 px. */
export const widthOf = (words) => 6.4 * words.length;

export const text = (x, y, words, more = '') => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(words)}</text>`;

export const segment = (x1, y1, x2, y2, more) =>
  `<line x1="${x1.toFixed(1)}" x2="${x2.toFixed(1)}" y1="${y1.toFixed(1)}" y2="${y2.toFixed(1)}" ${more}/>`;

export function strokeOf(path, { colour, width, dash }) {
  return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="${width}"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/>`;
}

/** Places at least `apart` from each other, as near as can be to those wanted, in their order. */
export function spreadApart(wanted, apart, low, high) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const places = new Array(wanted.length);
  let least = low;
  for (const i of order) {
    places[i] = Math.max(wanted[i], least);
    least = places[i] + apart;
  }
  let most = high;
  for (const i of order.toReversed()) {
    places[i] = Math.min(places[i], most);
    most = places[i] - apart;
  }
  return places;
}

/** Round numbers from low to high, about five of them. */
export function ticksOf(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Writes a picture beside the page and gives the line of Markdown that shows it. */
export function writePicture(out, name, { title, subtitle = '', width, height, pieces }) {
  const head = [
    text(16, 22, title, 'font-size="13" font-weight="bold"'),
    ...(subtitle === '' ? [] : [text(16, 39, subtitle, 'fill="#555"')]),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="11" fill="#222"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="#fff"/>${[...head, ...pieces].join('')}</svg>\n`;
  writeFileSync(join(out, 'pictures', `${name}.svg`), svg);
  return `![${title}](pictures/${name}.svg)`;
}
