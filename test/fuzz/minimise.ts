/** Zeller's delta debugging over bytes: leaves out ever smaller spans as long as the input still fails in the same way. */
export async function minimised(
  input: Uint8Array,
  stillFails: (candidate: Uint8Array) => Promise<boolean>,
  mostTries = 3000,
  mostSeconds = 20,
): Promise<Uint8Array> {
  let best = input;
  let tries = 0;
  const deadline = Date.now() + mostSeconds * 1000;
  for (let size = Math.ceil(best.length / 2); size >= 1; ) {
    let shrunk = false;
    for (let start = 0; start < best.length; ) {
      if (tries++ >= mostTries || Date.now() > deadline) return best;
      const candidate = new Uint8Array(best.length - Math.min(size, best.length - start));
      candidate.set(best.subarray(0, start));
      candidate.set(best.subarray(start + size), start);
      if (await stillFails(candidate)) {
        best = candidate;
        shrunk = true;
      } else start += size;
    }
    if (size === 1 && !shrunk) return best;
    if (size > 1) size = Math.ceil(size / 2);
  }
  return best;
}
