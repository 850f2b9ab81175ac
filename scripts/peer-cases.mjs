// Rankings made to hurt, from a seed: whatever tools are known to treat differently is in one of them.
import { seededRandom } from '../dist/index.js';

/** @typedef {Record<string, Record<string, number>>} Table */
/** @typedef {{ qrels: Table, run: Table, subtopics?: [string, string, string, number][] }} Case */

/** Cases by name, with topics named by numbers, because gdeval takes no others. @returns {Record<string, Case>} */
export function peerCases(seed = 1) {
  // a stream for each case, so that a new case changes no other
  let generator = seededRandom(seed);
  const random = () => generator.float();
  const whole = (low, high) => low + Math.floor(random() * (high - low + 1));
  const one = (items) => items[whole(0, items.length - 1)];
  const shuffled = (items) => {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = whole(0, i);
      [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
  };
  /** One topic: documents that are judged, retrieved, or both, in an order of no meaning. */
  const topic = ({ judged = 14, unjudged = 6, missed = 4, grades = [0, 0, 0, 1, 1, 2, 3], score }) => {
    const docs = shuffled(Array.from({ length: judged + unjudged }, (_, i) => `d${whole(0, 9)}x${i}`));
    const qrels = Object.fromEntries(docs.slice(0, judged).map((doc) => [doc, one(grades)]));
    const found = shuffled(docs.slice(Math.min(missed, judged)));
    return { qrels, run: Object.fromEntries(found.map((doc, i) => [doc, score(i, found.length)])) };
  };
  /** Some topics alike. */
  const topics = (count, options) => {
    const all = { qrels: {}, run: {} };
    for (let t = 1; t <= count; t++) {
      const made = topic(typeof options === 'function' ? options(t) : options);
      all.qrels[t] = made.qrels;
      all.run[t] = made.run;
    }
    return all;
  };
  const distinct = (i, n) => n - i + 0.25;
  const mixed = () => whole(-3, 3) / 2;

  const unanswered = () => {
    const made = topics(8, { score: mixed });
    delete made.run[3];
    delete made.run[6];
    made.run[9] = { d1: 2, d2: 1 };
    made.qrels[4] = Object.fromEntries(Object.keys(made.qrels[4]).map((doc) => [doc, 0]));
    return made;
  };
  const odd = (t) => ({
    score: t % 2 === 0 ? distinct : mixed,
    judged: [1, 1, 5, 5, 9, 9, 2, 30, 3][t - 1],
    unjudged: [0, 1, 0, 3, 0, 8, 4, 0, 1][t - 1],
    missed: [0, 0, 0, 5, 2, 3, 1, 12, 0][t - 1],
    grades: t === 3 || t === 5 ? [0] : t === 4 || t === 8 ? [1, 2] : [0, 1, 2],
  });
  /** Judgements per subtopic; the fifth topic has nothing relevant, and the sixth is not answered. */
  const diverse = (score) => {
    const made = { ...topics(7, { score, grades: [0, 1] }), subtopics: [] };
    for (const [t, docs] of Object.entries(made.qrels)) {
      for (const doc of Object.keys(docs)) {
        for (let s = 1; s <= (t === '2' ? 1 : 3); s++) {
          if (random() < 0.7) made.subtopics.push([t, String(s), doc, t === '5' ? 0 : one([-1, 0, 0, 1, 2])]);
        }
      }
    }
    delete made.run[6];
    return made;
  };
  /** Documents whose ids differ in case, or stand in another order in UTF-8 than in UTF-16, all with equal scores. */
  const oddIds = (t) => {
    const ids = [
      'a',
      'A',
      'b',
      'B',
      'a1',
      'a01',
      'A1',
      'é',
      'e\u0301',
      'ß',
      '\uff5e',
      '\u{1f600}',
      '\ufb01',
      '\u{10000}',
      '~',
      '_',
      '-',
      '0',
    ];
    const docs = shuffled(ids.map((id) => (t % 2 === 0 ? `${id}x` : id)));
    const qrels = Object.fromEntries(docs.slice(0, 12).map((doc, i) => [doc, i < 2 ? 1 : one([0, 0, 1, 2])]));
    return { qrels, run: Object.fromEntries(shuffled(docs).map((doc) => [doc, t > 2 ? one([1, 2]) : 1])) };
  };
  /** Some documents have the id of their topic: first, in the middle, as the only one, and judged or not. */
  const ownIds = () => {
    const made = topics(6, { score: mixed });
    for (const t of ['1', '2', '3']) made.run[t][t] = { 1: 50, 2: 0.5, 3: -9 }[t];
    for (const t of ['1', '3', '4', '5']) made.qrels[t][t] = 1;
    made.run[5] = { 5: 1 };
    return made;
  };
  const byTopic = (count, make) => {
    const made = Array.from({ length: count }, (_, i) => [String(i + 1), make(i + 1)]);
    const part = (name) => Object.fromEntries(made.map(([t, one]) => [t, one[name]]));
    return { qrels: part('qrels'), run: part('run') };
  };
  const makers = {
    plain: () => topics(6, { score: distinct }),
    ties: () => topics(6, { score: mixed, judged: 30, unjudged: 15 }),
    'long ties': () => topics(3, { score: () => whole(0, 4), judged: 120, unjudged: 80 }),
    'ties in 32 bits': () => topics(6, { score: (i) => 1 + Math.floor(i / 4) + i * 1e-9 }),
    negative: () => topics(6, { score: mixed, grades: [-2, -1, -1, 0, 0, 1, 2] }),
    'high grades': () => topics(6, { score: mixed, grades: [0, 0, 1, 3, 4] }),
    'higher grades': () => topics(4, { score: mixed, grades: [0, 1, 5, 7] }),
    binary: () => topics(6, { score: mixed, grades: [0, 0, 1] }),
    unanswered,
    odd: () => topics(9, odd),
    scores: () => topics(6, { score: () => one([1e300, -1e300, 1e38, 4e38, -4e38, 0, 1e-320, -1e-320, 1e-50, 16777217, 16777216, -5]) }),
    'negative scores': () => topics(4, { score: () => -whole(1, 30) / 4, missed: 7 }),
    relevant: () => topics(4, { score: mixed, grades: [1, 2] }),
    deep: () => topics(2, { score: () => whole(1, 400), judged: 300, unjudged: 900 }),
    diverse: () => diverse(mixed),
    'diverse, 32 bits': () => diverse((i) => (i % 2 === 0 ? 1 : -1) * (1e9 + Math.floor(i / 4) * 1e3 + i)),
    // below 2^-150 nothing is left in 32 bits, and the sign of a zero does not count
    zeros: () => topics(6, { score: () => one([0, -0, 5e-324, -5e-324, 1e-46, -1e-46, 7.1e-46, 1.4e-45, 2.8e-45, -1.4e-45, 1e-310]) }),
    ids: () => byTopic(5, oddIds),
    'own ids': ownIds,
  };
  return Object.fromEntries(
    Object.entries(makers).map(([name, make], i) => {
      generator = seededRandom(seed, i);
      return [name, make()];
    }),
  );
}
