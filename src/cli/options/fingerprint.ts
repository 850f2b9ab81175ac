import type { Qrels } from '../../core/index.js';
import { type Fingerprint, fingerprintOf, type NamedSource, planOf } from '../../experiment/index.js';
import { ChosenColumns, readJudgements } from '../../formats/index.js';
import { nodePlatform } from '../../node/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf } from '../parse/command.js';
import { type JudgingArguments, judgingFrom, readingFrom } from './judging.js';
import type { scoringOptions } from './scoring.js';

/** The files that a result was made from, by their paths. */
export interface AnswerFiles {
  readonly judgements?: readonly string[] | undefined;
  readonly runs?: readonly string[] | undefined;
  /** Scores or preferences. */
  readonly scores?: readonly string[] | undefined;
}

/** The fingerprint of a result that was made from files. Judgements are read again: it is about what they say, not about the file. */
export async function fingerprintOfFiles(
  args: JudgingArguments & ArgumentsOf<typeof scoringOptions>,
  files?: AnswerFiles,
): Promise<Fingerprint | undefined> {
  const { judgements = [], runs, scores } = files ?? filesOf(args);
  const chosen = new ChosenColumns(readingFrom(args));
  const sets: Qrels[] = [];
  for (const path of judgements) {
    const source = nodePlatform.source(path);
    if (source.isReopenable) sets.push((await readJudgements(source, { lenient: true, ...chosen.of('qrels') })).qrels);
  }
  return await fingerprintOf(
    {
      ...(sets.length === judgements.length && sets.length > 0 ? { judgements: sets, plan: planOf(judgingFrom(args)) } : {}),
      runs: runs && named(runs),
      scores: scores && named(scores),
    },
    nodePlatform,
  );
}

/** Judgements and runs, or the scores that take their place. */
function filesOf(args: GivenArguments): AnswerFiles {
  const [judgements, ...runs] = args.positionals;
  const scores = args.given.get('scores');
  return scores === undefined ? { judgements: [judgements], runs } : { scores };
}

function named(paths: readonly string[]): NamedSource[] {
  return paths.map((path) => ({ name: path, source: nodePlatform.source(path) }));
}
