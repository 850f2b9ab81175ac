/** MQ2008 and OHSUMED as LETOR cuts them into five folds. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FOLDS = [1, 2, 3, 4, 5];

/** Which part trains, validates and tests in fold k, parts counted from 1.
 *  @type {Record<string, { file: (part: number) => string, train: (k: number) => number[], validation: (k: number) => number, test: (k: number) => number }>} */
const sets = {
  mq2008: {
    file: (part) => `mq2008/S${part}.txt`,
    train: (k) => [k, k + 1, k + 2],
    validation: (k) => k + 3,
    test: (k) => k + 4,
  },
  ohsumed: {
    file: (part) => `ohsumed/Fold${part}.test.txt`,
    train: (k) => [k + 1, k + 2, k + 3],
    validation: (k) => k - 1,
    test: (k) => k,
  },
};

/** The text of each part of one fold, of the three that train one by one.
 *  @param {string} dataFolder @param {string} set @param {number} k */
export function foldTexts(dataFolder, set, k) {
  const { file, train, validation, test } = sets[set];
  const textOf = (/** @type {number} */ part) => partText(join(dataFolder, file(((part + 4) % 5) + 1)));
  return { train: train(k).map(textOf), validation: textOf(validation(k)), test: textOf(test(k)) };
}

/** @param {string} path */
function partText(path) {
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : spawnSync('xz', ['-dc', `${path}.xz`], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  if (!text) throw new Error(`there is neither ${path} nor ${path}.xz`);
  return `${text.replaceAll('\r', '').trimEnd()}\n`;
}
