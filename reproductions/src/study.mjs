// What the experiments share: data, steps that need not be done twice, tests, and the page.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { seededRandom } from '../../dist/core/numbers/random.js';
import { parseLetor } from '../../dist/formats/letor/reader.js';
import { createDocument } from '../../dist/node/output/drawing.js';
import { lineChart, svgFile } from '../../dist/report/charts/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments that every experiment takes. */
export function experimentArguments(name, usage) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      small: { type: 'boolean', default: false },
      out: { type: 'string' },
      work: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      companion: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      arms: { type: 'string' },
      collect: { type: 'boolean', default: false },
      judge: { type: 'boolean', default: false },
    },
  });
  const [data] = positionals;
  if (!values.small && !values.judge && (data === undefined || !existsSync(data))) {
    process.stderr.write(
      `usage: node reproductions/${name}.mjs ${usage} [--fresh], --judge to write the page from the values of the repository, or --small --out FOLDER for a small version on made-up data\n`,
    );
    process.exit(2);
  }
  const out = values.out ?? join(root, 'docs/reproductions');
  const version = `${name}${values.quick ? '-quick' : ''}`;
  const work = values.work ?? join(root, '.cache/reproductions', values.small ? `${version}-small` : version);
  if (values.fresh) rmSync(work, { recursive: true, force: true });
  for (const folder of [out, work, join(out, 'pictures')]) mkdirSync(folder, { recursive: true });
  return {
    data,
    small: values.small,
    out,
    work,
    /** For a companion, the number of the list of steps that it helps with. */
    companion: values.companion === undefined ? undefined : Number(values.companion),
    /** Claims to look at, by their ids in the registry; all if undefined. */
    only: values.only?.split(','),
    /** Little of everything, within minutes; it gets no verdict. */
    quick: values.quick,
    /** Arms to train, by their names, or by what these begin with, followed by *; all if undefined. */
    arms: values.arms?.split(','),
    /** Nothing is trained: what is finished is taken over. */
    collect: values.collect,
    /** Only from values that are there: no data is read, nothing trained. */
    judge: values.judge,
    command: `node reproductions/${name}.mjs ${values.small ? '--small' : 'DATA'}`,
  };
}

/** Where the values of each query are that anyone can redo the tests from; those of trials are not part of the repository. */
export function valuesFolder({ small, quick, work }) {
  return small || quick ? join(work, 'values') : join(root, 'reproductions/values');
}

/** Steps whose results are kept, so that an experiment that was interrupted goes on where it was. `identity` is what the results
 *  depend on: with other data nothing is taken over. All cores take part: the script starts itself again as a companion, and
 *  whoever comes first to a step claims it by a file beside the result. */
export class Steps {
  constructor({ work, small, companion }, identity) {
    this.work = work;
    this.identity = identity;
    this.companion = companion;
    this.numCompanions = small || companion !== undefined ? 0 : availableParallelism() - 1;
    if (companion === undefined) for (const name of readdirSync(work)) if (name.endsWith('.claim')) rmSync(join(work, name));
  }

  /** The results of steps, each given by a key and a function, in the order of the list. */
  async all(list) {
    const began = performance.now();
    const number = ++numLists;
    const numMissing = list.filter(({ key }) => this.kept(key) === undefined).length;
    const companions = Array.from({ length: Math.max(0, Math.min(this.numCompanions, numMissing - 1)) }, () => startCompanion(number));
    for (const { key, compute } of list) {
      if (this.kept(key) !== undefined || !this.claim(key)) continue;
      this.keep(key, await compute());
      if (process.stderr.isTTY && this.companion === undefined) {
        const done = list.filter((step) => this.kept(step.key) !== undefined).length;
        process.stderr.write(`\r${done} of ${list.length} steps, ${((performance.now() - began) / 1000).toFixed(0)} s: ${key}\x1b[K`);
      }
    }
    if (this.companion === number) process.exit(0);
    if (process.stderr.isTTY && numMissing > 0) process.stderr.write('\n');
    await Promise.all(companions);
    const results = [];
    for (const { key, compute } of list) {
      // what a companion began and did not end is done here
      if (this.kept(key) === undefined) this.keep(key, await compute());
      results.push(this.kept(key).result);
    }
    return results;
  }

  path(key) {
    return join(this.work, `${key.replaceAll(/[^\w.-]+/g, '_')}.json.gz`);
  }

  kept(key) {
    if (!existsSync(this.path(key))) return undefined;
    const kept = JSON.parse(gunzipSync(readFileSync(this.path(key))));
    return kept.identity === this.identity ? kept : undefined;
  }

  claim(key) {
    try {
      closeSync(openSync(`${this.path(key)}.claim`, 'wx'));
      return true;
    } catch (error) {
      if (error.code === 'EEXIST') return false;
      throw error;
    }
  }

  keep(key, result) {
    const fresh = `${this.path(key)}.new`;
    writeFileSync(fresh, gzipSync(JSON.stringify({ identity: this.identity, result }), { level: 9 }));
    renameSync(fresh, this.path(key));
    rmSync(`${this.path(key)}.claim`, { force: true });
  }
}

/** Lists of steps that were begun. */
let numLists = 0;

