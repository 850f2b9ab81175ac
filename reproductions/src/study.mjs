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
import { pairedTTest } from '../../dist/stats/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments that every experiment takes.
 *  @param isKept Whether finished steps are part of the repository, so that anyone can redo the tests without training. */
export function experimentArguments(name, usage, { isKept = false } = {}) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      small: { type: 'boolean', default: false },
      out: { type: 'string' },
      work: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      companion: { type: 'boolean', default: false },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const [data] = positionals;
  if (!values.small && (data === undefined || !existsSync(data))) {
    process.stderr.write(
      `usage: node reproductions/${name}.mjs ${usage} [--fresh], or --small --out FOLDER for a small version on made-up data\n`,
    );
    process.exit(2);
  }
  const out = values.out ?? join(root, 'docs/reproductions');
  const version = `${name}${values.quick ? '-quick' : ''}`;
  const work =
    values.work ??
    (isKept && !values.small && !values.quick
      ? join(root, 'reproductions/parts', name)
      : join(root, '.cache/reproductions', values.small ? `${version}-small` : version));
  if (values.fresh) rmSync(work, { recursive: true, force: true });
  for (const folder of [out, work, join(out, 'pictures')]) mkdirSync(folder, { recursive: true });
  return {
    data,
    small: values.small,
    out,
    work,
    isCompanion: values.companion,
    /** Claims to look at, by their ids in the registry; all if undefined. */
    only: values.only?.split(','),
    /** Little of everything, within minutes; it gets no verdict. */
    quick: values.quick,
    command: `node reproductions/${name}.mjs ${values.small ? '--small' : 'DATA'}`,
  };
}

/** Steps whose results are kept, so that an experiment that was interrupted goes on where it was. `identity` is what the results
 *  depend on: with other data nothing is taken over. All cores take part: the script starts itself again as a companion, and
 *  whoever comes first to a step claims it by a file beside the result. */
export class Steps {
  constructor({ work, small, isCompanion }, identity) {
    this.work = work;
    this.identity = identity;
    this.isCompanion = isCompanion;
    this.numCompanions = small || isCompanion ? 0 : availableParallelism() - 1;
    if (!isCompanion) for (const name of readdirSync(work)) if (name.endsWith('.claim')) rmSync(join(work, name));
  }

  /** The results of steps, each given by a key and a function, in the order of the list. */
  async all(list) {
    const began = performance.now();
    const numMissing = list.filter(({ key }) => this.kept(key) === undefined).length;
    const companions = Array.from({ length: Math.min(this.numCompanions, numMissing - 1) }, startCompanion);
    for (const { key, compute } of list) {
      if (this.kept(key) !== undefined || !this.claim(key)) continue;
      this.keep(key, await compute());
      if (process.stderr.isTTY && !this.isCompanion) {
        const done = list.filter((step) => this.kept(step.key) !== undefined).length;
        process.stderr.write(`\r${done} of ${list.length} steps, ${((performance.now() - began) / 1000).toFixed(0)} s: ${key}\x1b[K`);
      }
    }
    if (this.isCompanion) process.exit(0);
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

/** Settles when the companion has ended, well or not. */
function startCompanion() {
  const own = process.argv.slice(1).filter((argument) => argument !== '--fresh');
  const child = spawn(process.execPath, [...own, '--companion'], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Parts of a collection in LETOR's format, each a file that xz has packed, and the hash of their contents. */
function readParts(paths) {
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

/** A collection in five parts as five folds, and the hash of its bytes; in the small version made-up queries take its place.
 *  @param nameOf The file of a part from 1 to 5.
 *  @param places Which parts a fold trains, validates and tests on, counted from that of its own number. */
export function fiveFolds({ small, data }, madeUp, nameOf, places) {
  const { parts, hash } = small ? madeUpParts(...madeUp) : readParts([1, 2, 3, 4, 5].map((k) => join(data, nameOf(k))));
  const folds = parts.map((_, k) =>
    Object.fromEntries(
      Object.entries(places).map(([use, offsets]) => [use, matrixOf(...offsets.map((offset) => parts[(k + offset) % 5]))]),
    ),
  );
  return { folds, hash };
}

/** A collection as lines of its queries, in the order of their ids as strings, and the hash of its bytes.
 *  @param madeUp What stands in its place in the small version. */
export function queriesOf({ small, data }, madeUp, nameOf) {
  const { parts, hash } = small ? madeUpParts(...madeUp) : readParts([1, 2, 3, 4, 5].map((k) => join(data, nameOf(k))));
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

/** Sets a value deep inside of nested objects, which are made on the way. */
export function put(target, path, value) {
  let at = target;
  for (const [i, key] of path.slice(0, -1).entries()) {
    at[key] ??= typeof path[i + 1] === 'number' ? [] : {};
    at = at[key];
  }
  at[path.at(-1)] = value;
}

/** Mean over folds of means over queries, with the standard errors of the folds combined in quadrature. */
export function overFolds(folds) {
  const each = folds.map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    return { mean, error: Math.sqrt(variance / values.length) };
  });
  return {
    mean: each.reduce((sum, { mean }) => sum + mean, 0) / each.length,
    error: Math.sqrt(each.reduce((sum, { error }) => sum + error ** 2, 0)) / each.length,
  };
}

/** Paired t-test over the queries of all folds. */
export function paired(first, second) {
  const a = first.flat();
  const b = second.flat();
  const difference = a.reduce((sum, value, i) => sum + value - b[i], 0) / a.length;
  if (a.every((value, i) => value === b[i])) return { difference: 0, p: 1 };
  return { difference, p: pairedTTest({ first: Float64Array.from(a), second: Float64Array.from(b) }).pValue };
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

/** @param deviations What was done otherwise than registered, each with its reason; undefined for pages of the first round. */
export function writePage(out, name, { title, paragraphs: body, results, command, hash, deviations }) {
  const paragraphs = [deviations === undefined ? firstRound : deviationsText(deviations), ...body];
  const mark = `<!-- made by ${command}; do not edit -->`;
  const provenance = `Made with \`npm run build && ${command}\` on data of SHA-256 \`${hash}\`. All numbers are in [${name}.json](${name}.json).`;
  writeFileSync(join(out, `${name}.md`), `# ${title}\n\n${mark}\n\n${paragraphs.join('\n\n')}\n\n${provenance}\n`);
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
}

/** What the pages say that were written before the claims were registered. */
const firstRound =
  '*First round, exploratory: these statements were written before the claims and their rules were registered (`reproductions/claims.json`), and are no verdicts by it.*';

function deviationsText(deviations) {
  if (deviations.length === 0) return '**Deviations from the registry:** none.';
  return `**Deviations from the registry:**\n\n${deviations.map(({ what, why }) => `- ${what}: ${why}`).join('\n')}`;
}
