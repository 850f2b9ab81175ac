import { InputError } from '../../core/problem.js';
import { inferFormat } from '../recognise.js';
import { type ByteSource, readText } from '../source.js';
import { answerNames } from './kinds.js';

/** Whether a file that begins like this is the answer to one search. */
export function isSingleAnswer(fileName: string, start: Uint8Array): boolean {
  return answerNames.has(inferFormat(fileName, start, ['run']).format.name);
}

/** Files with one answer each as one run, whose topics are the names of the files.
 *  @param name What they are called together, in messages.
 *  @param folder The name of their folder, by which the run goes. */
export function answersSource(name: string, folder: string, files: readonly ByteSource[]): ByteSource {
  return {
    name,
    fileName: `${folder}.jsonl`,
    isReopenable: true,
    async *open() {
      const encoder = new TextEncoder();
      for (const file of files) yield encoder.encode(await answerLine(file));
    },
  };
}

/** An answer as a line of a file that holds many. */
async function answerLine(file: ByteSource): Promise<string> {
  const text = (await readText(file)).replace(/^\ufeff/, '');
  const topic = (file.fileName ?? file.name).replace(/\.[^.]+$/, '');
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError({ source: file.name, message: `is not JSON: ${reason}`, wayOut: 'send the search again and keep its answer' });
  }
  // a line break can only stand between the parts of JSON, never in a text
  return `{"query_id":${JSON.stringify(topic)},"response":${text.replace(/[\r\n]+/g, ' ')}}\n`;
}
