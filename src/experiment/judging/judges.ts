import { type Qrels, toQrels } from '../../core/qrels.js';
import { readJudgements } from '../../formats/read.js';
import type { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import { isReadable, type JudgementsInput, sourceOf } from '../material.js';
import { type Note, readingNotes } from '../notes.js';
import type { Platform } from '../platform.js';

/** The judgements of one judge, by the name of the file. */
export interface Judge {
  readonly name: string;
  readonly qrels: Qrels;
}

/** Reads the judgements of several judges. They go by the names of their files without folder and ending, where these differ. */
export async function readJudges(
  inputs: readonly JudgementsInput[],
  {
    chosen,
    lenient,
    names,
  }: { readonly chosen: ChosenColumns; readonly lenient: boolean | undefined; readonly names?: readonly string[] | undefined },
  platform: Platform,
): Promise<{ readonly judges: readonly Judge[]; readonly notes: readonly Note[] }> {
  const judges: Judge[] = [];
  const notes: Note[] = [];
  for (const [i, input] of inputs.entries()) {
    if (!isReadable(input)) judges.push({ name: names?.[i] ?? `judge ${i + 1}`, qrels: toQrels(input) });
    else {
      const source = sourceOf(input, platform);
      const read = await readJudgements(source, { lenient, ...chosen.of('qrels') });
      notes.push(...readingNotes(source.name, read));
      judges.push({ name: source.name, qrels: read.qrels });
    }
  }
  const short = judges.map(({ name }) => shortName(name));
  const distinct = new Set(short).size === short.length;
  return { judges: judges.map((judge, i) => ({ ...judge, name: distinct ? short[i] : judge.name })), notes };
}

function shortName(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.(qrels|txt|csv|tsv|jsonl|gz|zst)+$/i, '') || name;
}
