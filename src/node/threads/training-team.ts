import type { Learner } from '../../ltr/ranker.js';
import { learnerEntries } from '../../ltr/registry.js';
import type { WorkerTeam } from './team.js';

/** Threads to train with, for a learner that can use them; none otherwise. They are started when they are first needed: small files
 *  and small sets are read and learnt from without them. Whoever asked for them closes them.
 *  @param threads Threads in all, the caller's among them; all cores by default. */
export async function trainingTeam(learner: Learner, threads?: number): Promise<WorkerTeam | undefined> {
  const entry = learnerEntries.find(({ name }) => name === learner.name);
  return entry?.usesThreads === true ? await threadTeam(threads) : undefined;
}

/** Threads for any work, started when they are first needed; none if one is asked for. Whoever asked for them closes them.
 *  @param threads Threads in all, the caller's among them; all cores by default. */
export async function threadTeam(threads?: number): Promise<WorkerTeam | undefined> {
  if (threads === 1) return undefined;
  const { createTeam } = await import('./team.js');
  const { numThreads } = await import('./threads.js');
  numThreads(threads);
  return startedWhenNeeded(() => createTeam(threads));
}

function startedWhenNeeded(create: () => WorkerTeam): WorkerTeam {
  let team: WorkerTeam | undefined;
  const started = (): WorkerTeam => {
    team ??= create();
    return team;
  };
  return {
    get size() {
      return started().size;
    },
    run: (module, data) => started().run(module, data),
    prepare: (module) => team?.prepare(module),
    started: () => started().started(),
    check: () => team?.check(),
    close: async () => await team?.close(),
  };
}
