// What becomes of the text of a page when it goes to the site.
import { posix } from 'node:path';

/** The page with its links changed: to other pages, to copies of files, or to nothing where the repository alone has what they name. */
export function withLinks(text, source, page, pages, copy) {
  const linked = text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, words, link) => {
    const [path, anchor] = link.split('#');
    if (/^[a-z]+:/.test(link) || path === '') return whole;
    const file = posix.normalize(posix.join(posix.dirname(source), path));
    const there = pages.get(file);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (there !== undefined) return `${picture}[${words}](${towards(page, there)}${hash})`;
    return copy(file) ? `${picture}[${words}](${picture === '' ? '/' : towards(page, '')}files/${file})` : words;
  });
  return linked.replace(/(src|srcset)="([^":]+)"/g, (whole, attribute, path) => {
    const file = posix.normalize(posix.join(posix.dirname(source), path));
    return copy(file) ? `${attribute}="${towards(page, '')}files/${file}"` : whole;
  });
}

/** Pages are templates on the site: what looks like a tag or a placeholder there is text here, unless it is one of the few tags in use. */
export function asText(markdown) {
  const code = /^( *)(```+|~~~+)[\s\S]*?^\1\2|`+[^`]*`+|^ {4}.*$|<!--[\s\S]*?-->/gm;
  const parts = [];
  let end = 0;
  for (const match of markdown.matchAll(code)) {
    parts.push(plain(markdown.slice(end, match.index)), match[0]);
    end = match.index + match[0].length;
  }
  parts.push(plain(markdown.slice(end)));
  return parts.join('');
}

function plain(text) {
  return text.replace(/<(?!\/?(?:picture|source|img|br|sub|sup|details|summary)\b|https?:)/g, '&lt;').replaceAll('{{', '&#123;&#123;');
}

function towards(page, path) {
  const found = posix.relative(posix.dirname(page), path);
  const ends = path === '' ? `${found}/` : found;
  return ends.startsWith('.') ? ends : `./${ends}`;
}
