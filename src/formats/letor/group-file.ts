import { InputError } from '../../core/problem.js';
import { type ByteSource, readText } from '../source.js';

/** How LightGBM and XGBoost end the names of the files that say how many rows each query has. */
const endings = ['.query', '.group'] as const;

/** The numbers of rows of the queries, from the file beside one of features whose lines have no query ids; undefined if there is none. */
export async function groupSizesBeside(source: ByteSource): Promise<Float64Array | undefined> {
  for (const ending of endings) {
    const file = source.beside?.(ending);
    if (file !== undefined) return await readSizes(file);
  }
  return undefined;
}

async function readSizes(file: ByteSource): Promise<Float64Array> {
  const lines = (await readText(file)).split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  const wrong = lines.findIndex((line) => !/^[1-9]\d*$/.test(line));
  if (wrong >= 0 || lines.length === 0) {
    const found = lines[wrong] === undefined || lines[wrong] === '' ? 'nothing' : JSON.stringify(lines[wrong].slice(0, 40));
    throw new InputError({
      source: file.name,
      line: wrong < 0 ? 1 : wrong + 1,
      message: `expected the number of rows of a query, found ${found}`,
      wayOut: 'write one whole number per line, for each query in turn',
    });
  }
  return Float64Array.from(lines, Number);
}
