import { InputError } from '../../src/core/problem.js';
import type { QrelsRecord } from '../../src/core/qrels.js';
import type { RunRecord } from '../../src/core/run.js';
import type { EvaluateOptions } from '../../src/measures/evaluate.js';
import type { MeasureExample } from '../../src/measures/reference/doc.js';

/** An example as data that can be evaluated. */
export interface ExampleData {
  readonly qrels: readonly QrelsRecord[];
  readonly run: readonly RunRecord[];
  readonly options: EvaluateOptions;
}

/** Reads the short form of an example. Its topic is `q`. */
export function exampleData({ run, qrels, known, expected }: MeasureExample): ExampleData {
  const groups = typeof qrels === 'string' ? [[undefined, qrels] as const] : Object.entries(qrels);
  return {
    qrels: groups.flatMap(([iteration, text]) =>
      words(text).map((word) => {
        const [doc, grade] = word.split(':');
        return { topic: 'q', doc, grade: Number(grade), ...(iteration === undefined ? {} : { iteration }) };
      }),
    ),
    run: rankedGroups(run).flatMap((group, g) => group.map((doc) => ({ topic: 'q', doc, score: 1000 - g }))),
    options: {
      known: known === undefined ? undefined : words(known).map((doc) => ({ topic: 'q', doc, grade: 1 })),
      expected: expected === undefined ? undefined : { q: expected },
    },
  };
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** `a (b c) d` as groups of equal score. */
function rankedGroups(text: string): string[][] {
  return [...text.matchAll(/\(([^)]*)\)|(\S+)/g)].map(([, tied, single]) => (tied === undefined ? [single] : words(tied)));
}

/** The value of arithmetic such as `(1/1 + 2/3) / log2(3)`: numbers, + - * / **, brackets, log2, ln. */
export function workedValue(text: string): number {
  const tokens = text.match(/\*\*|log2|ln|[\d.]+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const refuse = (): never => {
    throw new InputError({ message: `cannot work out ${text}`, wayOut: `something is wrong at ${tokens[at] ?? 'the end'}` });
  };
  const take = (token: string): void => {
    if (tokens[at++] !== token) refuse();
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * signed() : value / signed();
    return value;
  };
  const signed = (): number => {
    if (tokens[at] !== '-') return power();
    at++;
    return -power();
  };
  const power = (): number => {
    const base = atom();
    if (tokens[at] !== '**') return base;
    at++;
    return base ** signed();
  };
  const atom = (): number => {
    const token = tokens[at++];
    if (token === 'log2' || token === 'ln') {
      take('(');
      const inside = sum();
      take(')');
      return token === 'log2' ? Math.log2(inside) : Math.log(inside);
    }
    if (token === '(') {
      const inside = sum();
      take(')');
      return inside;
    }
    const value = Number(token);
    return token === undefined || Number.isNaN(value) ? refuse() : value;
  };
  const value = sum();
  return at === tokens.length ? value : refuse();
}
