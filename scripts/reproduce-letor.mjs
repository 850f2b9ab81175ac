// Reproduces what LETOR's own script said of four systems on MQ2008 and prints how many numbers agree:
//
//   node scripts/reproduce-letor.mjs DATA
//
// DATA holds mq2008/S1.txt.xz to S5.txt.xz and mq2008-scores/SYSTEM/Fold1.score.xz to Fold5.score.xz with eval.txt. Nothing
// of it is part of this repository. The files end their lines with CR LF, as distributed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gradus = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
const data = process.argv[2];
if (data === undefined || !existsSync(join(data, 'mq2008'))) {
  process.stderr.write('usage: node scripts/reproduce-letor.mjs DATA, where DATA holds mq2008 and mq2008-scores\n');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'gradus-reproduce-'));
let failed = 0;
try {
  // fold k is tested on part 5 for k = 1, otherwise on part k - 1
  const tests = [5, 1, 2, 3, 4].map((part, fold) => unpacked(join(data, 'mq2008', `S${part}.txt.xz`), `Fold${fold + 1}.txt`));
  for (const system of readdirSync(join(data, 'mq2008-scores')).sort()) reproduce(join(data, 'mq2008-scores', system), system, tests);
} finally {
  rmSync(scratch, { recursive: true });
}
process.exit(failed > 0 ? 1 : 0);

function reproduce(folder, system, tests) {
  const published = publishedRows(readFileSync(join(folder, 'eval.txt'), 'utf8'));
  let agreed = 0;
  let all = 0;
  tests.forEach((test, i) => {
    const fold = `Fold${i + 1}`;
    const scores = unpacked(join(folder, `${fold}.score.xz`), `${system}.${fold}`);
    const out = join(scratch, 'out.txt');
    execFileSync(process.execPath, [gradus, 'as', 'letor4', 'score', test, scores, out, '0']);
    const ours = readFileSync(out, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('Average'))
      .map((line) => line.split('\t').slice(1));
    // the script prints precision first, the published table NDCG
    const expected = [published[fold][1], published[fold][0]];
    expected.forEach((row, block) => {
      row.forEach((value, column) => {
        all++;
        if (ours[block][column] === value) agreed++;
        else
          process.stdout.write(
            `${system} ${fold}, block ${block + 1}, column ${column + 1}: published ${value}, found ${ours[block][column]}\n`,
          );
      });
    });
  });
  failed += all - agreed;
  process.stdout.write(`MQ2008 ${system}: ${agreed} of ${all} published numbers\n`);
}

/** The rows of the block on the test sets by fold, first NDCG, then precision. */
function publishedRows(text) {
  const rows = {};
  const [, block] = /performance on testing set\n([\s\S]*?)(?:performance on|$)/i.exec(text.replaceAll('\r', ''));
  for (const line of block.split('\n')) {
    const [fold, ...values] = line.trim().split('\t');
    if (!/^Fold\d$/.test(fold)) continue;
    rows[fold] ??= [];
    rows[fold].push(values);
  }
  return rows;
}

function unpacked(archive, name) {
  const path = join(scratch, name);
  writeFileSync(path, execFileSync('xz', ['-dc', archive], { maxBuffer: 1 << 28 }));
  return path;
}
