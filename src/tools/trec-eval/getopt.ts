/** Command lines as GNU `getopt_long` reads them: short options in clusters, arguments glued or separate, long options by
 *  any unambiguous beginning, operands anywhere, `--` before the last operands. */

export interface GetoptOption {
  readonly short: string;
  readonly long: string;
  /** Whether the short form takes an argument … */
  readonly argument: boolean;
  /** … and the long form, where that differs. */
  readonly longArgument?: boolean;
}

/** What is wrong with an option, in getopt's words but without the program's name before them. */
export interface OptionMistake {
  readonly mistake: string;
}

/** Acts on each option in order; the first mistake ends the walk. Returns the operands, or the mistake. */
export function walkOptions(
  args: readonly string[],
  specs: readonly GetoptOption[],
  act: (spec: GetoptOption, argument: string) => void,
): readonly string[] | OptionMistake {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === '--') return [...operands, ...args.slice(at + 1)];
    if (arg.length < 2 || arg[0] !== '-') {
      operands.push(arg);
      continue;
    }
    if (arg[1] === '-') {
      const found = findLong(arg.slice(2), specs);
      if ('mistake' in found) return found;
      const { spec, given } = found;
      const takesArgument = spec.longArgument ?? spec.argument;
      if (!takesArgument && given !== undefined) return { mistake: `option '--${spec.long}' doesn't allow an argument` };
      if (takesArgument && given === undefined && ++at === args.length) return { mistake: `option '--${spec.long}' requires an argument` };
      act(spec, takesArgument ? (given ?? args[at]) : '');
      continue;
    }
    for (let i = 1; i < arg.length; i++) {
      const spec = specs.find((candidate) => candidate.short === arg[i]);
      if (spec === undefined) return { mistake: `invalid option -- '${arg[i]}'` };
      if (!spec.argument) {
        act(spec, '');
        continue;
      }
      if (i + 1 < arg.length) act(spec, arg.slice(i + 1));
      else if (++at < args.length) act(spec, args[at]);
      else return { mistake: `option requires an argument -- '${arg[i]}'` };
      break;
    }
  }
  return operands;
}

/** `written` is what follows the two dashes, with `=argument` if there is one. */
function findLong(
  written: string,
  specs: readonly GetoptOption[],
): { readonly spec: GetoptOption; readonly given: string | undefined } | OptionMistake {
  const equals = written.indexOf('=');
  const name = equals < 0 ? written : written.slice(0, equals);
  const given = equals < 0 ? undefined : written.slice(equals + 1);
  const exact = specs.find((spec) => spec.long === name);
  if (exact !== undefined) return { spec: exact, given };
  const candidates = specs.filter((spec) => spec.long.startsWith(name));
  if (candidates.length === 0) return { mistake: `unrecognized option '--${written}'` };
  if (candidates.length === 1) return { spec: candidates[0], given };
  const possibilities = candidates.map((spec) => ` '--${spec.long}'`).join('');
  return { mistake: `option '--${written}' is ambiguous; possibilities:${possibilities}` };
}
