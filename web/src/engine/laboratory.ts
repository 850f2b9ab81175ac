/** Measures and rules themselves: what tools say, how the order of systems depends on it, and what measures can tell. */
import { InputError } from 'gradus';
import {
  informednessOf,
  type OrdersBy,
  planOfAll,
  powerOf,
  qualityMeasures,
  type ReadMaterial,
  type SystemOrders,
  systemOrders,
  type ToolValues,
  toolValues,
} from 'gradus/experiment';
import type { Progress, Settings } from './protocol.js';
import { type PageMaterial, placeOf, type Session } from './session.js';

export interface ToolsAnswer extends ToolValues {
  readonly system: string;
}

/** What one measure can do for the systems of the page. */
export interface MeasurePowerRow {
  readonly measure: string;
  /** Of all pairs of systems, those that a test tells apart, and their share. */
  readonly significant: number;
  readonly share: number;
  /** The difference of means from which on every pair is told apart. */
  readonly differenceNeeded: number;
  /** Achieved levels of the pairs, the highest first; of many pairs some. */
  readonly levels: readonly number[];
}

export interface PowerAnswer {
  readonly pairs: number;
  readonly topics: number;
  readonly method: string;
  readonly resamples: number;
  readonly seed: number;
  readonly alpha: number;
  readonly rows: readonly MeasurePowerRow[];
  /** Measures that were left out, and why. */
  readonly without: readonly Reason[];
}

export interface InformednessAnswer {
  readonly lists: number;
  readonly leftOut: number;
  /** Root mean square error of the inferred curve, the most informative measure first. */
  readonly rows: readonly { readonly measure: string; readonly error: number }[];
  readonly without: readonly Reason[];
}

export interface Reason {
  readonly measure: string;
  readonly reason: string;
}

/** What all tools say of one run. Their rules are those of the tools, whatever the page has set. */
export async function toolsAnswer(
  session: Session,
  settings: Settings,
  { file, measure, from }: { readonly file: number; readonly measure: string; readonly from: string },
  onProgress: Progress,
): Promise<ToolsAnswer> {
  const plan = session.plan({
    ...settings,
    measures: measure,
    convention: 'gradus',
    rel: null,
    ties: '',
    depth: null,
    judgedOnly: false,
    missing: '',
  });
  const { repeatedDocuments = 'refused' } = planOfAll([from]).rules;
  const page = await session.material({ ...plan, rules: { ...plan.rules, repeatedDocuments } });
  const r = placeOf(page, file);
  const found = toolValues(page.material.judgements.qrels, page.runs[r], {
    measure: plan.measures[0],
    from,
    onProgress: (done, total) => onProgress(done, total, 'explaining'),
  });
  return { ...found, system: page.names[r] };
}

export async function ordersAnswer(
  session: Session,
  settings: Settings,
  { by, measure }: { readonly by: OrdersBy; readonly measure: string },
  onProgress: Progress,
): Promise<SystemOrders> {
  const plan = session.plan(settings);
  return systemOrders(plan, readMaterialOf(await session.material(plan)), {
    by,
    measure,
    onProgress: (done, total) => onProgress(done, total, 'ordering systems'),
  });
}

function readMaterialOf({ material, runs, names }: PageMaterial): ReadMaterial {
  return { qrels: material.judgements.qrels, runs, names, notes: [] };
}

/** How many levels are sent to be drawn. */
const MOST_LEVELS = 400;

/** How many pairs of systems each measure tells apart, measure by measure. */
export async function powerAnswer(session: Session, settings: Settings, onProgress: Progress): Promise<PowerAnswer> {
  const deciding = qualityMeasures(session.plan(settings));
  const rows: MeasurePowerRow[] = [];
  const without: Reason[] = [];
  let facts: Omit<PowerAnswer, 'rows' | 'without'> | undefined;
  for (const [m, { text }] of deciding.entries()) {
    onProgress(m, deciding.length, `power of ${text}`);
    const plan = session.plan({ ...settings, measures: text, missing: 'zero' });
    const power = await attempted(async () =>
      powerOf(await session.scores(plan, await session.material(plan)), { alpha: settings.alpha, seed: settings.seed }),
    );
    if (typeof power === 'string') {
      without.push({ measure: text, reason: power });
      continue;
    }
    const { pairs, topics, method, resamples, seed, alpha } = power;
    facts = { pairs, topics, method, resamples, seed, alpha };
    const [{ significant, share, differenceNeeded, levels }] = power.measures;
    const every = Math.max(1, Math.ceil(levels.length / MOST_LEVELS));
    rows.push({ measure: text, significant, share, differenceNeeded, levels: Array.from(levels).filter((_, i) => i % every === 0) });
  }
  if (facts === undefined) throw new InputError(without[0]?.reason ?? 'none of these measures says which system is better');
  rows.sort((a, b) => b.share - a.share);
  return { ...facts, rows, without };
}

/** How well each measure's value tells what the ranking was. */
export async function informednessAnswer(session: Session, settings: Settings, onProgress: Progress): Promise<InformednessAnswer> {
  const measures = qualityMeasures(session.plan(settings));
  const rows: { measure: string; error: number }[] = [];
  const without: Reason[] = [];
  let counts = { lists: 0, leftOut: 0 };
  for (const [m, { text }] of measures.entries()) {
    const plan = session.plan({ ...settings, measures: text, convention: 'gradus', ties: '' });
    const page = await session.material(plan);
    const found = await attempted(() =>
      informednessOf(plan, readMaterialOf(page), {
        depth: LIST_DEPTH,
        minPerGrade: 1,
        onProgress: (done, total) => onProgress(m + done / total, measures.length, `what ${text} tells`),
      }),
    );
    if (typeof found === 'string') without.push({ measure: text, reason: found });
    else {
      counts = { lists: found.result.lists, leftOut: found.result.leftOut };
      rows.push({ measure: text, error: found.result.measures[0].error.any });
    }
  }
  rows.sort((a, b) => a.error - b.error);
  return { ...counts, rows, without };
}

/** Lists are looked at this deep, so that a page answers in seconds. */
const LIST_DEPTH = 100;

async function attempted<T>(compute: () => T | Promise<T>): Promise<T | string> {
  try {
    return await compute();
  } catch (error) {
    if (error instanceof InputError) return error.problems[0]?.message ?? error.message;
    throw error;
  }
}
