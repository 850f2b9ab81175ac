import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';

/** A program that Gradus can stand in for, byte for byte. */
export interface Tool {
  readonly name: string;
  readonly summary: string;
  /** Oldest first. */
  readonly versions: readonly string[];
  readonly defaultVersion: string;
  /** Takes the tool's own arguments and gives its exit status. */
  run(version: string, argv: readonly string[]): Promise<number>;
}

export const tools: readonly Tool[] = [
  {
    name: 'trec_eval',
    summary: "NIST's evaluation program of the Text REtrieval Conference",
    versions: ['9.0.7', '9.0.8', '10.0'],
    defaultVersion: '9.0.8',
    run: async (version, argv) => (await import('./commands/as-trec-eval.js')).asTrecEval(version, argv),
  },
];

/** Finds `trec_eval` or `trec_eval@9.0.7`. */
export function findTool(text: string): { tool: Tool; version: string } {
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const close = closest(
      name,
      tools.map((candidate) => candidate.name),
    );
    throw new InputError({
      message: `there is no tool ${name === '' ? 'with an empty name' : name}`,
      wayOut: `${close === undefined ? '' : `did you mean ${close}? `}it can be ${toolSpellings().join(', ')}`,
    });
  }
  const version = at < 0 ? tool.defaultVersion : text.slice(at + 1);
  if (!tool.versions.includes(version)) {
    throw new InputError({
      message: `there is no version ${version === '' ? '(empty)' : version} of ${name}`,
      wayOut: `it can be ${tool.versions.join(', ')}; without a version it is ${tool.defaultVersion}`,
    });
  }
  return { tool, version };
}

/** Every tool with every version, as they are written on the command line. */
export function toolSpellings(): string[] {
  return tools.flatMap(({ name, versions }) => [name, ...versions.map((version) => `${name}@${version}`)]);
}
