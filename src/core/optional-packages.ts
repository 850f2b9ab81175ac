import { InputError } from './problem.js';

/** What an `import()` of a package that only some people need failed with: the advice to install it, with those that go with it, if it is
 *  not there; any other error as it is. Such an `import()` has to stand inside a `try` block, which tells bundlers that they may go on
 *  without the package. */
export function orAdvice(error: unknown, purpose: string, packages: readonly string[]): unknown {
  if (!isMissingModule(error)) return error;
  const [noun, verb] = packages.length === 1 ? ['package', 'is'] : ['packages', 'are'];
  return new InputError({
    message: `${purpose} needs the ${noun} ${packages.join(' and ')}, which ${verb} not installed`,
    wayOut: `npm install ${packages.join(' ')}`,
  });
}

/** True for an error that says a package cannot be found, as opposed to one that it threw. Node, Bun, Deno and webpack give a code; Vite
 *  and browsers, each in its own words, have none. */
function isMissingModule(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return true;
  return /dynamically imported module|could not resolve "|resolve module specifier|bare specifier|does not resolve to a valid URL/i.test(
    String(message),
  );
}
