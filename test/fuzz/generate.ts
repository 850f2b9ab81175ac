import type { Dice } from '../helpers/dice.js';
import { awkwardTexts, bytesOf, numberTexts } from './mutate.js';

const topics = ['1', '2', '10', '051', '51', '301', 'q1', 'Q1', 'q\u00e9', 'topic-00001', 'longer-topic-name-1', '#1'];
const docs = ['d1', 'd2', 'd10', 'D1', 'a', 'b', 'c', 'FT911-1', 'clueweb09-en0000-00-00000', 'x', '\u00e9', '\u65e5\u672c', '0', '-1'];

export function id(dice: Dice, ordinary: readonly string[]): string {
  return dice.chance(0.93) ? dice.pick(ordinary) : dice.pick(awkwardTexts);
}

export const topicId = (dice: Dice): string => id(dice, topics);
export const docId = (dice: Dice): string => (dice.chance(0.3) ? `d${dice.below(40)}` : id(dice, docs));

/** Scores with many ties, and now and then a number that hurts. */
export function scoreText(dice: Dice): string {
  const kind = dice.below(12);
  if (kind === 0) return dice.pick(numberTexts);
  if (kind < 4) return String(dice.below(5));
  if (kind < 6) return (dice.below(100) / 8).toString();
  if (kind === 6) return String(dice.random.normal());
  if (kind === 7) return dice.random.normal().toExponential(dice.between(0, 20));
  if (kind === 8) return (16777216 + dice.below(4)).toString();
  return (dice.random.float() * 20).toFixed(dice.between(0, 8));
}

export function gradeText(dice: Dice): string {
  return dice.chance(0.06) ? dice.pick(numberTexts) : dice.pick(['0', '0', '0', '1', '1', '1', '2', '3', '-1', '-2', '4', '1.5']);
}

/** Rows of cells as lines, with gaps and ends as they come, and now and then a line that is something else. */
export function layOut(dice: Dice, rows: readonly (readonly string[])[], gap: string): Uint8Array {
  const end = dice.chance(0.85) ? '\n' : '\r\n';
  let text = dice.chance(0.03) ? '\ufeff' : '';
  for (const row of rows) {
    if (dice.chance(0.02)) text += dice.pick(['', ' ', '#', '# a comment', '\t', 'bad', 'a b', '\0']) + end;
    const between = gap === ' ' && dice.chance(0.1) ? dice.pick(['\t', '  ', ' \t', '\v', '\f', '\r']) : gap;
    text += `${dice.chance(0.02) ? ' ' : ''}${row.join(between)}${dice.chance(0.03) ? ' ' : ''}${end}`;
  }
  if (dice.chance(0.2)) text = text.slice(0, -end.length);
  return bytesOf(text, dice.chance(0.05));
}

/** Topic and document pairs, mostly by topic, rarely repeated. */
export function pairs(dice: Dice, most = 24): { topic: string; doc: string }[] {
  const list: { topic: string; doc: string }[] = [];
  const seen = new Set<string>();
  let topic = topicId(dice);
  for (let more = 1 + dice.below(most); more > 0; more--) {
    if (dice.chance(0.2)) topic = topicId(dice);
    const doc = docId(dice);
    const key = JSON.stringify([topic, doc]);
    if (seen.has(key) && dice.chance(0.97)) continue;
    seen.add(key);
    list.push({ topic, doc });
  }
  return dice.chance(0.15) ? dice.shuffled(list) : list;
}

export function runText(dice: Dice): Uint8Array {
  const tag = dice.chance(0.95) ? 'tag' : dice.pick(awkwardTexts);
  return layOut(
    dice,
    pairs(dice).map(({ topic, doc }, i) => [topic, 'Q0', doc, dice.chance(0.95) ? String(i + 1) : scoreText(dice), scoreText(dice), tag]),
    ' ',
  );
}

/** Lines of topic, document and rank, as a rule from 1 on for each topic. */
export function rankText(dice: Dice): Uint8Array {
  const seen = new Map<string, number>();
  const first = dice.pick([0, 1, 1, 1]);
  const rows = pairs(dice).map(({ topic, doc }) => {
    const rank = (seen.get(topic) ?? first - 1) + 1;
    seen.set(topic, rank);
    return [topic, doc, dice.chance(0.97) ? String(rank) : scoreText(dice)];
  });
  return layOut(dice, dice.chance(0.2) ? dice.shuffled(rows) : rows, dice.pick(['\t', ' ']));
}

export function qrelsText(dice: Dice, numGroups: 1 | 2 = 1): Uint8Array {
  const group = (): string => dice.pick(['0', '0', '1', 'g1', 'g2']);
  return layOut(
    dice,
    pairs(dice).map(({ topic, doc }) => [topic, group(), ...(numGroups === 2 ? [dice.pick(['s0', 's1', '0'])] : []), doc, gradeText(dice)]),
    ' ',
  );
}

