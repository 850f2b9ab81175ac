import { InputError } from '../../core/problem.js';
import { splitOutside } from '../../measures/parse.js';
import type { AllowedDrop, GateOptions } from '../../stats/gate.js';
import type { UnjudgedLimit } from '../gate.js';
import { canonicalName } from '../names.js';

/** How much means may fall: all, and those of single measures. */
export type AllowedDrops = Required<Pick<GateOptions, 'maxDrop' | 'maxDrops'>>;

/** `0.01`, `nDCG@10=0.01,AP=0.02` or both: `0.01,AP=0.02` */
export function readDrops(text: string): AllowedDrops {
  const maxDrops: Record<string, AllowedDrop> = {};
  let maxDrop: AllowedDrop | undefined;
  for (const part of splitOutside(text, ',')) {
    // a measure may have parameters of its own, and so equals signs
    const equals = part.lastIndexOf('=');
    const size = part.slice(equals + 1).trim();
    const name = equals < 0 ? undefined : canonicalName(part.slice(0, equals).trim());
    const drop = dropOf(size);
    if (drop === undefined || name === '') {
      throw new InputError({
        message: `--max-drop: expected a number of at least 0 or a percentage, found ${part.trim() || 'nothing'}`,
        wayOut: 'write 0.01 or 5% for all measures, or nDCG@10=0.01,AP=5%',
      });
    }
    const isSecond = name === undefined ? maxDrop !== undefined : Object.hasOwn(maxDrops, name);
    if (isSecond) throw new InputError(`--max-drop: ${name ?? 'a size for all measures'} is given twice in ${text}`);
    if (name === undefined) maxDrop = drop;
    else maxDrops[name] = drop;
  }
  return { maxDrop, maxDrops };
}

/** `0.05`, or `5%` of what it was. */
function dropOf(text: string): AllowedDrop | undefined {
  const found = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?(%?)$/i.exec(text);
  if (found === null || !Number.isFinite(Number.parseFloat(text))) return undefined;
  return found[3] === '%' ? { share: Number(text.slice(0, -1)) / 100 } : Number(text);
}

/** How much a single topic may fall. */
export function readTopicDrop(text: string): AllowedDrop {
  const drop = dropOf(text.trim());
  if (drop !== undefined) return drop;
  throw new InputError({
    message: `--max-topic-drop: expected a number of at least 0 or a percentage, found ${text.trim() || 'nothing'}`,
    wayOut: 'write 0.3 or 50%',
  });
}

/** `0.2@10` or `20%@10` */
export function readUnjudgedLimit(text: string): UnjudgedLimit {
  const found = /^(\d+(?:\.\d+)?|\.\d+)(%?)@([1-9]\d{0,6})$/.exec(text);
  const most = found === null ? Number.NaN : Number(found[1]) / (found[2] === '%' ? 100 : 1);
  if (found === null || !(most <= 1)) {
    throw new InputError({ message: `--max-unjudged: expected a share and a depth, found ${text}`, wayOut: 'write 0.2@10 or 20%@10' });
  }
  return { cutoff: Number(found[3]), most };
}
