import type { AuditOptions } from '../../audit/index.js';
import { formats } from '../../formats/registry.js';
import type { ChoiceSettings } from '../../formats/tables/chosen-columns.js';
import type { AgreementOptions } from '../../stats/agreement.js';
import type { ConversionRequest } from '../convert.js';
import type { CorrelationRequest } from '../correlate.js';
import type { ExplainRequest } from '../explain.js';
import { conventionList, measureList, readingSettings } from './judging.js';
import type { SettingsOf, TurnsOff } from './setting.js';

const readableFormats = formats.filter(({ read }) => 'run' in read || 'qrels' in read);
const writableFormats = formats.filter(({ write }) => 'run' in write || 'qrels' in write);

/** What a file is, and what is to become of it. */
export const conversionSettings: SettingsOf<
  Omit<ConversionRequest, 'target' | 'topicNames' | 'metadata'> & { readonly topicNames: string; readonly metadata: string }
> & {
  readonly columns: { readonly repeatable: true };
  readonly grades: { readonly repeatable: true };
  readonly quotes: TurnsOff;
} = {
  from: {
    type: 'choice',
    value: 'FORMAT',
    choices: ['trec', ...readableFormats.map(({ name }) => name)],
    help: 'the format of INPUT, if it cannot be detected from its name or content',
  },
  to: {
    type: 'choice',
    value: 'FORMAT',
    choices: ['trec', ...writableFormats.map(({ name }) => name)],
    help: 'the format of OUTPUT',
    defaultText: 'the one its name tells, or trec',
  },
  kind: {
    value: 'KIND',
    choices: ['run', 'qrels'],
    choiceTexts: { run: 'a run', qrels: 'judgements' },
    help: 'what INPUT holds, if that cannot be detected',
  },
  columns: readingSettings.columns,
  header: { help: 'the first line is a header even though --columns gives numbers' },
  delimiter: {
    value: 'CHAR',
    help: 'what separates the fields of a CSV file',
    defaultText: 'a comma or a semicolon, as the first line shows',
  },
  quotes: { turnsOff: true, help: 'quotes in a CSV or TSV file are ordinary characters' },
  ranks: { help: 'keep what a run says about ranks; without it they are counted out by score' },
  name: { value: 'NAME', help: "the run's tag", defaultText: 'what INPUT says, or its file name' },
  topic: readingSettings.topic,
  topicNames: { value: 'FILE', file: 'input', help: 'the topics of several answers in one file: one to a line, in their order' },
  metadata: {
    value: 'FILE',
    file: 'input',
    help: 'YAML by ir_metadata, to be written as the header of a TREC run',
    defaultText: 'the header that INPUT has',
  },
  run: readingSettings.run,
  subset: readingSettings.subset,
  judges: readingSettings.judges,
  grades: readingSettings.grades,
  lenient: readingSettings.lenient,
};

/** Which tools are compared, and what is said of their differences. */
export const explanationSettings: SettingsOf<Pick<ExplainRequest, 'conventions' | 'pairs'> & { readonly topics: number }> = {
  conventions: { ...conventionList, help: 'the conventions, two or more, separated by commas' },
  pairs: {
    value: 'WHICH',
    choices: ['first', 'all'],
    choiceTexts: { first: 'the first convention against the others', all: 'all pairs' },
    default: 'first',
    help: 'what is explained',
  },
  topics: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 1_000_000,
    help: 'also show the N topics on which the difference is largest',
  },
};

/** How the agreement of two rankings is measured. */
export const correlationSettings: SettingsOf<
  AgreementOptions & Pick<CorrelationRequest, 'measures' | 'lenient' | 'columns' | keyof ChoiceSettings>
> & {
  readonly columns: { readonly repeatable: true };
} = {
  measures: { ...measureList, defaultText: 'every measure that both files of scores have' },
  p: {
    type: 'number',
    value: 'P',
    min: 0,
    max: 1,
    exclusive: true,
    default: 0.9,
    help: 'persistence of rank-biased overlap',
  },
  ties: {
    value: 'TREATMENT',
    choices: ['w', 'a', 'b'],
    choiceTexts: { w: 'they share the best place', a: 'their order is unknown', b: 'it is unknown and lacks information' },
    default: 'a',
    help: 'what equal scores mean for rank-biased overlap',
  },
  cutoff: { type: 'integer', short: 'k', value: 'K', min: 1, default: 10, help: 'how deep the overlap looks' },
  unlisted: {
    value: 'RULE',
    choices: ['shared', 'last'],
    choiceTexts: { shared: 'they are left out', last: 'they are tied behind the end of the other list' },
    default: 'shared',
    help: 'documents that only one of two runs lists, in coefficients of rank correlation',
  },
  lenient: { help: 'skip lines of runs that cannot be read, instead of stopping' },
  columns: readingSettings.columns,
  run: readingSettings.run,
  subset: readingSettings.subset,
  judges: readingSettings.judges,
  topic: readingSettings.topic,
};

/** What an audit goes by. */
export const auditSettings: SettingsOf<AuditOptions> = {
  cutoff: {
    type: 'integer',
    short: 'k',
    value: 'N',
    min: 1,
    max: 1_000_000,
    default: 10,
    help: 'the cutoff that lists should reach and measures are computed at',
  },
  rel: { type: 'number', short: 'l', value: 'GRADE', default: 1, help: 'the lowest grade that counts as relevant' },
};
