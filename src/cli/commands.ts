import type { Command } from './command.js';

/** Every command, in the order of the help. A command is loaded when it is called for; what it needs for its work beyond
 *  its description it should load when it runs. */
export const commandLoaders: Readonly<Record<string, () => Promise<Command>>> = {
  eval: async () => (await import('./commands/eval.js')).evalCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  gate: async () => (await import('./commands/gate.js')).gateCommand,
  report: async () => (await import('./commands/report.js')).reportCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  fuse: async () => (await import('./commands/fuse.js')).fuseCommand,
  correlate: async () => (await import('./commands/correlate.js')).correlateCommand,
  meta: async () => (await import('./commands/meta.js')).metaCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  audit: async () => (await import('./commands/audit.js')).auditCommand,
  as: async () => (await import('./commands/as.js')).asCommand,
  train: async () => await (await import('./commands/train.js')).loadTrainCommand(),
  score: async () => (await import('./commands/score.js')).scoreCommand,
  model: async () => (await import('./commands/model.js')).modelCommand,
  cv: async () => await (await import('./commands/cv.js')).loadCvCommand(),
  sql: async () => (await import('./commands/sql.js')).sqlCommand,
  convert: async () => (await import('./commands/convert.js')).convertCommand,
  measures: async () => (await import('./commands/measures.js')).measuresCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
  help: async () => (await import('./commands/help.js')).helpCommand,
};

/** Loads one command and nothing else, so that each starts fast; undefined if there is none of this name. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(commandLoaders, name) ? await commandLoaders[name]() : undefined;
}

/** Every command, for help, completion and the reference. */
export async function loadAllCommands(): Promise<Command[]> {
  return await Promise.all(Object.values(commandLoaders).map((load) => load()));
}
