/** What each of several calls takes, in seconds: on the clock, and of processor time over all threads of the process.
 *  @param {number} repeats @param {() => void} call
 *  @returns {{ seconds: number[], processor: number[] }} */
export function timed(repeats, call) {
  const seconds = [];
  const processor = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    call();
    seconds.push((performance.now() - start) / 1000);
    const { user, system } = process.cpuUsage(cpu);
    processor.push((user + system) / 1e6);
  }
  return { seconds, processor };
}
