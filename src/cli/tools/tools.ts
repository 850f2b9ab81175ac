import { closest, InputError } from '../../core/index.js';

/** A program that Gradus can stand in for, byte for byte. */
export interface Tool {
  readonly name: string;
  readonly summary: string;
  /** Oldest first; none if there is only one. */
  readonly versions: readonly string[];
  /** Empty if there are no versions. */
  readonly defaultVersion: string;
  /** Takes the tool's own arguments and gives its exit status. */
  run(version: string, argv: readonly string[]): Promise<number>;
}

/** The tools that `gradus as` stands in for. */
export const tools: readonly Tool[] = [
  {
    name: 'trec_eval',
    summary: "NIST's evaluation program of the Text REtrieval Conference",
    versions: ['8.1', '8.1+ndcg', '9.0.7', '9.0.8', '10.0'],
    defaultVersion: '9.0.8',
    run: async (version, argv) => (await import('./trec-eval.js')).asTrecEval(version, argv),
  },
  ...[
    { name: 'letor2', summary: 'the evaluation script of LETOR 1 and 2: score TEST PREDICTIONS OUT FLAG' },
    { name: 'letor3', summary: 'the scripts of LETOR 3.0: score or rank TEST PREDICTIONS OUT FLAG, ttest A B OUT' },
    { name: 'letor4', summary: 'the scripts of LETOR 4.0: score TEST PREDICTIONS OUT FLAG, ttest A B OUT' },
    { name: 'mslr', summary: 'the scripts of MSLR-WEB10K and WEB30K: score TEST PREDICTIONS OUT FLAG, ttest A B OUT' },
  ].map(({ name, summary }) => ({
    name,
    summary,
    versions: [],
    defaultVersion: '',
    run: async (_: string, argv: readonly string[]) => (await import('./letor.js')).asLetor(name, argv),
  })),
  {
    name: 'yahoo',
    summary: "the evaluation of Yahoo's learning to rank challenge: LABELS RANKS [-k 10 | -k1,2,3]",
    versions: [],
    defaultVersion: '',
    run: async (_, argv) => (await import('./yahoo.js')).asYahoo(argv),
  },
  {
    name: 'ranklib',
    summary: 'RankLib: -test, -metric2T, -score, -idv, -qrel, -gmax, -hr, -load, -rank, -indri, -norm, and its training flags',
    versions: ['2.1', '2.3', '2.8', '2.10.1'],
    defaultVersion: '2.8',
    run: async (version, argv) => (await import('./ranklib.js')).asRankLib(version, argv),
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
  if (at >= 0 && tool.versions.length === 0) {
    throw new InputError({ message: `${name} has no versions`, wayOut: `write it as ${name}` });
  }
  if (tool.versions.length > 0 && !tool.versions.includes(version)) {
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
