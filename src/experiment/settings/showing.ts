import type { ShowingSettings } from '../leading.js';
import type { SettingsOf } from './setting.js';

/** Which systems a table shows, and how. */
export const showingSettings: SettingsOf<
  ShowingSettings & {
    readonly pairs: boolean;
    readonly byTopic: boolean;
    readonly topics: number;
    readonly transpose: boolean;
    readonly wide: boolean;
  }
> = {
  sort: { value: 'MEASURE', help: 'order the systems by this measure, the best first, or by name', defaultText: 'as given' },
  top: { type: 'integer', value: 'N', min: 1, help: 'show the best N systems only, by --sort or by the first measure' },
  pairs: { help: 'show every pair of systems, however many there are' },
  byTopic: {
    help: 'also list the topics that decide a difference, with the relevant documents that moved; two systems, or all against --baseline',
  },
  topics: { type: 'integer', value: 'N', min: 1, default: 10, help: 'how many topics --by-topic lists for each pair' },
  transpose: { help: 'swap rows and columns' },
  wide: { help: 'csv and tsv: a column per measure instead of a row for each system, topic and measure' },
};

/** Where texts are that are shown beside ids. */
export const textSettings: SettingsOf<{ readonly queries: string; readonly documents: string }> = {
  queries: {
    value: 'FILE',
    file: 'input',
    help: 'the texts of the queries, to be shown beside the topics: JSON lines as BEIR has them, JSON, CSV or TSV',
  },
  documents: {
    value: 'FILE',
    file: 'input',
    help: 'titles, texts and links of the documents, to be shown beside their ids, in the same forms',
  },
};
