import { bytesOf, joined } from './mutate.js';

/** Several files, or arguments and files, in one input: a line of two percent signs parts them. */
const separator = bytesOf('%%\n');

export function joinParts(parts: readonly (Uint8Array | string)[]): Uint8Array {
  return joined(...parts.flatMap((part, i) => [...(i === 0 ? [] : [separator]), typeof part === 'string' ? bytesOf(part) : part]));
}

/** As many parts as are wanted; those that are not there are empty, and the last one takes what is left. */
export function partsOf(input: Uint8Array, count: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  while (parts.length < count - 1) {
    const at = Buffer.from(input.buffer, input.byteOffset, input.length).indexOf(separator, from);
    if (at < 0) break;
    parts.push(input.slice(from, at));
    from = at + separator.length;
  }
  parts.push(input.slice(from));
  while (parts.length < count) parts.push(new Uint8Array(0));
  return parts;
}

/** Arguments, one on each line; a symbol stands for a line feed within one. */
export function argumentsOfPart(part: Uint8Array): string[] {
  const text = Buffer.from(part).toString('utf8').replace(/\n$/, '');
  return text === '' ? [] : text.split('\n').map((argument) => argument.replaceAll('␤', '\n').replaceAll('\0', ''));
}

export function argumentsPart(argv: readonly string[]): string {
  return `${argv.map((argument) => argument.replaceAll('\n', '␤')).join('\n')}\n`;
}
