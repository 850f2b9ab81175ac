// Rankings of many systems with graded judgements: the collections that measures are judged on.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../dist/core/numbers/random.js';
import { parseTrecQrels } from '../../dist/formats/trec/qrels.js';
import { parseTrecRun } from '../../dist/formats/trec/run.js';

/** Where the files are, and what becomes of grades. */
const places = {
  'TREC-COVID': { qrels: 'trec-covid-round1/qrels.txt', packed: 'trec-covid-round1/runs.tar.xz', folder: 'round1/runs' },
  // grades 2 and 3 count as the higher of two
  'DL-HARD': { qrels: 'dl-hard-doc/dl_hard-doc.qrels', packed: 'dl-hard-doc/runs.tar.xz', folder: '.', highest: 2 },
};

export const runCollections = Object.keys(places);

/** Judgements, runs and the hash of both; in the small version made-up ones take their place. */
export function readRuns(name, { small, data }) {
  if (small) return madeUpRuns(13 + runCollections.indexOf(name));
  const { qrels: judgementFile, packed: archive, folder, highest = Number.POSITIVE_INFINITY } = places[name];
  const judgements = readFileSync(join(data, judgementFile));
  const packed = readFileSync(join(data, archive));
  const scratch = mkdtempSync(join(tmpdir(), 'gradus-experiment-'));
  try {
    execFileSync('tar', ['-xJf', join(data, archive), '-C', scratch]);
    const place = join(scratch, folder);
    const names = readdirSync(place)
      .filter((file) => !file.endsWith('.eval'))
      .sort();
    const { qrels } = parseTrecQrels(judgements);
    return {
      qrels: { ...qrels, grades: qrels.grades.map((grade) => Math.min(grade, highest)) },
      runs: names.map((file) => ({ ...parseTrecRun(readFileSync(join(place, file)), { lenient: true }).run, name: file })),
      hash: createHash('sha256').update(judgements).update(packed).digest('hex'),
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Six systems of different quality, twelve topics, three grades. */
function madeUpRuns(seed) {
  const random = seededRandom(seed);
  let judgements = '';
  const texts = Array.from({ length: 6 }, () => '');
  for (let topic = 1; topic <= 12; topic++) {
    for (let d = 0; d < 60; d++) {
      const quality = random.float();
      const grade = quality > 0.85 ? 2 : quality > 0.65 ? 1 : 0;
      judgements += `${topic} 0 d${d} ${grade}\n`;
      for (const s of texts.keys()) texts[s] += `${topic} Q0 d${d} 0 ${(quality + (0.3 + 0.15 * s) * random.normal()).toFixed(6)} s${s}\n`;
    }
  }
  const hash = createHash('sha256').update(judgements);
  for (const text of texts) hash.update(text);
  return {
    qrels: parseTrecQrels(judgements).qrels,
    runs: texts.map((text, s) => ({ ...parseTrecRun(text).run, name: `s${s}` })),
    hash: hash.digest('hex'),
  };
}
