import { defaultMeasures, judgingSettings, planOf, sqlSettings } from '../../experiment/index.js';
import { type Columns, ranksDecide } from '../../formats/index.js';
import { compileSql, findDialect, type TableColumns, tableName } from '../../sql/index.js';
import { measureOption, rankingOptions } from '../options/judging.js';
import { formProblems } from '../options/output-form.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { outputOption, withOutput } from '../print/output.js';

/** Prints queries; it runs none, and needs no database. */
export const sqlCommand: Command = defineCommand({
  name: 'sql',
  summary: 'print the SQL that computes measures where the data is',
  description: [
    'Prints one SQL query for the measures. Its answer is a line for each topic, with the topic and a column m1, m2 … for each measure, in the order in which they were given; comments at its top say which is which. Means are best taken from these lines in one fixed order, because engines add up in any.',
    'The tables hold one document per line: RUN with columns topic, doc and score, QRELS with topic, doc and grade; --run-columns and --qrels-columns name others. Names are taken as they are written, and the parts of a qualified name are separated by dots. No topic may hold a document twice.',
    'A measure that SQL cannot express is refused by name. gradus eval --engine runs the same SQL with DuckDB or Spark.',
  ].join('\n\n'),
  examples: [
    { command: "gradus sql qrels run --engine postgres -m 'nDCG@10 AP'", explains: 'two measures for PostgreSQL' },
    {
      command: 'gradus sql lake.eval.qrels lake.logs.run --engine trino --run-columns topic=query,doc=url,score=s -m RR@10',
      explains: 'tables of a lake, with names of their own',
    },
    { command: 'gradus sql qrels run --engine spark -m ERR@20 -o err.sql', explains: 'to a file, for spark-sql -f' },
  ],
  arguments: [
    { name: 'QRELS', help: 'the table of judgements' },
    { name: 'RUN', help: 'the table of what a system retrieved' },
  ],
  options: [
    ...optionsFor(sqlSettings, 'engine'),
    measureOption(defaultMeasures.join(', ')),
    ...optionsFor(sqlSettings, 'runColumns', 'judgementColumns'),
    ...rankingOptions,
    ...optionsFor(sqlSettings, 'highestGrade'),
    outputOption,
  ],

  check: (args) => formProblems(args, ['sql']),

  async run(args, context) {
    const [qrels, run] = args.positionals;
    const { engine = 'duckdb', runColumns, judgementColumns, highestGrade } = settingsFrom(args, sqlSettings);
    const dialect = findDialect(engine);
    const { measures, rules, planOptions } = planOf(settingsFrom(args, judgingSettings));
    const { text } = compileSql({
      dialect,
      measures,
      run: { relation: tableName(dialect, ...run.split('.')), columns: columnsOf(runColumns, 'score') },
      qrels: { relation: tableName(dialect, ...qrels.split('.')), columns: columnsOf(judgementColumns, 'grade') },
      rules,
      options: { ...planOptions, highestGrade },
    });
    await withOutput(args.value('output'), context, (writer) => writer.write(text));
    return 0;
  },
});

function columnsOf(columns: Columns | undefined, value: 'score' | 'grade'): TableColumns | undefined {
  if (columns === undefined) return undefined;
  // a table has no order of columns that could be counted, so a number is a name
  const nameOf = (column: string | number | undefined): string | undefined => (column === undefined ? undefined : String(column));
  const names = { topic: nameOf(columns.topic), doc: nameOf(columns.doc), value: nameOf(columns[value]) };
  return value === 'score' && ranksDecide(columns) ? { ...names, value: nameOf(columns.rank), isRank: true } : names;
}
