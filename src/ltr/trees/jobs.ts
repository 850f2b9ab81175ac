/** What threads can be asked to do together. */
export const JOB = { end: 0, bin: 1, gradients: 2, pack: 3, histograms: 4, partition: 5, scores: 6, edges: 7 } as const;

/** Words of the control array: what the crew uses, then the arguments of the job. */
export const EPOCH = 0;
export const NEXT_UNIT = 1;
export const NUM_UNITS = 2;
export const CURRENT_JOB = 3;
export const ACTIVE = 4;
export const OPEN = 5;
export const FAILED = 6;
export const ARGUMENTS = 8;
