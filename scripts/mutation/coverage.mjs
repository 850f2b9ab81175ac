import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { folder, root } from './instrument.mjs';
import { TestProcess } from './test-process.mjs';

/** The file and all that it imports, directly or not. */
function closureOf(file, inputs) {
  const found = new Set([file]);
  for (const one of found) for (const { path, external } of inputs[one]?.imports ?? []) if (!external) found.add(path);
  return [...found].sort();
}

/** What each test passes, how often, and how long it takes without a mutant. It takes minutes to find out, so it is kept for each
 *  file of tests as long as neither it nor anything that it imports changes. `remembered` are the mutants of what modules compute
 *  once: as they load, or when it is first asked for. */
export async function findCoverage({ outfile, inputs }, sources, processes) {
  const home = `${folder}coverage/`;
  mkdirSync(home, { recursive: true });
  // mutants are numbered through all sources, so a change in one of them changes the numbers in others
  const numbering = createHash('sha256').update(JSON.stringify([...sources]));
  const contents = new Map();
  const contentOf = (file) => {
    if (!contents.has(file)) contents.set(file, readFileSync(root + file));
    return contents.get(file);
  };
  const process_ = new TestProcess(outfile);
  const files = await process_.start();
  if (files === undefined) throw new Error('the tests cannot be loaded');
  const keptAs = (file) => {
    const hash = numbering.copy();
    for (const one of closureOf(file, inputs)) hash.update(contentOf(one));
    return `${home}${hash.digest('hex')}.json`;
  };
  const kept = new Map([...new Set(files)].map((file) => [file, keptAs(file)]));
  const unknown = [...kept].filter(([, path]) => !existsSync(path));
  const work = async (worker) => {
    for (let next = unknown.shift(); next !== undefined; next = unknown.shift()) {
      const [file, path] = next;
      await worker.start();
      const answer = await worker.ask({ ask: 'cover', file }, 600_000);
      if (answer.ended) throw new Error(`the tests of ${file} do not end`);
      writeFileSync(path, JSON.stringify(answer));
    }
  };
  const helpers = Array.from({ length: unknown.length > 5 ? processes - 1 : 0 }, () => new TestProcess(outfile));
  await Promise.all([process_, ...helpers].map(work));
  for (const helper of helpers) helper.stop();

  const rows = [];
  const remembered = new Set();
  for (const [file, path] of kept) {
    const offset = files.indexOf(file);
    const answer = JSON.parse(readFileSync(path, 'utf8'));
    for (const row of answer.rows) rows.push({ ...row, file, number: offset + row.place });
    for (const mutant of answer.once) remembered.add(mutant);
  }
  const { mutants: atImport } = await process_.ask({ ask: 'atImport' });
  process_.stop();
  for (const mutant of atImport) remembered.add(mutant);
  return { rows, tests: files.length, atImport: new Set(atImport), remembered };
}