/** A field of a CSV file, in quotes where it needs them and sometimes where it does not. */
function csvField(dice: Dice, text: string, delimiter: string): string {
  const needsQuotes = text.includes(delimiter) || /["\r\n]/.test(text);
  return (needsQuotes && dice.chance(0.95)) || dice.chance(0.05) ? `"${text.replace(/"/g, '""')}"` : text;
}

const topicNames = ['query_id', 'topic', 'qid', 'query-id', 'q_id'];
const docNames = ['doc_id', 'doc', 'docno', 'corpus-id', 'docid'];
const scoreNames = ['score', 'score', 'sim', 'relevance', 'grade', 'rel', 'rank', 'position'];

export function tableText(dice: Dice, delimiter: string): Uint8Array {
  const names = [
    dice.pick(topicNames),
    dice.pick(docNames),
    dice.pick(scoreNames),
    ...(dice.chance(0.3) ? ['rank'] : []),
    ...(dice.chance(0.3) ? [dice.pick(['iteration', 'group', 'note', ''])] : []),
    // now and then more columns than anybody has
    ...(dice.chance(0.02) ? Array.from({ length: dice.pick([63, 64, 65, 300]) }, (_, i) => `x${i}`) : []),
  ];
  const order = dice.chance(0.2) ? dice.shuffled(names.map((_, i) => i)) : names.map((_, i) => i);
  const rows = pairs(dice).map(({ topic, doc }, i) => {
    const cells = [topic, doc, dice.chance(0.5) ? gradeText(dice) : scoreText(dice), String(i + 1), 'g'];
    return order.map((at) => csvField(dice, cells[at] ?? String(at), delimiter));
  });
  return layOut(dice, [order.map((at) => names[at]), ...rows], delimiter);
}

function numberJson(dice: Dice): string {
  const text = dice.chance(0.5) ? gradeText(dice) : scoreText(dice);
  return dice.chance(0.03) ? JSON.stringify(text) : text;
}

/** `{ topic: { document: number } }` or an array of records, with white space and escapes as they come. */
export function jsonText(dice: Dice): Uint8Array {
  const string = (text: string): string => {
    const json = JSON.stringify(text);
    return dice.chance(0.1) ? json.replace(/[a-z]/gi, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) : json;
  };
  const blank = (): string => (dice.chance(0.9) ? '' : dice.pick([' ', '\n', '\t', '\r\n']));
  const list = pairs(dice);
  if (dice.chance(0.4)) {
    const records = list.map((pair) => recordJson(dice, pair, string));
    return bytesOf(`[${blank()}${records.join(`,${blank()}`)}]${blank()}`);
  }
  if (dice.chance(0.15)) {
    const arrays = [...new Set(list.map(({ topic }) => topic))].map(
      (topic) =>
        `${string(topic)}:[${list
          .filter((pair) => pair.topic === topic)
          .map(({ doc }) => string(doc))
          .join(',')}]`,
    );
    return bytesOf(`{${arrays.join(',')}}`);
  }
  const byTopic = new Map<string, string[]>();
  for (const { topic, doc } of list)
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), `${blank()}${string(doc)}:${blank()}${numberJson(dice)}`]);
  return bytesOf(`{${[...byTopic].map(([topic, entries]) => `${string(topic)}:{${entries.join(',')}}`).join(`,${blank()}`)}}${blank()}`);
}

function recordJson(dice: Dice, { topic, doc }: { topic: string; doc: string }, string: (text: string) => string): string {
  const fields = [
    `${string(dice.pick(topicNames))}:${dice.chance(0.9) ? string(topic) : numberJson(dice)}`,
    `${string(dice.pick(docNames))}:${string(doc)}`,
    `${string(dice.pick(scoreNames))}:${numberJson(dice)}`,
    ...(dice.chance(0.2) ? [`"rank":${dice.below(9)}`] : []),
    ...(dice.chance(0.1) ? [`"more":${dice.pick(['null', '[1,{"a":[]}]', '{"b":{}}', 'true', '"x"'])}`] : []),
  ];
  return `{${(dice.chance(0.2) ? dice.shuffled(fields) : fields).join(',')}}`;
}

export function jsonLinesText(dice: Dice): Uint8Array {
  const end = dice.chance(0.85) ? '\n' : '\r\n';
  const lines = pairs(dice).map((pair) =>
    dice.chance(0.02) ? dice.pick(['', ' ', '[]', '1', '{}', 'null']) : recordJson(dice, pair, JSON.stringify),
  );
  return bytesOf(lines.join(end) + (dice.chance(0.7) ? end : ''));
}

/** Lines of a learning-to-rank file. */
export function letorLines(dice: Dice): Uint8Array {
  const numFeatures = 1 + dice.below(6);
  let query = '1';
  const rows = Array.from({ length: 1 + dice.below(20) }, (_, i) => {
    if (dice.chance(0.25)) query = dice.chance(0.9) ? String(1 + dice.below(5)) : topicId(dice);
    const ids = Array.from({ length: numFeatures }, (_, f) => f + 1).filter(() => dice.chance(0.9));
    if (dice.chance(0.05)) ids.push(dice.pick([0, 1, 46, 136, 700, 65536, 1_000_000]));
    const cells = (dice.chance(0.05) ? dice.shuffled(ids) : ids).map((f) => `${f}:${scoreText(dice)}`);
    const comment = dice.chance(0.4) ? [dice.pick([`# docid = d${i}`, `#docid = d${i} inc = 1 prob = 0.5`, '#', '# x'])] : [];
    return [gradeText(dice), `qid:${query}`, ...cells, ...comment];
  });
  return layOut(dice, rows, ' ');
}
