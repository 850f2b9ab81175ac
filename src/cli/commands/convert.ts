import type { Problem } from '../../core/index.js';
import { conversionSettings } from '../../experiment/index.js';
import { formats, onlyContent } from '../../formats/index.js';
import { sayNotes } from '../options/scoring.js';
import { type OptionFor, optionsFor, settingsFrom } from '../options/settings.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { outputOption } from '../print/output.js';

/** What can be read. */
const readFormats = formats.filter(({ read }) => 'run' in read || 'qrels' in read);
/** What can be written can be read. */
const tableFormats = formats.filter(({ write }) => 'run' in write || 'qrels' in write);
/** What others wrote and only they write. */
const engineFormats = formats.filter((format) => !tableFormats.includes(format) && 'run' in format.read && 'qrels' in format.read);

const conversionOptions: readonly OptionFor<typeof conversionSettings>[] = optionsFor(conversionSettings);

/** Reads one format and writes another; nothing is judged. */
export const convertCommand: Command = defineCommand({
  name: 'convert',
  summary: 'write a run or judgements in another format',
  description: [
    'Reads INPUT and writes it to OUTPUT. Formats are recognised by the names of the files and by their content; --from and --to settle it where that is not enough.',
    `The formats are ${tableFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}. trec stands for trec-run or qrels.`,
    `Files of search engines and judgement tools are read as they are: ${engineFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}. The order of a list of results is the ranking; scores are kept where they agree with it.`,
    'Columns of CSV, TSV, JSON, JSONL and Parquet are known by their usual names, such as query_id, qid or topic, doc_id or docno, score, rank, relevance or grade, iteration. --columns names others, or counts them if the file has no header.',
    'The header of a TREC run by ir_metadata, which says how it was made, is kept; --metadata writes another one, and notes say what it lacks.',
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
      explains: 'from standard input, where no file name gives the type',
    },
  ],
  arguments: [
    { name: 'INPUT', help: 'the file to read; - is standard input, and gzip, zstd and lz4 are recognised', file: 'input' },
    { name: 'OUTPUT', help: 'the file to write; - is standard output, and .gz compresses', optional: true, file: 'output' },
  ],
  options: [...conversionOptions, { ...outputOption, help: 'write to this file; the same as OUTPUT' }],

  check(args) {
    const problems: Problem[] = [];
    const [input, output] = args.positionals;
    if (input !== undefined && output === undefined && !args.has('output')) problems.push({ message: 'OUTPUT is missing' });
    if (output !== undefined && args.has('output')) {
      problems.push({ message: `OUTPUT ${output} and --output ${args.value('output')} contradict each other`, wayOut: 'give one of them' });
    }
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
    const [inputPath, outputPath = args.value('output') ?? '-'] = args.positionals;
    const { topicNames: names, metadata, ...settings } = settingsFrom<typeof conversionSettings>(args, conversionSettings);
    const inOrder = names === undefined ? undefined : (await readText(fileSource(names))).split(/\r?\n/).filter((line) => line !== '');
    const read = await readToConvert(fileSource(inputPath), {
      ...settings,
      target: outputPath,
      topicNames: inOrder,
      metadata: metadata === undefined ? undefined : fileSource(metadata),
    });
    sayNotes(args, context, read.notes);
    if ('run' in read) await saveRun(outputPath, read.run, { format: settings.to, header: read.header });
    else await saveQrels(outputPath, read.qrels, { format: settings.to });
    return 0;
  },
});
