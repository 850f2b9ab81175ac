import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ByteWriter } from './byte-writer.mjs';
import { writeQrels, writeRun, writeShuffled } from './generate.mjs';

/** @typedef {import('./generate.mjs').Shape} Shape */

/** A seeded data set and the digests its files must have. `shuffles` names the data set whose lines it holds in
 *  another order.
 *  @typedef {{ name: string, about: string, shape: Shape, shuffles?: string, runSha256: string, qrelsSha256?: string }} Dataset */

/** @type {Omit<Shape, 'seed' | 'topics'>} */
const adHoc = {
  depth: 1000,
  topicIds: { prefix: '', digits: 5, count: 100_000 },
  topicsAscend: true,
  documentIds: { prefix: 'LA', digits: 9, count: 1_000_000 },
  judgedRetrieved: 70,
  judgedElsewhere: 30,
  gradeShares: [0.55, 0.3, 0.12, 0.03],
};

/** @type {readonly Dataset[]} */
export const datasets = [
  {
    name: 'small',
    about: 'a TREC ad hoc task: deep graded pools',
    shape: { ...adHoc, seed: 11, topics: 50 },
    runSha256: '7dd8b557795e6e3dd45e8dd60053d11c7acb3f4c7fde1735910061266ea89cd0',
    qrelsSha256: '262bb72ace7e2b6e33f86ae32ce3a42af21fd0717145d31eb8aab82b42680937',
  },
  {
    name: 'medium',
    about: 'as many topics as documents each, deep graded pools',
    shape: { ...adHoc, seed: 12, topics: 1000 },
    runSha256: 'c129e8d3b628f2bd13fa14625019699a5f0ffd5633bbafce83875f5152c5c263',
    qrelsSha256: '00cfca337011f3ea58454b599b1aeebca01bc1d9a64be2bc0d0e8a33865abf98',
  },
  {
    name: 'medium-shuffled',
    about: 'the lines of medium in random order, topics mixed',
    shape: { ...adHoc, seed: 12, topics: 1000 },
    shuffles: 'medium',
    runSha256: 'df65eb6ed1ab25b22a0f1de4c401d85543fce33afa9d4a91c84075334f34f613',
  },
  {
    name: 'large',
    about: 'the shape of the MS MARCO passage dev set: numeric ids, hardly more than one judgement a topic',
    shape: {
      seed: 14,
      topics: 6980,
      depth: 1000,
      topicIds: { prefix: '', digits: 1, count: 1_102_400 },
      topicsAscend: false,
      documentIds: { prefix: '', digits: 1, count: 8_841_823 },
      judgedRetrieved: 0.85,
      judgedElsewhere: 0.2,
      gradeShares: [0, 0.9, 0.07, 0.03],
    },
    runSha256: '4025de853bed832d07e1b614c8df49d08cf3822b35ff3b30ceebce36db8d0b83',
    qrelsSha256: '8aa8fbd0e42389b63e1178c79d65b8e88448df0f1a61c2404a248d92f10c57b8',
  },
  {
    name: 'many-short',
    about: 'a query log: half a million topics of ten documents',
    shape: {
      seed: 15,
      topics: 500_000,
      depth: 10,
      topicIds: { prefix: 'q', digits: 7, count: 10_000_000 },
      topicsAscend: true,
      documentIds: { prefix: 'D', digits: 7, count: 3_213_835 },
      judgedRetrieved: 1.5,
      judgedElsewhere: 0.5,
      gradeShares: [0.3, 0.5, 0.15, 0.05],
    },
    runSha256: 'e9bf70bd16b1f511923329a792467a023bf5e48583dd24ef2242da2296d2844c',
    qrelsSha256: '46dc50daa6068aee266ee8ac5ff5ab31fb2b4ffeee9ea204e507cbd87e785cb6',
  },
];

/** @typedef {{ dataset: Dataset, qrels: string, run: string, runBytes: number }} DatasetFiles */

/** Makes the files in `folder` unless they are there already.
 *  @param {Dataset} dataset @param {string} folder @returns {DatasetFiles} */
export function prepareDataset(dataset, folder) {
  mkdirSync(folder, { recursive: true });
  const original = datasets.find((other) => other.name === dataset.shuffles);
  const qrels = join(folder, `${(original ?? dataset).name}.qrels`);
  const run = join(folder, `${dataset.name}.run`);
  if (original !== undefined) {
    const source = prepareDataset(original, folder).run;
    if (!existsSync(run)) writeChecked(run, dataset.runSha256, (out) => writeShuffled(readFileSync(source), dataset.shape.seed, out));
  } else {
    if (!existsSync(qrels)) writeChecked(qrels, dataset.qrelsSha256, (out) => writeQrels(dataset.shape, out));
    if (!existsSync(run)) writeChecked(run, dataset.runSha256, (out) => writeRun(dataset.shape, out));
  }
  return { dataset, qrels, run, runBytes: statSync(run).size };
}

/** The shape of a data set, to make others like it.
 *  @param {string} name */
export function shapeOf(name) {
  const found = datasets.find((dataset) => dataset.name === name);
  if (found === undefined) throw new Error(`no data set '${name}'`);
  return found.shape;
}

/** Makes a run and its judgements of any shape, for one measurement.
 *  @param {Shape} shape @param {string} path what the names of both begin with @param {boolean} shuffled
 *  @returns {{ qrels: string, run: string }} */
export function makeFiles(shape, path, shuffled) {
  const qrels = `${path}.qrels`;
  const run = `${path}.run`;
  writeBytes(qrels, (out) => writeQrels(shape, out));
  writeBytes(run, (out) => writeRun(shape, out));
  if (shuffled) {
    const text = readFileSync(run);
    writeBytes(run, (out) => writeShuffled(text, shape.seed, out));
  }
  return { qrels, run };
}

/** Writes under a temporary name, so that an interrupted run leaves no half file behind, and compares the digest: figures
 *  of two machines mean nothing unless both read the same bytes.
 *  @param {string} path @param {string | undefined} sha256 @param {(out: ByteWriter) => void} write */
function writeChecked(path, sha256, write) {
  const unfinished = `${path}.unfinished`;
  const made = writeBytes(unfinished, write);
  if (made !== sha256) throw new Error(`${path}: expected sha256 ${sha256}, the generator made ${made}`);
  renameSync(unfinished, path);
}

/** @param {string} path @param {(out: ByteWriter) => void} write @returns {string} the SHA-256 of what was written */
function writeBytes(path, write) {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  const out = new ByteWriter((bytes) => {
    hash.update(bytes);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  });
  write(out);
  out.flush();
  closeSync(file);
  return hash.digest('hex');
}
