// Values that claims are judged by, kept in the repository: whoever has them needs no data and no training.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Steps } from './study.mjs';

/** What the sources of studies came to, by study and name. */
export class SourceValues {
  constructor(folder) {
    this.folder = folder;
    this.read = new Map();
  }

  path(study, key) {
    return join(this.folder, study, `${key.replaceAll(/[^\w.-]+/g, '-')}.json.gz`);
  }

  get(study, key) {
    const path = this.path(study, key);
    if (!this.read.has(path)) this.read.set(path, existsSync(path) ? JSON.parse(gunzipSync(readFileSync(path))) : undefined);
    return this.read.get(path);
  }

  keep(study, key, values) {
    const path = this.path(study, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, gzipSync(JSON.stringify(values), { level: 9 }));
    renameSync(`${path}.new`, path);
    this.read.delete(path);
  }

  /** Works out what is missing of a study's sources. */
  async complete({ name, sources }, keys, args) {
    for (const key of keys) {
      if (this.get(name, key) !== undefined) continue;
      const steps = (identity) => new Steps(args, identity);
      this.keep(name, key, await sources[key](args, steps, (other) => this.get(name, other)));
    }
  }
}
