/** Files of other tools: what Gradus reads from them is compared with tables, and what it says about broken ones with what was expected.
 *  A message agrees if it has the expected words, or, where a reader of Gradus has words of its own for the case, if it names the same
 *  line and every id, number and quoted text; such cases are counted as a remark. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares all samples of a folder.
 *  @param product The functions `fileSource`, `readRun`, `readJudgements` and `readFeatures`. */
export async function check(folder, { product }) {
  const samples = JSON.parse(readFileSync(join(folder, 'samples.json'), 'utf8'));
  const disagreements = [];
  const inOtherWords = [];
  for (const sample of samples) {
    const told = await problemWith(sample, folder, inOtherWords, product);
    if (told !== undefined) disagreements.push(`${sample.file} (${sample.kind}): ${told}`);
  }
  const remarks = inOtherWords.map((line) => `in other words, ${line}`);
  return { disagreements, remarks, agreed: samples.length - disagreements.length, total: samples.length };
}

async function problemWith(sample, folder, inOtherWords, product) {
  let read;
  try {
    read = await readSample(sample, folder, product);
  } catch (error) {
    if (error?.name !== 'InputError') return `failed with ${error?.stack ?? error}`;
    if (!sample.error) return `was refused: ${error.message}`;
    return problemWithMessage(sample, error, inOtherWords);
  }
  if (sample.error) return `was read, expected to be refused: ${sample.error}`;
  if (!sample.expected) return undefined;
  const expected = tableOf(join(folder, sample.expected));
  return sample.kind === 'qrels' ? problemWithQrels(read.qrels, expected) : problemWithRun(read.run, expected, sample);
}

async function readSample(sample, folder, { fileSource, readFeatures, readJudgements, readRun }) {
  const source = fileSource(join(folder, sample.file));
  const topicNames = sample.topics ? linesOf(join(folder, sample.topics)) : sample.topic ? [sample.topic] : undefined;
  const options = { topicNames, run: sample.run, subset: sample.subset, judges: sample.judges, columns: sample.columns };
  if (sample.kind === 'qrels') return await readJudgements(source, options);
  if (sample.kind === 'data') {
    const groups = ['.query', '.group'].map((ending) => join(folder, sample.file + ending)).find(existsSync);
    return await readFeatures(source, groups === undefined ? {} : { letor: { groupSizes: linesOf(groups).map(Number) } });
  }
  return await readRun(source, options);
}

function linesOf(path) {
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

function tableOf(path) {
  const [header, ...rows] = linesOf(path).map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ''])));
}

function same(found, expected) {
  return Math.abs(found - expected) <= 1e-12 * Math.max(Math.abs(found), Math.abs(expected));
}

function problemWithQrels(qrels, expected) {
  const found = new Map();
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      found.set(`${qrels.topics.text(topic)}\t${qrels.docs.text(qrels.docOf[row])}`, qrels.grades[row]);
    }
  }
  if (found.size !== expected.length) return `has ${found.size} judgements, expected ${expected.length}`;
  for (const { topic, doc, grade } of expected) {
    const value = found.get(`${topic}\t${doc}`);
    if (value === undefined) return `has no judgement of ${doc} for ${topic}`;
    if (!same(value, Number(grade))) return `grade of ${doc} for ${topic} is ${value}, expected ${grade}`;
  }
  return undefined;
}

function problemWithRun(run, expected, { emptyTopics = [], tie }) {
  const wanted = new Map(emptyTopics.map((topic) => [topic, []]));
  for (const row of expected) wanted.set(row.topic, [...(wanted.get(row.topic) ?? []), row]);
  const topics = Array.from({ length: run.topics.size }, (_, topic) => run.topics.text(topic));
  for (const topic of topics) if (!wanted.has(topic)) return `has a topic ${topic}, expected ${[...wanted.keys()].join(', ')}`;
  for (const [topic, rows] of wanted) {
    const number = topics.indexOf(topic);
    if (number < 0) return `has no topic ${topic}`;
    const [start, end] = [run.offsets[number], run.offsets[number + 1]];
    // a stable sort keeps the order of the file among equal scores; only where the table says that it is open do they count as one
    const order = Array.from({ length: end - start }, (_, i) => start + i).sort((a, b) => run.scores[b] - run.scores[a]);
    if (order.length !== rows.length) return `topic ${topic} has ${order.length} documents, expected ${rows.length}`;
    for (const [place, row] of order.entries()) {
      const doc = run.docs.text(run.docOf[row]);
      if (doc !== rows[place].doc) return `topic ${topic} has ${doc} at rank ${place + 1}, expected ${rows[place].doc}`;
      if (place > 0 && !tie && run.scores[row] === run.scores[order[place - 1]])
        return `topic ${topic} leaves the order at rank ${place + 1} open`;
      const score = run.listedScores?.[row] ?? (run.ranksOnly ? Number.NaN : run.scores[row]);
      if (rows[place].score === '' ? !Number.isNaN(score) : !same(score, Number(rows[place].score))) {
        return `topic ${topic}, document ${doc} has score ${score}, expected ${rows[place].score || 'none'}`;
      }
    }
  }
  return undefined;
}

function problemWithMessage({ file, error: expected, line }, error, inOtherWords) {
  const [problem] = error.problems;
  const text = [problem.message, problem.wayOut].filter(Boolean).join('; ');
  if (line != null && problem.line !== line) return `names line ${problem.line}, expected ${line}: ${text}`;
  if (text.includes(expected)) return undefined;
  const facts = expected.match(/"[^"]*"|[\w.-]*\d[\w.-]*/g) ?? [];
  const words = new Set(text.match(/"[^"]*"|[\w.-]*\d[\w.-]*/g));
  const missing = facts.filter((fact) => !words.has(fact) && !words.has(`"${fact}"`));
  if (missing.length > 0 || facts.length === 0) return `says "${text}", expected "${expected}"`;
  inOtherWords.push(`${file} says "${text}" for "${expected}"`);
  return undefined;
}
