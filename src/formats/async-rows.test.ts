import { describe, expect, test } from 'vitest';
import { judge } from '../core/judging/judge.js';
import { preferences } from '../core/judging/judge-preferences.js';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { evaluate } from '../measures/evaluate.js';
import { collectQrels, collectRun } from './async-rows.js';
import { parseQrels, parseRun, readJudgements, readRun } from './read.js';
import { jsonSource } from './source.js';

const judged = '1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n';
const retrieved = '1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n2 Q0 d 1 2 r\n2 Q0 c 2 1 r\n';

describe('judgements and runs that were cloned, as postMessage does', () => {
  const qrels = parseQrels(judged).qrels;
  const run = parseRun(retrieved).run;

  test('are scored as before', () => {
    expect(evaluate(structuredClone(qrels), structuredClone(run), 'AP')).toBe(0.75);
    expect(evaluate(structuredClone(qrels), structuredClone(run), ['AP', 'RR']).means()).toEqual({ AP: 0.75, RR: 0.75 });
  });

  test('have their methods again after toQrels and toRun', () => {
    const [again, ranked] = [toQrels(structuredClone(qrels)), toRun(structuredClone(run))];
    expect([again.topics.find('2'), ranked.docs.text(ranked.docOf[0])]).toEqual([1, 'a']);
    expect(again.topics.intern('3')).toBe(2);
    expect(evaluate(judge(toQrels(structuredClone(qrels)), ranked), ['AP']).means()).toEqual({ AP: 0.75 });
  });

  test('groups go along; the function of preferences does not, and is given back', () => {
    const grouped = parseQrels('1 x a 1\n1 x b 0\n1 y a 2\n1 y b 1\n', { groups: true }).qrels;
    expect(() => structuredClone(grouped)).toThrow();
    const { judgePreferences: _, ...data } = grouped;
    const cloned = toQrels(structuredClone(data));
    expect(cloned.groups?.ids.text(1)).toBe('y');
    expect(preferences(cloned).judgePreferences).toBeDefined();
  });

  test('a message to another thread holds them', async () => {
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise<number>((resolve) => {
      port2.onmessage = ({ data }: MessageEvent<{ qrels: typeof qrels; run: typeof run }>) => resolve(evaluate(data.qrels, data.run, 'AP'));
    });
    port1.postMessage({ qrels, run });
    expect(await arrived).toBe(0.75);
    port1.close();
  });
});

async function* later<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

describe('what a program holds', () => {
  test('collectRun and collectQrels take records as they arrive', async () => {
    const qrels = await collectQrels(
      later([
        { topic: 'q', doc: 'a', grade: 1 },
        { topic: 'q', doc: 'b', grade: 0 },
      ]),
    );
    const run = await collectRun(
      later([
        { topic: 'q', doc: 'b', score: 2 },
        { topic: 'q', doc: 'a', score: 1 },
      ]),
      'mine',
    );
    expect([run.name, evaluate(qrels, run, 'RR')]).toEqual(['mine', 0.5]);
    await expect(collectRun(later([{ topic: 'q', doc: 'a', score: Number.NaN }]))).rejects.toThrow('expected a number as score');
  });

  const answer = (...docs: string[]) => ({ hits: { hits: docs.map((_id, i) => ({ _index: 'i', _id, _score: docs.length - i })) } });

  test('responses of a search engine are read as objects', async () => {
    const { run } = await readRun(jsonSource(answer('b', 'a')), { topicNames: ['q'] });
    expect(evaluate({ q: { a: 1 } }, run, 'RR')).toBe(0.5);
    const responses = { q1: answer('b', 'a'), q2: answer('c') };
    const lines = Object.entries(responses).map(([query_id, response]) => ({ query_id, response }));
    expect(evaluate({ q1: { a: 1 }, q2: { c: 1 } }, (await readRun(jsonSource(lines))).run, 'RR')).toBe(0.75);
  });

  test('so are requests to _rank_eval', async () => {
    const request = { requests: [{ id: 'q', ratings: [{ _index: 'i', _id: 'a', rating: 1 }] }] };
    const { qrels } = await readJudgements(jsonSource(request));
    expect(evaluate(qrels, { q: ['b', 'a'] }, 'RR')).toBe(0.5);
  });
});
