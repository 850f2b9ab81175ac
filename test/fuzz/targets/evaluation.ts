import { writeFileSync } from 'node:fs';
import { defaultRules, type JudgingRules } from '../../../src/core/judging/judging-rules.js';
import type { Qrels } from '../../../src/core/qrels.js';
import type { Run } from '../../../src/core/run.js';
import type { ScoreTable } from '../../../src/core/score-table.js';
import { canBeStreamed, evaluate } from '../../../src/measures/evaluate.js';
import { parseMeasures } from '../../../src/measures/parse.js';
import { planOptionsFor } from '../../../src/measures/plan.js';
import { evaluateWithDuckdb } from '../../../src/node/engines/duckdb.js';
import { evaluateBySpilling } from '../../../src/node/engines/spill.js';
import { experiment } from '../../../src/node/experiment.js';
import { loadQrels, loadRun } from '../../../src/node/load.js';
import { evaluateRunFile, type StreamScores } from '../../../src/node/streams/stream-evaluate.js';
import { createTeam, type WorkerTeam } from '../../../src/node/threads/team.js';
import { whyNotInSql } from '../../../src/sql/compile.js';
import { duckdb } from '../../../src/sql/dialects/duckdb.js';
import type { Dice } from '../../helpers/dice.js';
import { differences } from '../../helpers/engine-cases.js';
import { jsonText, qrelsText, runText, tableText } from '../generate.js';
import { agree, isDue, type Outcome, outcomeLater, shapeOfOutcome } from '../outcome.js';
import { joinParts, partsOf } from '../parts.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const measures = [
  'official',
  'nDCG@10',
  'nDCG',
  'infAP',
  'Unjudged@5',
  'SetF',
  'RBP',
  'ERR@5',
  'Judged@3',
  "nDCG(gain='exp')@5",
  'R@3',
  'Success@1',
].flatMap((name) => parseMeasures(name));

function rulesOf(dice: Dice): JudgingRules {
  return {
    ...defaultRules,
    ties: dice.pick(['docno', 'docno', 'docno-ascending', 'file', 'optimistic', 'pessimistic', 'expected'] as const),
    depth: dice.chance(0.2) ? dice.between(1, 5) : Infinity,
    judgedOnly: dice.chance(0.2),
    scorePrecision: dice.pick(['double', 'double', 'float32'] as const),
    missingTopics: dice.pick(['skip', 'empty', 'placeholder'] as const),
    ownDocument: dice.chance(0.1) ? 'dropped' : 'ranked',
  };
}

let team: WorkerTeam | undefined;

interface Evaluated {
  readonly topics: readonly string[];
  readonly values: Float64Array;
}

const plain = ({ topics, values }: ScoreTable): Evaluated => ({ topics, values });

/** The same files in memory, as a stream, by way of temporary files, and by DuckDB. */
async function check(input: Uint8Array, dice: Dice): Promise<string> {
  const [qrelsBytes, runBytes] = partsOf(input, 2);
  writeFileSync('qrels', qrelsBytes);
  writeFileSync('run', runBytes);
  const rules = rulesOf(dice);
  const qrelsRead = await outcomeLater(async () => (await loadQrels('qrels')).qrels, 'qrels');
  const runRead = await outcomeLater(async () => (await loadRun('run')).run, 'run');
  let source: string | null = qrelsRead.value === undefined ? 'qrels' : runRead.value === undefined ? 'run' : null;
  let memory: Outcome<Evaluated>;
  const qrels = qrelsRead.value;
  const run = runRead.value;
  if (qrels === undefined) memory = { refused: qrelsRead.refused ?? '' };
  else if (run === undefined) memory = { refused: runRead.refused ?? '' };
  else memory = await outcomeLater(async () => plain(evaluate(qrels, run, measures, rules)), null);
  const isLetor = /\bqid:/.test(Buffer.from(qrelsBytes).toString('latin1'));
  // a measure may refuse the grades before the run is read
  if (isLetor || source === 'run') source = null;

  const files = await outcomeLater(
    async () => plain((await experiment({ judgements: 'qrels', runs: ['run'], measures, rules, threads: 1 })).scored.tables[0]),
    source,
  );
  if (!isLetor) agree('evaluation: in memory and by files', withoutPlace(memory), withoutPlace(files));

  if (qrels !== undefined && canBeStreamed(measures, rules)) {
    const planOptions = planOptionsFor(qrels, measures);
    const request = { path: 'run', qrels, measures, rules, planOptions };
    const ranges = { grammar: 'strict', comments: true, partSize: dice.between(5, 400) } as const;
    /** What is unfit for streaming is nothing; a measure may refuse grades, wherever they are met. */
    const streamed = async (more: { threads: number; aloneBelow?: number }, others?: WorkerTeam): Promise<StreamScores | undefined> => {
      const outcome = await outcomeLater(async () => ({ scores: await evaluateRunFile({ ...request, ...ranges, ...more }, others) }), null);
      if (outcome.refused !== undefined && memory.value !== undefined)
        throw new Disagreement('evaluation: streaming refuses what evaluation in memory accepts', outcome.refused);
      return outcome.value?.scores;
    };
    const stream = await streamed({ threads: 1 });
    if (isDue(dice, 0.2)) {
      team ??= createTeam(2);
      agree('evaluation: streaming by one thread and by several', stream, await streamed({ threads: 3, aloneBelow: 0 }, team));
    }
    if (stream !== undefined && memory.value !== undefined) {
      agree('evaluation: in memory and streaming', memory.value, {
        topics: Array.from(stream.topics, (topic) => qrels.topics.text(topic)),
        values: stream.values,
      });
    } else if (stream !== undefined && runRead.value === undefined)
      throw new Disagreement('evaluation: streaming accepts what reading refuses', runRead.refused);
    const partSize = dice.between(20, 400);
    const spilling = await outcomeLater(async () => ({ scores: await evaluateBySpilling({ ...request, from: 0, partSize }) }), null);
    if (spilling.refused !== undefined && memory.value !== undefined)
      throw new Disagreement('evaluation: temporary files refuse what evaluation in memory accepts', spilling.refused);
    const spilled = spilling.value?.scores;
    if (spilled !== undefined && memory.value !== undefined)
      agree('evaluation: in memory and by temporary files', memory.value, plain(spilled.table));
    else if (spilled !== undefined && runRead.value === undefined && runBytes.length > 0)
      throw new Disagreement('evaluation: temporary files accept what reading refuses', runRead.refused);
  }
  const byDuckdb = isDue(dice, 0.04) ? await throughDuckdb(rules, qrels, run, memory) : '';
  return shapeOfOutcome(memory, byDuckdb);
}

