/** Finds and reads the data that recorded cases name: CSV tables, archives of judgements and runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param folder The folder of the recorded cases. @param data The folder of the data, if it was named. */
export class Data {
  constructor(folder, data, product) {
    const given = data === undefined ? [join(folder, '..', '..', 'data', 'judging')] : [data];
    this.places = given.flatMap((place) => [
      place,
      join(place, 'judging'),
      join(place, '..'),
      join(place, '..', 'score-matrices'),
      join(place, 'score-matrices'),
    ]);
    this.product = product;
    this.unpacked = new Map();
  }

  find(name) {
    const found = this.places.map((place) => join(place, name)).find(existsSync);
    if (found === undefined) throw new Error(`found no ${name} in ${this.places.join(', ')}; name the folder with --data`);
    return found;
  }

  /** A table with a row per topic and a column per system. */
  table(name) {
    const [header, ...rows] = readFileSync(this.find(`${name}.csv`), 'utf8')
      .trim()
      .split(/\r?\n/);
    const names = header.split(',').map((text) => text.replaceAll('"', ''));
    const cells = rows.map((row) => row.split(',').map(Number));
    return { names, systems: names.map((_, s) => Float64Array.from(cells, (row) => row[s])) };
  }

  /** The folder with what an archive holds. */
  archive(name) {
    const archive = this.find(name);
    let folder = this.unpacked.get(archive);
    if (folder === undefined) {
      folder = mkdtempSync(join(tmpdir(), 'gradus-golden-'));
      execFileSync('tar', ['-xJf', archive, '-C', folder]);
      this.unpacked.set(archive, folder);
    }
    const inside = readdirSync(folder);
    return inside.length === 1 ? join(folder, inside[0]) : folder;
  }

  async judgements(path) {
    return (await this.product.readJudgements(this.product.fileSource(path))).qrels;
  }

  async run(path) {
    return (await this.product.readRun(this.product.fileSource(path))).run;
  }

  close() {
    for (const folder of this.unpacked.values()) rmSync(folder, { recursive: true });
  }
}

/** Judgements as topic → document → grade. */
export function gradesOf(qrels) {
  const grades = new Map();
  for (let t = 0; t < qrels.topics.size; t++) {
    const own = new Map();
    for (let row = qrels.offsets[t]; row < qrels.offsets[t + 1]; row++) own.set(qrels.docs.text(qrels.docOf[row]), qrels.grades[row]);
    grades.set(qrels.topics.text(t), own);
  }
  return grades;
}
