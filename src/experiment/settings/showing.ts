import type { ShowingSettings } from '../leading.js';
import type { SettingsOf } from './setting.js';

/** Which systems a table shows, and how. */
export const showingSettings: SettingsOf<ShowingSettings & { readonly transpose: boolean; readonly wide: boolean }> = {
  sort: { value: 'MEASURE', help: 'order the systems by this measure, the best first, or by name', defaultText: 'as given' },
  top: { type: 'integer', value: 'N', min: 1, help: 'show the best N systems only, by --sort or by the first measure' },
  transpose: { help: 'swap rows and columns' },
  wide: { help: 'csv and tsv: a column per measure instead of a row for each system, topic and measure' },
};
