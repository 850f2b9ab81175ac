/** What the page knows: the files, the settings, and what was computed from them last. */
import type { Problem } from 'gradus';
import { type Address, addressOf, readAddress, type View } from './address.js';
import { EngineClient, EngineProblem, Stopped } from './engine/client.js';
import type { Catalogue, FileKind, FileSummary, Results, Settings } from './engine/protocol.js';

export interface FileItem {
  readonly id: number;
  readonly file: File;
  readonly as: FileKind | undefined;
  readonly lenient: boolean;
  readonly status: 'reading' | 'ready' | 'bad';
  /** From 0 to 1. */
  readonly progress: number;
  readonly summary?: FileSummary | undefined;
  readonly problems?: readonly Problem[] | undefined;
}

export interface Work {
  readonly what: string;
  /** From 0 to 1; undefined where nobody can tell. */
  readonly progress: number | undefined;
}

/** How long a person may go on typing before the settings count. */
const PAUSE = 250;

export class AppState {
  readonly engine: EngineClient = new EngineClient();
  files: readonly FileItem[] = $state.raw([]);
  settings: Settings = $state.raw(readAddress('').settings);
  view: View = $state('scores');
  judgements: number | undefined = $state();
  results: Results | undefined = $state.raw();
  problems: readonly Problem[] = $state.raw([]);
  work: Work | undefined = $state.raw();
  catalogue: Catalogue | undefined = $state.raw();
  /** What a screen reader is told. */
  announcement: string = $state('');
  topic: { readonly topic: string; readonly file: number; readonly measure: string } | undefined = $state.raw();
  private nextId = 1;
  private request = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fragment: string) {
    this.follow(readAddress(fragment));
    void this.engine.catalogue().then((catalogue) => {
      this.catalogue = catalogue;
    });
  }

  follow({ settings, view }: Address): void {
    this.settings = settings;
    this.view = view;
    if (this.isReady) this.evaluateSoon();
  }

  get address(): string {
    return addressOf({ settings: this.settings, view: this.view });
  }

  get isReady(): boolean {
    const kinds = new Set(this.files.map(({ summary }) => summary?.kind));
    return (kinds.has('judgements') && kinds.has('run')) || (kinds.has('features') && kinds.has('predictions'));
  }

  change(changes: Partial<Settings>): void {
    this.settings = { ...this.settings, ...changes };
    this.evaluateSoon();
  }

  open(view: View): void {
    this.view = view;
  }

  openTopic(topic: string, file: number, measure: string): void {
    this.topic = { topic, file, measure };
    this.view = 'topic';
  }

  /** @param kinds What the files are, as far as somebody said. */
  async addFiles(files: readonly File[], kinds: readonly (FileKind | undefined)[] = []): Promise<void> {
    // judgements first or last, in any order: nothing is scored before all of them were read
    await Promise.all(
      files.map((file, i) => this.read({ id: this.nextId++, file, as: kinds[i], lenient: false, status: 'reading', progress: 0 })),
    );
    this.evaluateSoon(0);
  }

  /** Reads a file again, in the way that a person asked for. */
  async readAgain(item: FileItem, changes: { as?: FileKind; lenient?: boolean }): Promise<void> {
    await this.read({ ...item, ...changes, status: 'reading', progress: 0, problems: undefined });
    this.evaluateSoon(0);
  }

  async remove(item: FileItem): Promise<void> {
    this.files = this.files.filter(({ id }) => id !== item.id);
    await this.engine.remove(item.id);
    if (this.judgements === item.id) {
      this.judgements = this.files.findLast(({ summary }) => summary?.kind === 'judgements' || summary?.kind === 'features')?.id;
    }
    this.announcement = `${item.file.name} was taken away.`;
    this.evaluateSoon(0);
  }

  async removeAll(): Promise<void> {
    for (const item of this.files) await this.engine.remove(item.id);
    this.files = [];
    this.judgements = undefined;
    this.results = undefined;
    this.problems = [];
    this.topic = undefined;
    this.view = 'scores';
  }

  async chooseJudgements(id: number): Promise<void> {
    this.judgements = id;
    await this.engine.chooseJudgements(id);
    this.evaluateSoon(0);
  }

  /** Ends what is going on; files that were being read are given up. */
  stop(): void {
    this.request++;
    this.engine.stop();
    this.work = undefined;
    this.files = this.files.filter(({ status }) => status !== 'reading');
    this.announcement = 'Stopped.';
  }

  evaluateSoon(pause: number = PAUSE): void {
    clearTimeout(this.timer);
    if (!this.isReady) {
      this.results = undefined;
      this.problems = [];
      return;
    }
    this.timer = setTimeout(() => void this.evaluate(), pause);
  }

  /** Asks the worker, shows that something is going on, and keeps what went wrong. Undefined if there is no answer. */
  async working<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    const request = ++this.request;
    this.work = { what, progress: undefined };
    try {
      const result = await ask();
      if (request !== this.request) return undefined;
      this.problems = [];
      return result;
    } catch (error) {
      if (request !== this.request || error instanceof Stopped) return undefined;
      this.problems = problemsOf(error);
      this.announcement = `Not done: ${this.problems[0]?.message ?? ''}`;
      return undefined;
    } finally {
      if (request === this.request) this.work = undefined;
    }
  }

  private async evaluate(): Promise<void> {
    const settings = this.settings;
    const onProgress = (done: number, total: number, what: string): void => {
      if (this.work !== undefined) this.work = { what, progress: total === 0 ? undefined : done / total };
    };
    const results = await this.working('scoring', () => this.engine.ask((engine) => engine.evaluate(settings, onProgress)));
    if (results === undefined) return;
    this.results = results;
    if (this.topic !== undefined && !results.topics.includes(this.topic.topic)) this.topic = undefined;
    const runs = results.systems.length === 1 ? '1 run' : `${results.systems.length} runs`;
    const topics = results.topics.length === 1 ? '1 topic' : `${results.topics.length} topics`;
    this.announcement = `Scored ${runs} on ${topics}.`;
  }

  private async read(item: FileItem): Promise<void> {
    this.put(item);
    // word of progress may come after the answer, by another way
    const onProgress = (done: number, total: number): void => {
      const now = this.files.find(({ id }) => id === item.id);
      if (now?.status === 'reading') this.put({ ...now, progress: total === 0 ? 0 : done / total });
    };
    try {
      const summary = await this.engine.add(item.id, item.file, item.as, item.lenient, onProgress);
      this.put({ ...item, status: 'ready', progress: 1, summary });
      if (summary.kind === 'judgements' || summary.kind === 'features') this.judgements = item.id;
      this.announcement = `${item.file.name}: ${summary.kind}, ${summary.size}.`;
    } catch (error) {
      if (error instanceof Stopped) return;
      this.put({ ...item, status: 'bad', problems: problemsOf(error), summary: undefined });
      this.announcement = `${item.file.name} could not be read.`;
    }
  }

  private put(item: FileItem): void {
    const known = this.files.some(({ id }) => id === item.id);
    this.files = known ? this.files.map((one) => (one.id === item.id ? item : one)) : [...this.files, item];
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof EngineProblem) return error.problems;
  return [{ message: error instanceof Error ? error.message : String(error) }];
}
