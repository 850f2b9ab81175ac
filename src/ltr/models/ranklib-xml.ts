import { InputError } from '../../core/problem.js';

/** A tree as RankLib writes it; the root is node 0. */
export interface RankLibTree {
  readonly weight: number;
  readonly nodes: readonly RankLibNode[];
}

/** A node of a RankLib tree: a leaf with its output, or a split with the numbers of its children. */
export type RankLibNode =
  | { readonly output: number }
  | { readonly feature: number; readonly threshold: number; readonly left: number; readonly right: number };

interface OpenNode {
  feature?: number;
  threshold?: number;
  output?: number;
  left?: number;
  right?: number;
}

/** The ensembles of a file, each a list of trees: as much XML as RankLib writes, which is tags, two attributes and numbers. */
export function readEnsembles(text: string): RankLibTree[][] {
  const ensembles: RankLibTree[][] = [];
  let trees: RankLibTree[] | undefined;
  let tree: { weight: number; nodes: OpenNode[] } | undefined;
  const open: number[] = [];
  let field = '';
  const fail = (found: string): never => {
    throw new InputError({ message: `the RankLib ensemble is broken at ${found}`, wayOut: 'the file may have been cut off' });
  };
  const xml = text.slice(Math.max(0, text.indexOf('<')));
  for (const [piece, closing, tag, attributes, words] of xml.matchAll(/<(\/?)(\w+)([^<>]*)>|([^<>]+)/g)) {
    if (words !== undefined) {
      if (words.trim() === '') continue;
      const node = tree?.nodes[open.at(-1) ?? -1] ?? fail(words.trim().slice(0, 40));
      const number = Number(words);
      if (!Number.isFinite(number) || (field !== 'feature' && field !== 'threshold' && field !== 'output')) fail(words.trim().slice(0, 40));
      else node[field] = number;
    } else if (tag === 'ensemble') {
      if (closing === '') {
        if (trees !== undefined || tree !== undefined) fail('an ensemble inside another');
        trees = [];
      } else {
        if (trees === undefined || trees.length === 0 || tree !== undefined) return fail('an ensemble without trees');
        ensembles.push(trees);
        trees = undefined;
      }
    } else if (tag === 'tree') {
      if (closing === '') {
        if (tree !== undefined) fail('a tree inside another');
        tree = { weight: attributeOf(attributes, 'weight') ?? fail(piece.slice(0, 40)), nodes: [] };
      } else {
        if (tree === undefined || trees === undefined || open.length > 0) return fail(piece.slice(0, 40));
        if (tree.nodes.length === 0) fail('a tree without nodes');
        trees.push({ weight: tree.weight, nodes: tree.nodes.map((node, n) => finishedNode(node, `node ${n} of tree ${trees?.length}`)) });
        tree = undefined;
      }
    } else if (tag === 'split') {
      if (tree === undefined) return fail(piece.slice(0, 40));
      if (closing !== '') {
        if (open.pop() === undefined) fail(piece.slice(0, 40));
        continue;
      }
      const parent = open.at(-1);
      const child = tree.nodes.push({}) - 1;
      if (parent === undefined) {
        if (child > 0) fail('a second root');
      } else {
        const side = /pos="(left|right)"/.exec(attributes)?.[1];
        if (side !== 'left' && side !== 'right') return fail(piece.slice(0, 40));
        if (tree.nodes[parent][side] !== undefined) fail(`a second ${side} branch`);
        tree.nodes[parent][side] = child;
      }
      open.push(child);
    } else field = closing === '' ? tag : '';
  }
  if (trees !== undefined || ensembles.length === 0) fail('its end');
  return ensembles;
}

function attributeOf(attributes: string, name: string): number | undefined {
  const text = new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
  return text === undefined || text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

function finishedNode({ feature, threshold, output, left, right }: OpenNode, where: string): RankLibNode {
  if (output !== undefined) return { output };
  if (feature === undefined || threshold === undefined || left === undefined || right === undefined) {
    throw new InputError(`the RankLib ensemble: ${where} has neither an output nor a feature, a threshold and two branches`);
  }
  return { feature, threshold, left, right };
}