/** Refusals may name the place differently; the words are the same. */
function withoutPlace(outcome: Outcome<Evaluated>): unknown {
  return outcome.value ?? 'refused';
}

async function throughDuckdb(
  rules: JudgingRules,
  qrels: Qrels | undefined,
  run: Run | undefined,
  memory: Outcome<Evaluated>,
): Promise<string> {
  const expressible = measures.filter((measure) => whyNotInSql(measure, duckdb, rules, { highestGrade: 3 }) === undefined);
  const found = await outcomeLater(
    async () => (await evaluateWithDuckdb({ qrels: 'qrels', runs: ['run'], measures: expressible, rules, threads: 1 }))[0].table,
    null,
  );
  // a measure that refuses the grades may be one that DuckDB is not asked for
  const expected: Outcome<ScoreTable> =
    qrels === undefined || run === undefined
      ? { refused: memory.refused ?? '' }
      : await outcomeLater(async () => evaluate(qrels, run, expressible, rules), null);
  // where DuckDB reads text differently, or reads no such files, it must say so
  if (
    expected.value !== undefined &&
    found.value === undefined &&
    /evaluate it without --engine|, and an engine reads /.test(found.refused)
  ) {
    return found.refused;
  }
  if (expected.value !== undefined && found.value === undefined)
    throw new Disagreement('evaluation: DuckDB refuses what reading accepts', found.refused);
  if (expected.value === undefined && found.value !== undefined)
    throw new Disagreement('evaluation: DuckDB accepts what reading refuses', expected.refused);
  if (found.value === undefined || expected.value === undefined) return 'refused by DuckDB';
  const { failures } = differences(expected.value, found.value);
  if (failures.length > 0) throw new Disagreement('evaluation: in memory and by DuckDB', failures.slice(0, 5).join('\n'));
  return 'DuckDB';
}

export const evaluationTargets: readonly FuzzTarget[] = [
  {
    name: 'evaluation',
    summary: 'judgements and runs in any format: in memory, streaming, by temporary files, by DuckDB',
    cases: 120,
    words: ['%%\n', 'Q0', '#', '\n', ' '],
    seeds: () => [
      joinParts(['1 0 a 1\n1 0 b 0\n2 0 a 2\n', '1 Q0 a 1 3 t\n1 Q0 b 2 2.5 t\n2 Q0 c 1 1 t\n2 Q0 a 2 1 t\n']),
      joinParts(['query_id,doc_id,relevance\n1,a,1\n1,b,0\n', 'query_id,doc_id,score\n1,b,2\n1,a,2\n']),
    ],
    generate: (dice) =>
      joinParts([
        dice.chance(0.8) ? qrelsText(dice) : dice.chance(0.5) ? tableText(dice, ',') : jsonText(dice),
        dice.chance(0.8) ? runText(dice) : dice.chance(0.5) ? tableText(dice, '\t') : jsonText(dice),
      ]),
    check,
  },
];
