import { JsonError, JsonTokens } from './json-tokens.js';

const nothing = (): void => undefined;

/** What is wrong with a text that `JSON.parse` does not take, in our own words and with the line; every version of JavaScript has others. */
export function jsonProblem(text: string): string {
  const tokens = new JsonTokens({ begin: nothing, end: nothing, key: nothing, scalar: nothing });
  const bytes = new TextEncoder().encode(text);
  try {
    tokens.push(bytes, 0, bytes.length);
    tokens.end();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return tokens.line === 1 ? error.message : `${error.message} on line ${tokens.line}`;
  }
  // the words NaN and Infinity, and control characters in strings
  return 'it holds something that JSON does not have, such as NaN or a line break inside a string';
}
