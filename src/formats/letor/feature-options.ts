import { InputError } from '../../core/problem.js';
import type { ReadOptions } from '../reader.js';
import type { FeatureTableOptions } from './feature-rows.js';
import type { LetorOptions } from './options.js';

/** How a file of features is read, whatever its format. */
export interface FeatureOptions extends FeatureTableOptions, Pick<ReadOptions, 'expectedBytes'> {
  /** Options that only LETOR files know; others have names and missing values of their own. */
  readonly letor?: Omit<LetorOptions, 'source' | 'lenient' | 'maxProblems' | 'expectedBytes'> | undefined;
}

/** What these options say of a LETOR file.
 *  @throws An `InputError` if they speak of columns by name. */
export function letorOptions(options: FeatureOptions): LetorOptions {
  const { source, lenient, maxProblems, expectedBytes, columns, features, ignore, letor } = options;
  if (columns !== undefined || features !== undefined || ignore !== undefined) {
    throw new InputError({
      source,
      message: 'is a LETOR file, whose columns have no names',
      wayOut: 'leave --columns, --features and --ignore out',
    });
  }
  return { source, lenient, maxProblems, expectedBytes, ...letor };
}
