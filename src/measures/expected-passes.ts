import { scratchFor } from '../core/growing-arrays.js';
import type { TopicView } from '../core/judging/judge.js';
import { GainPass, type GainRule, gainKey, isUnjudged } from './gain-pass.js';
import { Passes, PrecisionPass, RelevancePass, UnjudgedPass } from './passes.js';

/** Passes whose numbers are means over all orders of equal scores. A measure that is linear in what the passes hold gives
 *  its own mean when it reads these. The topic has to tell its ties. */
export class ExpectedPasses extends Passes {
  protected override newRelevance(level: number): RelevancePass {
    return new ExpectedRelevancePass(level);
  }

  protected override newPrecision(relevance: RelevancePass): PrecisionPass {
    return new ExpectedPrecisionPass(relevance);
  }

  override gains(rule: GainRule): GainPass {
    return this.shared(`gains ${gainKey(rule)}`, () => new ExpectedGainPass(rule));
  }

  override unjudged(): UnjudgedPass {
    return this.shared('unjudged', () => new ExpectedUnjudgedPass(Infinity));
  }
}

/** Writes the mean prefix counts of the documents for which `counts` holds. */
function expectedCounts(topic: TopicView, counts: (code: number) => boolean, out: Float64Array): void {
  const { codes, start, numRetrieved, ties } = topic;
  if (ties === undefined) return;
  let before = 0;
  out[0] = 0;
  for (let g = 0; g < ties.count; g++) {
    const from = ties.starts[g];
    const to = ties.starts[g + 1];
    let inGroup = 0;
    for (let i = from; i < to; i++) if (counts(codes[start + i])) inGroup++;
    for (let i = from; i < Math.min(to, numRetrieved); i++) out[i + 1] = before + ((i + 1 - from) * inGroup) / (to - from);
    before += inGroup;
  }
}

class ExpectedRelevancePass extends RelevancePass {
  override hits: Float64Array = new Float64Array(1025);
  private judgedHits: Float64Array = new Float64Array(1025);

  override update(topic: TopicView): void {
    const { numRetrieved } = topic;
    this.judgedHits = scratchFor(this.judgedHits, numRetrieved + 1);
    super.update(topic);
    expectedCounts(topic, (code) => code >= this.level, this.hits);
    expectedCounts(topic, (code) => code >= this.level && code >= 0, this.judgedHits);
    this.numRelevantRetrieved = numRetrieved > 0 ? this.judgedHits[numRetrieved] : 0;
  }
}

class ExpectedUnjudgedPass extends UnjudgedPass {
  override counts: Float64Array = new Float64Array(1025);

  override update(topic: TopicView): void {
    this.counts = scratchFor(this.counts, topic.numRetrieved + 1);
    expectedCounts(topic, isUnjudged, this.counts);
  }
}

class ExpectedPrecisionPass extends PrecisionPass {
  /** With m relevant documents among the t of a group and h before it, place j of the group is relevant with probability m/t,
   *  and then each of the j - 1 documents before it in the group is with probability (m - 1)/(t - 1). */
  override update({ codes, start, numRetrieved, ties }: TopicView): void {
    if (ties === undefined) return;
    const { level } = this.relevance;
    this.sums = scratchFor(this.sums, numRetrieved + 1);
    const { sums } = this;
    let hits = 0;
    let sum = 0;
    for (let g = 0; g < ties.count; g++) {
      const from = ties.starts[g];
      const to = ties.starts[g + 1];
      const size = to - from;
      let inGroup = 0;
      for (let i = from; i < to; i++) if (codes[start + i] >= level) inGroup++;
      const others = size > 1 ? (inGroup - 1) / (size - 1) : 0;
      for (let i = from; i < Math.min(to, numRetrieved); i++) {
        sum += ((inGroup / size) * (hits + 1 + (i - from) * others)) / (i + 1);
        sums[i + 1] = sum;
      }
      hits += inGroup;
    }
  }
}

class ExpectedGainPass extends GainPass {
  override update(topic: TopicView): void {
    const { numRetrieved, ties } = topic;
    if (ties === undefined) return;
    // a group that the depth cuts through gives its mean too
    super.update({ ...topic, numRetrieved: ties.starts[ties.count] });
    this.numRetrieved = numRetrieved;
    const { ranked } = this;
    for (let g = 0; g < ties.count; g++) {
      const from = ties.starts[g];
      const to = ties.starts[g + 1];
      if (to - from < 2) continue;
      let sum = 0;
      for (let i = from; i < to; i++) sum += ranked[i];
      ranked.fill(sum / (to - from), from, to);
    }
  }
}
