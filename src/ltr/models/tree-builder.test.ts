import { describe, expect, it } from 'vitest';
import { TreeBuilder } from './tree-builder.js';

const stump = (node: number) =>
  node === 0 ? { feature: 0, threshold: 1, missingLeft: false, left: 1, right: 2, cover: 10, gain: 1 } : { value: node, cover: 4 + node };

describe('TreeBuilder', () => {
  it('keeps the counts of splits beside trees of one leaf, which need none', () => {
    const builder = new TreeBuilder();
    builder.add(0, 1, stump);
    builder.add(0, 1, () => ({ value: 4 }));
    expect(builder.finish().cover).toEqual(Float64Array.of(10, 5, 6, 0));
  });

  it('has no counts where a split lacks one', () => {
    const builder = new TreeBuilder();
    builder.add(0, 1, (node) => ({ ...stump(node), cover: undefined }));
    expect(builder.finish().cover).toBeUndefined();
  });
});
