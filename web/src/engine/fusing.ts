/** Several runs as one, by weights that somebody moves. */
import { fuseAndScore } from 'gradus/experiment';
import { formatTrecRun } from 'gradus/formats';
import { findFusionMethod, fusionMethods, normalisations } from 'gradus/fusion';
import type { Settings } from './protocol.js';
import type { Session } from './session.js';

export interface FusionAsked {
  readonly measure: string;
  readonly method: string;
  /** Of methods that look at scores. */
  readonly norm: string;
  /** One for each system of the page; those of weight 0 are left out. */
  readonly weights: readonly number[];
}

export interface FusionAnswer {
  readonly mean: number;
  /** By topic, in the order of the table. */
  readonly topics: readonly string[];
  readonly values: Float64Array;
  readonly numPartial: number;
}

/** The ways to fuse that know weights. */
export interface FusionChoices {
  readonly methods: readonly { readonly name: string; readonly title: string; readonly help: string; readonly from: 'scores' | 'ranks' }[];
  readonly norms: readonly string[];
}

export function fusionChoices(): FusionChoices {
  return {
    methods: fusionMethods
      // a parameter without a default would have to be asked for
      .filter(({ weights, parameter }) => weights !== 'none' && (parameter === undefined || parameter.default !== undefined))
      .map(({ name, title, help, from }) => ({ name, title, help, from })),
    norms: normalisations,
  };
}

async function fused(session: Session, settings: Settings, { measure, method, norm, weights }: FusionAsked) {
  const plan = session.plan({ ...settings, measures: measure });
  const { material, runs } = await session.material(plan);
  const chosen = runs.map((_, r) => r).filter((r) => (weights[r] ?? 0) > 0);
  return fuseAndScore(
    plan,
    material.judgements.qrels,
    chosen.map((r) => runs[r]),
    {
      method,
      weights: chosen.map((r) => weights[r]),
      ...(findFusionMethod(method).from === 'scores' ? { norm } : {}),
    },
  );
}

export async function fusionAnswer(session: Session, settings: Settings, asked: FusionAsked): Promise<FusionAnswer> {
  const { table, numPartial } = await fused(session, settings, asked);
  return { mean: table.aggregate(0), topics: table.topics, values: table.column(0), numPartial };
}

/** The measure for eleven weights of one run, while the others keep theirs. */
export async function fusionSweep(session: Session, settings: Settings, asked: FusionAsked, system: number): Promise<(number | null)[]> {
  const means: (number | null)[] = [];
  for (let step = 0; step <= 10; step++) {
    const weights = asked.weights.map((weight, s) => (s === system ? step / 10 : weight));
    means.push(weights.some((weight) => weight > 0) ? (await fused(session, settings, { ...asked, weights })).table.aggregate(0) : null);
  }
  return means;
}

export async function fusedRunText(session: Session, settings: Settings, asked: FusionAsked): Promise<string> {
  return new TextDecoder().decode(formatTrecRun((await fused(session, settings, asked)).run));
}
