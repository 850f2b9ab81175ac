// Makes examples/data: judgements and three runs for a small made-up collection. Everything follows from the seed.
//
//   node scripts/make-example-data.mjs
//
// What is in it on purpose: grades from 0 to 3, documents that were retrieved but never judged, one system whose coarse scores
// tie often, and one that leaves a topic unanswered.
import { mkdirSync, writeFileSync } from 'node:fs';
import { seededRandom, shuffleInPlace } from '../dist/core/numbers/random.js';

const NUM_TOPICS = 12;
const NUM_DOCS = 400;
const RUN_LENGTH = 40;
const folder = new URL('../examples/data/', import.meta.url);

const random = seededRandom(20260101);
const docName = (doc) => `doc${String(doc).padStart(3, '0')}`;
const topicName = (topic) => `q${topic + 1}`;

// how much of each document each topic wants: few documents much, most nothing
const worth = Array.from({ length: NUM_TOPICS }, () => {
  const values = new Float64Array(NUM_DOCS);
  const docs = Uint32Array.from(values, (_, doc) => doc);
  shuffleInPlace(random, docs);
  const numWanted = 8 + random.below(20);
  for (let i = 0; i < numWanted; i++) values[docs[i]] = 3 * (1 - i / numWanted);
  return values;
});

// a system sees the worth through noise; coarse scores tie
const systems = [
  { name: 'bm25', noise: 1.4, decimals: 1, skips: [] },
  { name: 'neural', noise: 0.9, decimals: 4, skips: [7] },
  { name: 'hybrid', noise: 0.85, decimals: 4, skips: [] },
];
const runs = systems.map(({ noise, decimals, skips }) =>
  worth.map((values, topic) => {
    if (skips.includes(topic)) return [];
    const scored = Array.from(values, (value, doc) => ({
      doc,
      score: Number((8 + value * 2 + random.normal() * noise * 2).toFixed(decimals)),
    }));
    return scored.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, RUN_LENGTH);
  }),
);

// judged is what the first 20 documents of the systems hold, and a few of the others
const qrels = worth.flatMap((values, topic) => {
  const pool = new Set(runs.flatMap((run) => run[topic].slice(0, 20).map(({ doc }) => doc)));
  for (let i = 0; i < 10; i++) pool.add(random.below(NUM_DOCS));
  return [...pool].sort((a, b) => a - b).map((doc) => `${topicName(topic)} 0 ${docName(doc)} ${Math.ceil(values[doc])}`);
});

mkdirSync(folder, { recursive: true });
writeFileSync(new URL('example.qrels', folder), `${qrels.join('\n')}\n`);
for (const [s, { name, decimals }] of systems.entries()) {
  const lines = runs[s].flatMap((ranking, topic) =>
    ranking.map(({ doc, score }, i) => `${topicName(topic)} Q0 ${docName(doc)} ${i + 1} ${score.toFixed(decimals)} ${name}`),
  );
  writeFileSync(new URL(`${name}.run`, folder), `${lines.join('\n')}\n`);
}
