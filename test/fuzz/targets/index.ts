import type { FuzzTarget } from '../target.js';
import { commandTargets } from './commands.js';
import { engineTargets } from './engines.js';
import { evaluationTargets } from './evaluation.js';
import { featureTargets } from './features.js';
import { fileTargets } from './files.js';
import { logTargets } from './logs.js';
import { measureTargets } from './measures.js';
import { modelTargets } from './models.js';
import { numberTargets } from './numbers.js';
import { parquetTargets } from './parquet.js';
import { tableTargets } from './tables.js';
import { toolTargets } from './tools.js';
import { workerTargets } from './worker.js';

/** Every target, in the order in which they run. */
export const targets: readonly FuzzTarget[] = [
  ...tableTargets,
  ...parquetTargets,
  ...engineTargets,
  ...featureTargets,
  ...numberTargets,
  ...measureTargets,
  ...modelTargets,
  ...toolTargets,
  ...fileTargets,
  ...logTargets,
  ...evaluationTargets,
  ...commandTargets,
  ...workerTargets,
];

export function findTarget(name: string): FuzzTarget {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw new Error(`there is no target ${name}`);
  return found;
}
