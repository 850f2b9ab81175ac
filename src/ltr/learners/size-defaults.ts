import type { OptionValue } from '../ranker.js';

/** Documents from which on trees may have many leaves. */
const MANY = 20_000;

const lightgbm = { leaves: 31, truncation: 30 } as const;

/** What the options are that nobody chose, for so many training documents. Few documents are learnt by heart by trees with many leaves; long
 *  lists teach far below the cut of a measure. */
function optionsForSize(numDocuments: number): Readonly<Record<keyof typeof lightgbm, number>> {
  return { leaves: numDocuments < MANY ? 7 : 31, truncation: 100 };
}

/** The options with numbers in the place of every `auto`. */
export function withSizedOptions(
  options: Readonly<Record<string, OptionValue>>,
  numDocuments: number,
): Readonly<Record<string, OptionValue>> {
  const sized = options.defaults === 'lightgbm' ? lightgbm : optionsForSize(numDocuments);
  return { ...options, ...Object.fromEntries(Object.entries(sized).filter(([name]) => options[name] === 'auto')) };
}
