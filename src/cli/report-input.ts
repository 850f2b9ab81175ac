import { printable } from '../core/problem.js';
import type { ReportRequest } from '../experiment/report.js';
import type { ParsedArguments } from './arguments.js';
import type { Command } from './command.js';
import { askedMissing, judgingSettings, readingSettings } from './experiment-options.js';
import { askedComparison } from './test-options.js';

/** The report that the arguments ask for. */
export function reportRequest(args: ParsedArguments, command: Command): ReportRequest {
  const [judgements, ...runs] = args.positionals;
  return {
    ...judgingSettings(args),
    ...readingSettings(args),
    judgements,
    runs,
    names: args.values('name'),
    missing: askedMissing(args),
    threads: args.number('threads'),
    trec: args.has('trec'),
    comparison: askedComparison(args),
    audit: args.has('audit') ? true : args.has('no-audit') ? false : undefined,
    title: args.value('title'),
    header: args.values('header').map(headerLine),
    command: commandLine(args, command),
    date: args.value('date'),
  };
}

/** `Task: ad hoc`. */
export function headerLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

/** The command as it could be typed again, in the order of the help, without where the result went. */
function commandLine(args: ParsedArguments, command: Command): string {
  const words = ['gradus', command.name];
  for (const { long, value } of command.options) {
    if (['output', 'threads'].includes(long)) continue;
    for (const given of args.values(long)) words.push(`--${long}`, ...(value === undefined ? [] : [quoted(given)]));
  }
  return [...words, ...args.positionals.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printable(word, Infinity).replaceAll("'", "'\\''")}'`;
}
