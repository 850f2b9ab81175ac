import type { Command, CommandGroup } from './parse/command.js';

/** Every command and group of commands, in the order of the help. A command is loaded when it is called for; what it needs for its work beyond
 *  its description it should load when it runs. */
export const commandLoaders: Readonly<Record<string, () => Promise<Command | CommandGroup>>> = {
  eval: async () => (await import('./commands/eval.js')).evalCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  gate: async () => (await import('./commands/gate.js')).gateCommand,
  report: async () => (await import('./commands/report.js')).reportCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  fuse: async () => (await import('./commands/fuse.js')).fuseCommand,
  correlate: async () => (await import('./commands/correlate.js')).correlateCommand,
  meta: async () => (await import('./commands/meta.js')).metaCommands,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  audit: async () => (await import('./commands/audit.js')).auditCommand,
  as: async () => (await import('./commands/as.js')).asCommand,
  train: async () => (await import('./commands/train.js')).trainCommands,
  score: async () => (await import('./commands/score.js')).scoreCommand,
  model: async () => (await import('./commands/model.js')).modelCommands,
  cv: async () => (await import('./commands/cv.js')).cvCommands,
  sql: async () => (await import('./commands/sql.js')).sqlCommand,
  convert: async () => (await import('./commands/convert.js')).convertCommand,
  measures: async () => (await import('./commands/measures.js')).measuresCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
  version: async () => (await import('./commands/version.js')).versionCommand,
  help: async () => (await import('./commands/help.js')).helpCommand,
};

/** The command or group of this name. */
export async function loadEntry(name: string): Promise<Command | CommandGroup | undefined> {
  return Object.hasOwn(commandLoaders, name) ? await commandLoaders[name]() : undefined;
}

/** What the word behind `gradus` can be. */
export async function loadAllEntries(): Promise<(Command | CommandGroup)[]> {
  return await Promise.all(Object.values(commandLoaders).map((load) => load()));
}
