import type { Problem } from '../../core/index.js';
import { readingSettings } from '../../experiment/index.js';
import { formats, onlyContent } from '../../formats/index.js';
import { columnsOption, lenientOptions } from '../options/judging.js';
import { sayNotes } from '../options/scoring.js';
import { settingsFrom } from '../options/settings.js';
import type { Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';

/** What can be read. */
const readFormats = formats.filter(({ read }) => 'run' in read || 'qrels' in read);
/** What can be written can be read. */
const tableFormats = formats.filter(({ write }) => 'run' in write || 'qrels' in write);
/** What others wrote and only they write. */
const engineFormats = formats.filter((format) => !tableFormats.includes(format) && 'run' in format.read && 'qrels' in format.read);
const formatChoices: readonly string[] = ['trec', ...tableFormats.map(({ name }) => name)];

const options = defineOptions([
  {
    long: 'from',
    value: 'FORMAT',
    choices: ['trec', ...readFormats.map(({ name }) => name)],
    help: 'the format of INPUT, if neither its name nor its content tells',
  },
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
  {
    long: 'topic',
    value: 'ID',
    help: 'the topic of a search result, which does not name its query',
    defaultText: 'the name of the file',
  },
  { long: 'topic-names', value: 'FILE', file: 'input', help: 'the topics of several answers in one file: one to a line, in their order' },
  { long: 'run', value: 'NAME', help: 'which run, of a file that holds several' },
  { long: 'subset', value: 'NAME', help: 'which subset, of a file that holds several' },
  { long: 'judges', value: 'HOW', help: 'what counts if judges disagree: mean, median, majority, or the name of one judge' },
  ...lenientOptions,
]);

/** Reads one format and writes another; nothing is judged. */
export const convertCommand: Command = defineCommand({
  name: 'convert',
  summary: 'write a run or judgements in another format',
  description: [
    'Reads INPUT and writes it to OUTPUT. Formats are told by the names of the files and by what they hold; --from and --to settle it where that is not enough.',
    `The formats are ${tableFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}. trec stands for trec-run or qrels.`,
    `Files of search engines and judgement tools are read as they are: ${engineFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}. The order of a list of results is the ranking; scores are kept where they agree with it.`,
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
      const format = readFormats.find((one) => one.name === name);
      const only = format && onlyContent(format, ['run', 'qrels']);
      if (kind !== undefined && only !== undefined && only !== kind) {
        problems.push({ message: `--${option} ${name} and --kind ${kind} contradict each other`, wayOut: 'give one of them' });
      }
    }
    if (args.has('topic') && args.has('topic-names')) {
      problems.push({ message: '--topic and --topic-names contradict each other', wayOut: 'give one of them' });
    }
    return problems;
  },

  async run(args, context) {
    const { fileSource, readText, readToConvert, saveQrels, saveRun } = await import('../on-demand/convert.js');
    const [inputPath, outputPath] = args.positionals;
    const to = args.value('to');
    const topic = args.value('topic');
    const names = args.value('topic-names');
    const inOrder = names === undefined ? undefined : (await readText(fileSource(names))).split(/\r?\n/).filter((line) => line !== '');
    const read = await readToConvert(fileSource(inputPath), {
      kind: args.value('kind'),
      from: args.value('from'),
      to,
      target: outputPath,
      ...settingsFrom(args, readingSettings, 'columns'),
      header: args.has('header') || undefined,
      delimiter: args.value('delimiter'),
      quotes: !args.has('no-quotes'),
      lenient: args.has('lenient'),
      ranks: args.has('ranks'),
      name: args.value('name'),
      topicNames: topic === undefined ? inOrder : [topic],
      run: args.value('run'),
      subset: args.value('subset'),
      judges: args.value('judges'),
    });
    sayNotes(args, context, read.notes);
    if ('run' in read) await saveRun(outputPath, read.run, { format: to });
    else await saveQrels(outputPath, read.qrels, { format: to });
    return 0;
  },
});
