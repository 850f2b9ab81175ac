// Scores of documents by an ensemble of trees; `trees.ts` says the same in TypeScript, bit for bit, and is what this must equal.
// All addresses are given by `tree-scoring-wasm.ts`.
//
// A node is 16 bytes: f64 threshold, u32 address of the value within a document's row (the last bit says that missing values go
// right), u32 address of the left branch; the right branch is the node after it. A leaf has an infinite threshold and leads to
// itself, so that documents in trees of any shape can take their steps side by side: eight chains of loads hide each other's delay.

/** One step down. */
// @ts-ignore: decorator
@inline
function step(node: usize, row: usize): usize {
  return <usize>load<u32>(node, 12) + (usize(load<f64>(row + (load<u32>(node, 8) & ~1)) > load<f64>(node)) << 4);
}

/** One step down where values may be missing. */
// @ts-ignore: decorator
@inline
function stepMissing(node: usize, row: usize): usize {
  const place = load<u32>(node, 8);
  const x = load<f64>(row + (place & ~1));
  const right = u32(x > load<f64>(node)) | (u32(x != x) & place);
  return <usize>load<u32>(node, 12) + (usize(right & 1) << 4);
}

// @ts-ignore: decorator
@inline
function add(score: usize, leaf: usize, nodes: usize, values: usize, single: bool): void {
  const sum = load<f64>(score) + load<f64>(values + ((leaf - nodes) >> 1));
  store<f64>(score, single ? <f64>(<f32>sum) : sum);
}

/** rows    documents, a multiple of eight, each `width` bytes
 *  trees   for each tree its root's address and its depth, two u32
 *  values  an f64 for each node
 *  scores  an f64 for each document, to which the trees are added in order */
export function scoreRows(
  rows: usize,
  width: usize,
  numRows: i32,
  trees: usize,
  numTrees: i32,
  nodes: usize,
  values: usize,
  scores: usize,
  missing: bool,
  single: bool,
): void {
  for (let tree = 0; tree < numTrees; tree++) {
    const root: usize = load<u32>(trees + (tree << 3));
    const depth: i32 = load<u32>(trees + (tree << 3), 4);
    let score = scores;
    let row0 = rows;
    for (let group = 0; group < numRows; group += 8) {
      const row1 = row0 + width;
      const row2 = row1 + width;
      const row3 = row2 + width;
      const row4 = row3 + width;
      const row5 = row4 + width;
      const row6 = row5 + width;
      const row7 = row6 + width;
      let n0 = root;
      let n1 = root;
      let n2 = root;
      let n3 = root;
      let n4 = root;
      let n5 = root;
      let n6 = root;
      let n7 = root;
      if (missing) {
        for (let level = 0; level < depth; level++) {
          n0 = stepMissing(n0, row0);
          n1 = stepMissing(n1, row1);
          n2 = stepMissing(n2, row2);
          n3 = stepMissing(n3, row3);
          n4 = stepMissing(n4, row4);
          n5 = stepMissing(n5, row5);
          n6 = stepMissing(n6, row6);
          n7 = stepMissing(n7, row7);
        }
      } else {
        for (let level = 0; level < depth; level++) {
          const o0 = n0;
          const o1 = n1;
          const o2 = n2;
          const o3 = n3;
          const o4 = n4;
          const o5 = n5;
          const o6 = n6;
          const o7 = n7;
          n0 = step(n0, row0);
          n1 = step(n1, row1);
          n2 = step(n2, row2);
          n3 = step(n3, row3);
          n4 = step(n4, row4);
          n5 = step(n5, row5);
          n6 = step(n6, row6);
          n7 = step(n7, row7);
          // nobody moved: all have arrived
          if (((n0 ^ o0) | (n1 ^ o1) | (n2 ^ o2) | (n3 ^ o3) | (n4 ^ o4) | (n5 ^ o5) | (n6 ^ o6) | (n7 ^ o7)) == 0) break;
        }
      }
      add(score, n0, nodes, values, single);
      add(score + 8, n1, nodes, values, single);
      add(score + 16, n2, nodes, values, single);
      add(score + 24, n3, nodes, values, single);
      add(score + 32, n4, nodes, values, single);
      add(score + 40, n5, nodes, values, single);
      add(score + 48, n6, nodes, values, single);
      add(score + 56, n7, nodes, values, single);
      row0 = row7 + width;
      score += 64;
    }
  }
}
