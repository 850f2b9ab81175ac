// Parts of packages that nothing here uses, and the small files that stand in their places: in the page, and in what draws charts for the
// command line.
import { fileURLToPath } from 'node:url';

const own = (file) => fileURLToPath(new URL(`../web/src/${file}`, import.meta.url));

/** Whole packages. */
export const replacedPackages = [
  { find: /^d3-geo$/, replacement: own('unused/maps.ts') },
  { find: /^d3-time-format$/, replacement: own('unused/times.ts') },
  { find: /^cssom$/, replacement: own('unused/style-sheets.ts') },
];

/** Files inside packages, by their paths: together with the packages, a fifth of the page. */
const replacedFiles = {
  '@observablehq/plot/src/curve.js': 'unused/curves.ts',
  '@observablehq/plot/src/interactions/pointer.js': 'unused/pointers.ts',
  '@observablehq/plot/src/legends.js': 'unused/legends.ts',
  '@observablehq/plot/src/marks/tip.js': 'unused/tips.ts',
  '@observablehq/plot/src/projection.js': 'unused/projections.ts',
  '@observablehq/plot/src/scales/schemes.js': 'unused/colour-schemes.ts',
  '@observablehq/plot/src/scales/temporal.js': 'unused/time-scales.ts',
  '@observablehq/plot/src/time.js': 'unused/time-scales.ts',
  'entities/dist/esm/generated/decode-data-html.js': 'unused/entities.ts',
  'hyparquet/src/bloom.js': 'unused/parquet-filters.ts',
  'hyparquet/src/filter.js': 'unused/parquet-filters.ts',
  'hyparquet/src/variant.js': 'unused/parquet-variants.ts',
  'hyparquet/src/wkb.js': 'unused/parquet-geometry.ts',
};

/** Puts our files in the places of those in `replacedFiles`. */
export function replaceFiles() {
  const replacements = Object.entries(replacedFiles);
  return {
    name: 'replace-files',
    enforce: 'pre',
    resolveId(asked, importer) {
      if (importer === undefined || !asked.startsWith('.') || !importer.includes('/node_modules/')) return null;
      const path = new URL(asked, `file://${importer}`).pathname;
      const replaced = replacements.find(([file]) => path.endsWith(`/node_modules/${file}`));
      return replaced === undefined ? null : own(replaced[1]);
    },
  };
}

/** The same for whole packages, where a bundler has no aliases by patterns. */
export function replacePackages() {
  return {
    name: 'replace-packages',
    resolveId: (asked) => replacedPackages.find(({ find }) => find.test(asked))?.replacement ?? null,
  };
}
