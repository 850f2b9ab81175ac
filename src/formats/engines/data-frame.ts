import { roleOf } from '../tables/columns.js';
import { at, isArray, isObject, type JsonTable, type JsonValue } from './json-value.js';

/** Whether an object is a data frame as pandas writes it unless it is asked for records: column by column, or the rows apart from the
 *  names of their columns. Of a long file only the beginning is there, perhaps with nothing but the first column. */
export function isDataFrame(top: JsonTable): boolean {
  if (isArray(top.get('columns')) && isArray(top.get('data'))) return true;
  const columns = [...top].filter(([, values]) => isColumn(values));
  if (columns.length < top.size || columns.length === 0) return false;
  const roles = new Set(columns.map(([name]) => roleOf(name)));
  if (roles.has('topic') && roles.has('doc')) return true;
  // in a run or in judgements documents have numbers
  const [[name, values]] = columns;
  return columns.length === 1 && ['topic', 'doc'].includes(roleOf(name) ?? '') && typeof at(values, '0') === 'string';
}

/** A value for each row: in a list, or by the number of the row. */
function isColumn(values: JsonValue): boolean {
  if (isArray(values)) return values.length > 0 && !isArray(values[0]) && !isObject(values[0]);
  return isObject(values) && values.has('0');
}
