/** How much a function runs before V8 optimises it, in Node 20. */
export const USUAL_BUDGET: number = 67_584;
/** So much that the functions of a short evaluation are done before: what optimising them takes would never come back. */
const LATE_BUDGET = 1_000_000;
/** The only V8 this was measured with. Others count differently. */
const MEASURED_V8 = '11.3.';

/** Makes V8 wait longer before it optimises a function, until `close` is called; for work that is over in less time than optimising its
 *  functions takes. Undefined where nothing is known about the V8 that runs. */
export function optimiseLate(): { close(): Promise<void> } | undefined {
  if (!process.versions.v8.startsWith(MEASURED_V8)) return undefined;
  const setBudget = (budget: number): void => process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${budget}`);
  setBudget(LATE_BUDGET);
  // kept code is valid for the settings that it was compiled with, and those are the usual ones
  return { close: async () => setBudget(USUAL_BUDGET) };
}
