/** How much of anything Gradus takes. Each value is explained in `src/cli/limit-reference.ts`, from which `docs/limits.md` is made,
 *  and tried at the limit and one beyond it in `test/limits`. They are read where they are needed and never copied, so that tests can
 *  lower them for a moment. */
export const limits: Record<LimitName, number> = {
  lineBytes: 2 ** 26,
  recordBytes: 2 ** 26,
  jsonTokenBytes: 2 ** 26,
  jsonNesting: 64,
};

export type LimitName = 'lineBytes' | 'recordBytes' | 'jsonTokenBytes' | 'jsonNesting';
