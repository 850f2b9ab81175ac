import { InputError, type Problem, type Qrels } from '../../core/index.js';
import { readingNotes, readingSettings } from '../../experiment/index.js';
import {
  ChosenColumns,
  type Columns,
  findFormat,
  formatByName,
  formatNames,
  formats,
  inferFormat,
  isParquet,
  onlyKind,
  parquetKind,
  type QrelsReading,
  type RunReading,
  type TableKind,
} from '../../formats/index.js';
import { columnsOption, lenientOptions } from '../options/judging.js';
import { sayNotes } from '../options/scoring.js';
import { settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { say } from '../print/say.js';

const formatChoices: readonly string[] = [
  'trec',
  ...formats.filter((format) => !format.holds.includes('z-scores')).map(({ name }) => name),
];

const options = defineOptions([
  { long: 'from', value: 'FORMAT', choices: formatChoices, help: 'the format of INPUT, if neither its name nor its content tells' },
  { long: 'to', value: 'FORMAT', choices: formatChoices, help: 'the format of OUTPUT', defaultText: 'the one its name tells, or trec' },
  {
    long: 'kind',
    value: 'KIND',
    choices: ['run', 'qrels'],
    choiceTexts: { run: 'a run', qrels: 'judgements' },
    help: 'what INPUT holds, if that cannot be told',
  },
  ...columnsOption,
  { long: 'header', help: 'the first line is a header even though --columns gives numbers' },
  { long: 'delimiter', value: 'CHAR', help: 'what separates the fields of a CSV file', defaultText: 'a comma' },
  { long: 'no-quotes', help: 'quotes in a CSV or TSV file are ordinary characters' },
  { long: 'ranks', help: 'keep what a run says about ranks; by default they are counted out by score' },
  { long: 'name', value: 'NAME', help: "the run's tag", defaultText: 'what INPUT says, or its file name' },
  ...lenientOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Reads one format and writes another; nothing is judged. */
export const convertCommand: Command = defineCommand({
  name: 'convert',
  summary: 'write a run or judgements in another format',
  description: [
    'Reads INPUT and writes it to OUTPUT. Formats are told by the names of the files and by what they hold; --from and --to settle it where that is not enough.',
    `The formats are ${formats
      .filter(({ name }) => formatChoices.includes(name))
      .map(({ name, summary }) => `${name} (${summary})`)
      .join('; ')}. trec stands for trec-run or qrels.`,
    'Columns of CSV, TSV, JSON, JSONL and Parquet are known by their usual names, such as query_id, qid or topic, doc_id or docno, score, rank, relevance or grade, iteration. --columns names others, or counts them if the file has no header.',
    'Numbers are written with as many digits as it takes to read the same value back. Ids are written as they are; one that begins with = or + is data, not a formula, so do not open files from strangers in a spreadsheet.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus convert run.txt run.jsonl', explains: 'a TREC run as JSON lines' },
    {
      command: 'gradus convert results.csv run.txt.gz --columns topic=q,doc=d,score=s',
      explains: 'columns with names of their own; a compressed TREC run',
    },
    {
      command: 'gradus convert top1000.tsv - --kind run --columns topic=1,doc=2,score=4',
      explains: 'no header: columns by number; to standard output',
    },
    {
      command: 'zcat qrels.json.gz | gradus convert - qrels.txt --kind qrels',
      explains: 'from standard input, which has no name to tell the kind by',
    },
  ],
  arguments: [
    { name: 'INPUT', help: 'the file to read; - is standard input, and gzip and zstd are recognised', file: 'input' },
    { name: 'OUTPUT', help: 'the file to write; - is standard output, and .gz compresses', file: 'output' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    const kind = args.value('kind');
    for (const option of ['from', 'to'] as const) {
      const name = args.value(option);
      if (kind === undefined || name === undefined || name === 'trec' || !formatNames.includes(name)) continue;
      const only = onlyKind(findFormat(name));
      if (only !== undefined && only !== kind) {
        problems.push({ message: `--${option} ${name} and --kind ${kind} contradict each other`, wayOut: 'give one of them' });
      }
    }
    return problems;
  },

  async run(args, context) {
    const { fileSource, openSource, readJudgements, readRun, withParts } = await import('../on-demand/read-files.js');
    const { formatToWrite, saveQrels, saveRun } = await import('../on-demand/save-files.js');
    const [inputPath, outputPath] = args.positionals;
    const { columns } = settingsFrom(args, readingSettings, 'columns');
    const chosen = new ChosenColumns({ columns });
    const to = args.value('to');
    const input = await openSource(fileSource(inputPath));
    const options = {
      format: args.value('from'),
      header: args.has('header') || undefined,
      delimiter: args.value('delimiter'),
      quotes: !args.has('no-quotes'),
      lenient: args.has('lenient'),
    };
    let reading: RunReading | QrelsReading;
    try {
      const kind =
        (args.has('kind') || !isParquet(input.start) || input.source.openParts === undefined
          ? undefined
          : await withParts(input, (file) => parquetKind(file, inputPath))) ?? kindOf(args, inputPath, outputPath, input.start, columns);
      formatToWrite(outputPath, kind, to, 'give --to FORMAT'); // rather now than after a long read
      reading =
        kind === 'run'
          ? await readRun(input, { ...options, ...chosen.of('run'), ranks: args.has('ranks'), name: args.value('name') })
          : await readJudgements(input, { ...options, ...chosen.of('qrels'), groups: true, subgroups: true });
    } finally {
      await input.close();
    }
    chosen.refuseUnused();
    sayNotes(args, context, readingNotes(inputPath, reading));
    if ('run' in reading && reading.run.ranksOnly && formatToWrite(outputPath, 'run', to).name === 'trec-run') {
      say(args, context, `${inputPath}: has ranks and no scores; the scores in ${outputPath} are the negated ranks`);
    }
    if ('run' in reading) await saveRun(outputPath, reading.run, { format: to });
    else await saveQrels(outputPath, withoutIdleGroups(reading.qrels), { format: to });
    return 0;
  },
});

/** Whether there is a run or judgements to convert. */
function kindOf(args: Args, inputPath: string, outputPath: string, start: Uint8Array, columns: Columns | undefined): TableKind {
  const asked = args.value('kind');
  if (asked === 'run' || asked === 'qrels') return asked;
  const from = args.value('from');
  const to = args.value('to');
  for (const format of [from, to]) {
    const kind = format === undefined || format === 'trec' ? undefined : onlyKind(findFormat(format));
    if (kind !== undefined) return kind;
  }
  const found = inferFormat(inputPath, start, undefined, columns).kind;
  if (found !== undefined) return found;
  const promised = formatByName(outputPath);
  const kind = promised === undefined ? undefined : onlyKind(promised);
  if (kind !== undefined) return kind;
  throw new InputError({
    source: inputPath,
    message: 'could be a run or judgements',
    wayOut: 'say which with --kind run or --kind qrels',
  });
}

/** A second column that says nothing, as most judgements have it, need not be carried into formats that could do without. */
function withoutIdleGroups(qrels: Qrels): Qrels {
  const { groups, subgroups } = qrels;
  const idle = groups !== undefined && groups.ids.size === 1 && groups.ids.text(0) === '0';
  return idle && subgroups === undefined ? { ...qrels, groups: undefined } : qrels;
}
