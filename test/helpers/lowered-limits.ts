import { evaluationLimits } from '../../src/core/evaluation-limits.js';
import { type LimitName, limits } from '../../src/core/limits.js';

/** Runs something with other limits, so that a test need not make inputs as large as the true ones. */
export async function withLimits<T>(lowered: Partial<Record<LimitName, number>>, work: () => T | Promise<T>): Promise<T> {
  const tables: Partial<Record<LimitName, number>>[] = [evaluationLimits, limits];
  const before = tables.map((table) => ({ ...table }));
  for (const [name, value] of Object.entries(lowered)) {
    for (const table of tables) if (name in table) table[name as LimitName] = value;
  }
  try {
    return await work();
  } finally {
    for (const [t, table] of tables.entries()) Object.assign(table, before[t]);
  }
}
