import { evaluationLimits } from './evaluation-limits.js';
import { InputError } from './problem.js';

/** How large an array that grows is to become. Rows, ids, values of features and the bytes of ids and comments are numbered in
 *  32 bits (`Uint32Array`): numbers of twice the width would double the memory of everything, and it takes 32 GiB of memory
 *  to get that far. What grows through here cannot have a number that does not fit, and whatever is derived from it (offsets,
 *  orders, ranks, counts of some of the rows) cannot either.
 *  @param needed  entries that there must be room for
 *  @param wanted  entries that there should be room for, so that growing is rare
 *  @param what    what the entries are, in the plural
 *  @throws InputError if they are more than can be numbered */
export function roomFor(needed: number, wanted: number, what: string): number {
  const most = evaluationLimits.entries;
  if (needed > most) {
    throw new InputError({
      message: `found more than ${most} ${what}`,
      wayOut: 'divide the file by topics, and take the parts one by one',
    });
  }
  return Math.min(Math.max(needed, wanted), most);
}
