// Makes examples/data/ltr: documents with labels and features for a small made-up search engine, in three LETOR files.
// Everything follows from the seed.
//
//   node scripts/make-example-features.mjs
//
// What is in it on purpose: features that tell something about the label and one that does not, queries of all lengths from one
// document up, and queries without anything relevant, because tools disagree about those.
import { mkdirSync, writeFileSync } from 'node:fs';
import { seededRandom } from '../dist/core/numbers/random.js';

const folder = new URL('../examples/data/ltr/', import.meta.url);
const random = seededRandom(20260106);

function queries(from, count) {
  const lines = [];
  for (let q = from; q < from + count; q++) {
    const length = 1 + random.below(14);
    const hopeless = random.below(8) === 0;
    for (let d = 1; d <= length; d++) {
      const label = hopeless ? 0 : Math.max(0, random.below(6) - 3);
      const bm25 = 8 + 2 * label + 2.5 * random.normal();
      const title = Math.max(0, label - 1 + 1.2 * random.normal());
      // popular pages are relevant more often, but not in proportion
      const popularity = Math.exp(0.5 * label + 1.5 * random.normal());
      const fresh = random.float();
      const values = [bm25, title, popularity, fresh].map((value, f) => `${f + 1}:${value.toFixed(3)}`);
      lines.push(`${label} qid:${q} ${values.join(' ')} # docid = d${q}-${d}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

mkdirSync(folder, { recursive: true });
writeFileSync(new URL('train.txt', folder), queries(1, 60));
writeFileSync(new URL('vali.txt', folder), queries(61, 25));
writeFileSync(new URL('test.txt', folder), queries(86, 25));
