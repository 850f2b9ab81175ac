import { limits } from '../core/limits.js';
import { InputError } from '../core/problem.js';
import { plainChunks } from '../formats/source.js';
import type { ModelReading } from '../ltr/models/model-file.js';
import type { Model } from '../ltr/ranker.js';
import { fileSource } from './files.js';

/** Reads a model from a file of Gradus or of another tool, compressed or not; `-` is standard input. */
export async function loadModel(path: string, reading: ModelReading = {}): Promise<Model> {
  const file = fileSource(path);
  const { name: source, size = 0 } = file;
  const decoder = new TextDecoder();
  let text = '';
  let numBytes = 0;
  for await (const chunk of plainChunks(file)) {
    numBytes += chunk.length;
    // a file that is too large is not read to where it becomes so
    if (Math.max(size, numBytes) > limits.modelBytes) {
      throw new InputError({
        source,
        message: `is larger than ${limits.modelBytes} bytes, too large for a model`,
        wayOut: 'check that it is the file that was meant',
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  const { readModel } = await import('../ltr/models/read-model.js');
  try {
    return readModel(text + decoder.decode(), reading);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map((problem) => ({ ...problem, source: problem.source ?? source })));
  }
}
