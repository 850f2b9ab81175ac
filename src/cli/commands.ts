import type { Command, CommandGroup } from './parse/command.js';

/** Commands by the question that a person has, in the order of the help. A command is loaded when it is called for; what it needs for its
 *  work beyond its description it should load when it runs. */
const questions: readonly { readonly question: string; readonly commands: CommandLoaders }[] = [
  {
    question: 'How good is it, and is it better?',
    commands: {
      eval: async () => (await import('./commands/eval.js')).evalCommand,
      compare: async () => (await import('./commands/compare.js')).compareCommand,
      leaderboard: async () => (await import('./commands/leaderboard.js')).leaderboardCommand,
      risk: async () => (await import('./commands/risk.js')).riskCommand,
      interleave: async () => (await import('./commands/interleave/interleave.js')).interleaveCommands,
      gate: async () => (await import('./commands/gate.js')).gateCommand,
      report: async () => (await import('./commands/report.js')).reportCommand,
      serve: async () => (await import('./commands/serve.js')).serveCommand,
    },
  },
  {
    question: 'Can the judgements be trusted, and are they enough?',
    commands: {
      agree: async () => (await import('./commands/agree.js')).agreeCommand,
      correct: async () => (await import('./commands/correct.js')).correctCommand,
      plan: async () => (await import('./commands/plan/plan.js')).planCommands,
      pool: async () => (await import('./commands/pool/pool.js')).poolCommands,
      audit: async () => (await import('./commands/audit.js')).auditCommand,
      meta: async () => (await import('./commands/meta/meta.js')).metaCommands,
    },
  },
  {
    question: 'Why do numbers differ, and is it the same experiment?',
    commands: {
      explain: async () => (await import('./commands/explain.js')).explainCommand,
      as: async () => (await import('./commands/as.js')).asCommand,
      correlate: async () => (await import('./commands/correlate.js')).correlateCommand,
      reproduce: async () => (await import('./commands/reproduce.js')).reproduceCommand,
    },
  },
  {
    question: 'How is a better ranking made?',
    commands: {
      fuse: async () => (await import('./commands/fuse.js')).fuseCommand,
      train: async () => (await import('./commands/train.js')).trainCommands,
      score: async () => (await import('./commands/score.js')).scoreCommand,
      tune: async () => (await import('./commands/tune.js')).tuneCommand,
      cv: async () => (await import('./commands/cv.js')).cvCommands,
      clicks: async () => (await import('./commands/clicks/clicks.js')).clicksCommands,
      model: async () => (await import('./commands/model/model.js')).modelCommands,
    },
  },
  {
    question: 'What else?',
    commands: {
      convert: async () => (await import('./commands/convert.js')).convertCommand,
      sql: async () => (await import('./commands/sql.js')).sqlCommand,
      measures: async () => (await import('./commands/measures.js')).measuresCommand,
      completion: async () => (await import('./commands/completion.js')).completionCommand,
      worker: async () => (await import('./commands/worker.js')).workerCommand,
      version: async () => (await import('./commands/version.js')).versionCommand,
      help: async () => (await import('./commands/help.js')).helpCommand,
    },
  },
];

type CommandLoaders = Readonly<Record<string, () => Promise<Command | CommandGroup>>>;

/** Every command and group of commands, in the order of the help. */
export const commandLoaders: CommandLoaders = Object.assign({}, ...questions.map(({ commands }) => commands));

/** The commands of each question. */
export async function loadByQuestion(): Promise<{ readonly question: string; readonly entries: readonly (Command | CommandGroup)[] }[]> {
  return await Promise.all(
    questions.map(async ({ question, commands }) => ({
      question,
      entries: await Promise.all(Object.values(commands).map((load) => load())),
    })),
  );
}

/** The command or group of this name. */
export async function loadEntry(name: string): Promise<Command | CommandGroup | undefined> {
  return Object.hasOwn(commandLoaders, name) ? await commandLoaders[name]() : undefined;
}

/** What the word behind `gradus` can be. */
export async function loadAllEntries(): Promise<(Command | CommandGroup)[]> {
  return await Promise.all(Object.values(commandLoaders).map((load) => load()));
}
