import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const pages = fileURLToPath(new URL('../.pages/', import.meta.url));

/** A page in the list at the side, by its first heading. */
function item(link) {
  const text = readFileSync(`${pages}${link.replace(/\/$/, '/index')}.md`, 'utf8');
  return { text: /^# (.+)$/m.exec(text)?.[1] ?? link, link };
}

/** The pages of a folder; those that are named come first, in this order. */
function itemsIn(folder, first = []) {
  const names = readdirSync(`${pages}${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `/${folder}/${name.replace(/\.md$/, '')}`);
  const rest = names.filter((name) => !first.includes(name) && !name.endsWith('/index')).sort();
  return [...first.filter((name) => names.includes(name)), ...rest].map(item);
}

const guides = [
  ...['/getting-started', '/command-line', '/library'].map(item),
  ...itemsIn('guides', ['/guides/comparing', '/guides/which-number', '/guides/gate', '/guides/search-teams', '/guides/reports']),
  ...['/glossary', '/worked-examples'].map(item),
];
const reference = [
  '/reference/measures',
  '/reference/cli',
  '/reference/conventions',
  '/reference/api/',
  '/limits',
  '/benchmarks',
  '/changelog',
].map(item);

export default defineConfig({
  title: 'Gradus',
  description: 'How good is this ranking, is B really better than A, and why do two tools disagree?',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  base: process.env.GRADUS_SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.GRADUS_SITE_BASE ?? '/'}app/icon.svg` }]],
  // pages are addressed by their files, so that any host of static files can serve them
  cleanUrls: false,
  // braces in the pages are text
  markdown: { attrs: { disable: true } },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => /^(math|m[a-z]+|semantics|annotation)$/.test(tag) && tag !== 'main' } } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/getting-started' },
      { text: 'Measures', link: '/measures/' },
      { text: 'Learn', link: '/learn' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'App', link: '/app/', target: '_self' },
      { text: version, link: '/changelog' },
    ],
    sidebar: [
      { text: 'Guides', items: guides },
      { text: 'Reference', items: reference },
      { text: 'Reproductions', items: itemsIn('reproductions'), collapsed: true },
    ],
    outline: [2, 3],
  },
  // the app is no page of the site, and its address has no file here
  ignoreDeadLinks: [/^\/app\//, /^\/files\//],
});
