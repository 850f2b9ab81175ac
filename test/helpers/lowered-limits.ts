import { type LimitName, limits } from '../../src/core/limits.js';

/** Runs something with other limits, so that a test need not make inputs as large as the true ones. */
export async function withLimits<T>(lowered: Partial<Record<LimitName, number>>, work: () => T | Promise<T>): Promise<T> {
  const before = { ...limits };
  Object.assign(limits, lowered);
  try {
    return await work();
  } finally {
    Object.assign(limits, before);
  }
}