/** Settles when the companion has ended, well or not. */
function startCompanion(number) {
  const own = process.argv.slice(1).filter((argument) => argument !== '--fresh');
  const child = spawn(process.execPath, [...own, '--companion', String(number)], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('exit', resolve));
}

/** The five parts of a collection in LETOR's format and the hash of their contents; made-up ones in the small version. */
export function readParts({ small, data }, madeUp, nameOf) {
  return small ? madeUpParts(...madeUp) : unpackedParts([1, 2, 3, 4, 5].map((k) => join(data, nameOf(k))));
}

/** Parts that xz has packed, each in a file of its own. */
function unpackedParts(paths) {
  const hash = createHash('sha256');
  const parts = paths.map((path) => {
    const bytes = execFileSync('xz', ['-dc', path], { maxBuffer: 1 << 30 });
    hash.update(bytes);
    return bytes;
  });
  return { parts, hash: hash.digest('hex') };
}

/** Five parts of made-up queries: a third have fewer than ten documents, some have none that is relevant. */
function madeUpParts(seed, queriesPerPart, numFeatures = 8) {
  const hash = createHash('sha256');
  const parts = [1, 2, 3, 4, 5].map((part) => {
    const random = seededRandom(seed, part);
    let text = '';
    for (let q = 0; q < queriesPerPart; q++) {
      const length = q % 3 === 0 ? 4 + random.below(5) : 12 + random.below(10);
      for (let d = 0; d < length; d++) {
        const quality = random.float();
        const grade = q % 7 === 6 ? 0 : quality > 0.85 ? 2 : quality > 0.6 ? 1 : 0;
        const cells = Array.from({ length: numFeatures }, (_, f) => {
          const signal = f < 3 ? quality / (f + 1) : 0;
          return `${f + 1}:${(signal + 0.8 * random.float()).toFixed(4)}`;
        });
        text += `${grade} qid:${part * 1000 + q} ${cells.join(' ')} #docid = D${part}-${q}-${d}\n`;
      }
    }
    const bytes = Buffer.from(text);
    hash.update(bytes);
    return bytes;
  });
  return { parts, hash: hash.digest('hex') };
}

function matrixOf(...parts) {
  return parseLetor(Buffer.concat(parts.map((part) => (part.at(-1) === 10 ? part : Buffer.concat([part, Buffer.from('\n')])))), {
    features: 'dense',
  }).matrix;
}

/** The training and test queries of a folder whose groups stand in files of their own, as LightGBM has them, and the hash of all. */
export function groupedParts(folder) {
  const hash = createHash('sha256');
  let query = 0;
  const parts = ['train', 'test'].map((part) => {
    const [sizes, lines] = [`rank.${part}.query`, `rank.${part}`].map((name) => {
      const bytes = readFileSync(join(folder, name));
      hash.update(bytes);
      return bytes.toString('latin1').trim().split(/\r?\n/);
    });
    let end = 0;
    const texts = sizes.flatMap((size) => {
      query++;
      const own = lines.slice(end, end + Number(size));
      end += Number(size);
      return own.map((line) => `${line.replace(/^(\S+)/, `$1 qid:${query}`)}\n`);
    });
    return Buffer.from(texts.join(''), 'latin1');
  });
  return { parts, hash: hash.digest('hex') };
}

/** A collection as lines of its queries, in the order of their ids as strings, and the hash of its bytes. */
export function queriesOf({ parts, hash }) {
  const lines = new Map();
  for (const line of Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]))
    .toString('latin1')
    .split(/\r?\n/)) {
    const id = /\bqid:(\S+)/.exec(line)?.[1];
    if (id !== undefined) lines.set(id, `${lines.get(id) ?? ''}${line}\n`);
  }
  const ids = [...lines.keys()].sort((a, b) => (a < b ? -1 : 1));
  return { ids, hash, matrixOf: (wanted) => matrixOf(...wanted.map((id) => Buffer.from(lines.get(id), 'latin1'))) };
}

/** A random partition into five parts as protocol R of the registry has it: ids shuffled by the seed, the i-th to part i mod 5; fold k
 *  trains on parts k, k+1 and k+2, validates on k+3 and tests on k+4. */
export function randomFolds(ids, seed) {
  const random = seededRandom(seed);
  const shuffled = [...ids];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  const part = (k) => shuffled.filter((_, i) => i % 5 === k % 5);
  return [0, 1, 2, 3, 4].map((k) => ({
    train: [...part(k), ...part(k + 1), ...part(k + 2)],
    validation: part(k + 3),
    test: part(k + 4),
    modelSeed: 100 * seed + k,
  }));
}

export function fixed(value, digits = 4) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}

export function pText(p) {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

export function table(header, rows) {
  const isNumber = (cell) => /^[-−+<]?\s*[\d.]/.test(cell);
  return [
    `| ${header.join(' | ')} |`,
    `|${header.map((_, i) => (rows.every((row) => isNumber(row[i])) ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

/** Draws a picture beside the page and gives the line that shows it. */
export function picture(out, name, drawing) {
  writeFileSync(
    join(out, 'pictures', `${name}.svg`),
    svgFile(lineChart(drawing, { document: createDocument(), width: 640, theme: 'light' }), 'light'),
  );
  return `![${drawing.title}](pictures/${name}.svg)`;
}
