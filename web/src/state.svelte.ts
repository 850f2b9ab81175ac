/** What the page knows: the files, the settings, and what was computed from them last. */
import type { Problem } from 'gradus';
import { type Address, addressOf, readAddress } from './address.js';
import { EngineClient, problemsOf, Stopped } from './engine/client.js';
import type { PlacedFile } from './engine/folders.js';
import type { Catalogue, FileKind, FileReading, Results, Settings } from './engine/protocol.js';
import { type FileItem, isPage, sizesSummary } from './file-item.js';
import type { KeptFile, KeptSession, SystemLabel } from './kept/session.js';
import { topicWord } from './pairs.js';
import { countsLinesOf, isSizesFile } from './sizes.js';
import { firstView, type ViewRecord, viewNamed } from './views.js';

export interface Work {
  readonly what: string;
  /** From 0 to 1; undefined where nobody can tell. */
  readonly progress: number | undefined;
}

/** How long a person may go on typing before the settings count. */
const PAUSE = 250;
/** Files that are read at the same time. */
const MOST_AT_ONCE = 4;

export class AppState {
  readonly engine: EngineClient = new EngineClient();
  files: readonly FileItem[] = $state.raw([]);
  settings: Settings = $state.raw(readAddress('').settings);
  view: ViewRecord = $state.raw(firstView);
  /** The words of the address that belong to views: which systems, which topic, which order. */
  words: Readonly<Record<string, string>> = $state.raw({});
  judgements: number | undefined = $state();
  results: Results | undefined = $state.raw();
  problems: readonly Problem[] = $state.raw([]);
  work: Work | undefined = $state.raw();
  catalogue: Catalogue | undefined = $state.raw();
  /** What a screen reader is told. */
  announcement: string = $state('');
  /** The system that somebody points at, by its place: it lights up wherever it is shown. */
  pointed: number | undefined = $state();
  private readonly keys: Map<string, () => void> = new Map();
  private readonly otherKeys: Map<string, () => void> = new Map();
  private nextId = 1;
  private request = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(fragment: string) {
    this.follow(readAddress(fragment));
    void this.engine.catalogue().then((catalogue) => {
      this.catalogue = catalogue;
    });
  }

  /** Shows what an address says: one that was opened, or that Back and Forward lead to. */
  follow({ settings, view, words, unknown }: Address): void {
    const isSame = JSON.stringify(settings) === JSON.stringify({ ...this.settings, baseline: '' });
    if (!isSame) this.settings = settings;
    const kept = Object.entries(this.words).filter(([name]) => !view.words.includes(name));
    this.words = { ...Object.fromEntries(kept), ...words };
    this.view = view;
    if (unknown.length > 0) this.announcement = `The address says ${unknown.join(', ')}, which means nothing here.`;
    if (this.isReady && !isSame) this.evaluateSoon();
  }

  get address(): string {
    return this.addressOf(this.view);
  }

  /** The address of a view with the settings as they are. */
  addressOf(view: ViewRecord, words: Readonly<Record<string, string | undefined>> = {}): string {
    return addressOf({ settings: this.settings, view, words: this.with(words) });
  }

  private with(words: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
    const all = Object.entries({ ...this.words, ...words }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(all);
  }

  /** Opens a view; Back leads to where one was.
   *  @param words What to change of the view's words; undefined takes one out. */
  open(id: string, words: Readonly<Record<string, string | undefined>> = {}): void {
    const before = this.address;
    this.view = viewNamed(id);
    this.words = this.with(words);
    if (this.address !== before) history.pushState(null, '', this.address === '' ? `${location.pathname}${location.search}` : this.address);
  }

  /** Opens a view of two systems, by their places. */
  openPair(view: string, a: number, b: number): void {
    this.open(view, { a: String(a + 1), b: String(b + 1), topic: undefined });
  }

  /** Opens the two rankings of a topic; the view finds its place in the order by difference. */
  openDiff(a: number, b: number, topic: string): void {
    this.open('diff', { a: String(a + 1), b: String(b + 1), topic: topicWord(this.results, this.words.by, a, b, topic) });
  }

  /** What a single key does while a view is open; pressed outside fields only.
   *  @returns What ends it. */
  onKey(key: string, act: () => void): () => void {
    this.keys.set(key, act);
    return () => {
      if (this.keys.get(key) === act) this.keys.delete(key);
    };
  }

  /** What a single key does where the open view has no other use for it. */
  onOtherKey(key: string, act: () => void): () => void {
    this.otherKeys.set(key, act);
    return () => this.otherKeys.delete(key);
  }

  /** Follows a key; false if nobody listens for it. */
  press(key: string): boolean {
    const name = key.length === 1 ? key.toLowerCase() : key;
    const act = this.keys.get(name) ?? this.otherKeys.get(name);
    act?.();
    return act !== undefined;
  }

  /** Changes words of the view without a step in the history: what is only arranged differently. */
  arrange(words: Readonly<Record<string, string | undefined>>): void {
    this.words = this.with(words);
  }

  get isReady(): boolean {
    const kinds = new Set(this.files.map(({ summary }) => summary?.kind));
    return (kinds.has('judgements') && kinds.has('run')) || (kinds.has('features') && kinds.has('predictions'));
  }

  /** How much of all files has been read, from 0 to 1. */
  get share(): number {
    const total = this.files.reduce((sum, { file }) => sum + file.size, 0);
    const done = this.files.reduce((sum, { file, status, progress }) => sum + file.size * (status === 'reading' ? progress : 1), 0);
    return total === 0 ? 0 : done / total;
  }

  change(changes: Partial<Settings>): void {
    this.settings = { ...this.settings, ...changes };
    this.evaluateSoon();
  }

  /** Opens one ranking of one topic. */
  openTopic(topic: string, file: number, measure: string): void {
    const place = (found = -1): string | undefined => (found < 0 ? undefined : String(found + 1));
    this.open('topic', {
      t: place(this.results?.topics.indexOf(topic)),
      system: place(this.results?.systems.findIndex((one) => one.file === file)),
      measure,
    });
  }

  /** @param kinds What the files are, as far as somebody said. */
  async addFiles(files: readonly File[], kinds: readonly (FileKind | undefined)[] = []): Promise<void> {
    const given: KeptFile[] = [];
    let session: KeptSession | undefined;
    for (const [i, file] of files.entries()) {
      const saved = isPage(file) ? await this.savedSession(file) : undefined;
      if (saved === 'bad') continue;
      if (this.files.length === 0 && given.length === 0) session = saved;
      given.push(...(saved?.files ?? [{ file, reading: { as: kinds[i] }, label: {} }]));
    }
    if (session === undefined) await this.addRead(given);
    else await this.restore({ ...session, files: given });
  }

  /** Goes on with a session in place of what there is. */
  async restore({ address, words, baseline, judgements, files }: KeptSession): Promise<void> {
    await this.removeAll();
    this.words = words;
    this.follow(readAddress(address));
    this.settings = { ...this.settings, baseline };
    const items = await this.addRead(files);
    const chosen = judgements === null ? undefined : items[judgements]?.id;
    if (chosen !== undefined && chosen !== this.judgements && this.hasJudgements(chosen)) await this.chooseJudgements(chosen);
  }

  /** Adds files in the way that they are to be read. */
  private async addRead(given: readonly KeptFile[]): Promise<readonly FileItem[]> {
    // the numbers say in which order they came, whichever is read first
    const items = given.map((one): FileItem => ({ id: this.nextId++, ...one, status: 'reading', progress: 0 }));
    const sizes = items.filter(({ file }) => isSizesFile(file));
    for (const item of sizes) this.put({ ...item, status: 'ready', progress: 1, summary: await sizesSummary(item) });
    const counted = this.files.filter(({ file }) => sizes.some((one) => countsLinesOf(one.file, file)));
    await this.readAll([...counted, ...items.filter(({ file }) => !isSizesFile(file))]);
    return items;
  }

  /** The session in a page that was saved; undefined if it is no page, *bad* if it holds none, which its place in the list says. */
  private async savedSession(file: File): Promise<KeptSession | undefined | 'bad'> {
    try {
      return (await this.engine.ask((engine) => engine.savedSession(file))) ?? undefined;
    } catch (error) {
      this.put({ id: this.nextId++, file, reading: {}, label: {}, status: 'bad', progress: 1, problems: problemsOf(error) });
      return 'bad';
    }
  }

  /** What there is, as it could be kept or saved. */
  get session(): KeptSession {
    const files = this.files.filter(({ status }) => status === 'ready');
    const place = files.findIndex(({ id }) => id === this.judgements);
    return {
      // what one does with results is no place to go on from
      address: this.addressOf(this.view.place === 'button' ? firstView : this.view),
      words: this.words,
      baseline: this.settings.baseline,
      judgements: place < 0 ? null : place,
      files: files.map(({ file, reading, label }) => ({ file, reading, label })),
    };
  }

  /** Calls a system otherwise, or puts it in another group; empty words take back what was said. */
  async relabel(file: number, label: SystemLabel): Promise<void> {
    const item = this.files.find(({ id }) => id === file);
    if (item === undefined) return;
    this.put({ ...item, label });
    if (label.name === item.label.name) return;
    await this.engine.rename(file, label.name);
    this.evaluateSoon(0);
  }

  /** Reads what was not read when somebody pressed Stop. */
  async readStopped(): Promise<void> {
    await this.readAll(this.files.filter(({ status }) => status === 'stopped'));
  }

  /** Leaves out what was not read when somebody pressed Stop. */
  leaveStopped(): void {
    this.files = this.files.filter(({ status }) => status !== 'stopped');
    this.evaluateSoon(0);
  }

  private async readAll(given: readonly FileItem[]): Promise<void> {
    const items = given.map((item): FileItem => ({ ...item, status: 'reading', progress: 0, problems: undefined }));
    this.files = [...this.files.filter(({ id }) => !items.some((item) => item.id === id)), ...items].sort((a, b) => a.id - b.id);
    // judgements first or last, in any order: nothing is scored before all of them were read; a few at once, because each takes memory
    const waiting = items.values();
    const readOn = async (): Promise<void> => {
      for (const item of waiting) if (this.files.find(({ id }) => id === item.id)?.status === 'reading') await this.read(item);
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, readOn));
    this.evaluateSoon(0);
  }

  /** Adds folders, in which a tool may have laid out what it has made. */
  async addFolders(files: readonly PlacedFile[]): Promise<void> {
    const given = await this.working('looking into the folder', () => this.engine.ask((engine) => engine.folders(files)));
    if (given !== undefined) {
      await this.addFiles(
        given.map(({ file }) => file),
        given.map(({ as }) => as),
      );
    }
  }

  /** Reads a file again, in the way that a person asked for. */
  async readAgain(item: FileItem, changes: FileReading): Promise<void> {
    await this.read({ ...item, reading: { ...item.reading, ...changes }, status: 'reading', progress: 0, problems: undefined });
    this.evaluateSoon(0);
  }

  /** Reads a file by the columns that a person chose, and with it all others of which the columns are the same. */
  async chooseColumns(item: FileItem, reading: FileReading, alike: readonly FileItem[]): Promise<void> {
    await Promise.all([item, ...alike].map((one) => this.readAgain(one, reading)));
  }

  async remove(item: FileItem): Promise<void> {
    this.files = this.files.filter(({ id }) => id !== item.id);
    await this.engine.remove(item.id);
    if (this.judgements === item.id) {
      this.judgements = this.lastJudgements();
    }
    this.announcement = `${item.file.name} was removed.`;
    if (isSizesFile(item.file)) {
      const counted = this.files.filter(({ file }) => countsLinesOf(item.file, file));
      await Promise.all(counted.map((one) => this.readAgain(one, {})));
    }
    this.evaluateSoon(0);
  }

  /** The last file with judgements that came holds, whichever was read last. */
  private lastJudgements(): number | undefined {
    return this.files.findLast(({ id }) => this.hasJudgements(id))?.id;
  }

  private hasJudgements(file: number): boolean {
    const kind = this.files.find(({ id }) => id === file)?.summary?.kind;
    return kind === 'judgements' || kind === 'features';
  }

  async removeAll(): Promise<void> {
    for (const item of this.files) await this.engine.remove(item.id);
    this.files = [];
    this.judgements = undefined;
    this.results = undefined;
    this.problems = [];
    this.words = {};
    this.view = firstView;
  }

  async chooseJudgements(id: number): Promise<void> {
    this.judgements = id;
    await this.engine.chooseJudgements(id);
    this.evaluateSoon(0);
  }

  /** Ends what is going on. Files that were being read wait for somebody to say what becomes of them: scores of a part would look like
   *  scores of all. */
  stop(): void {
    this.request++;
    this.engine.stop();
    this.work = undefined;
    this.files = this.files.map((item) => (item.status === 'reading' ? { ...item, status: 'stopped' } : item));
    const left = this.files.filter(({ status }) => status === 'stopped').length;
    if (left > 0) this.results = undefined;
    this.announcement = left === 0 ? 'Stopped.' : `Stopped: ${left} of ${this.files.length} files were not read.`;
  }

  evaluateSoon(pause: number = PAUSE): void {
    clearTimeout(this.timer);
    if (!this.isReady || this.files.some(({ status }) => status === 'stopped')) {
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
      const sizes = this.files.find(({ file }) => countsLinesOf(file, item.file))?.file;
      const summary = await this.engine.add(item.id, item.file, { ...item.reading, sizes }, onProgress);
      if (item.label.name !== undefined) await this.engine.rename(item.id, item.label.name);
      this.put({ ...item, status: 'ready', progress: 1, summary });
      if (summary.kind === 'judgements' || summary.kind === 'features') this.judgements = this.lastJudgements();
      this.announcement = `${item.file.name}: ${summary.kind}, ${summary.size}.`;
    } catch (error) {
      if (error instanceof Stopped) return;
      this.put({ ...item, status: 'bad', problems: problemsOf(error), summary: undefined });
      this.announcement = `${item.file.name} could not be read.`;
      if (item.reading.lenient === true || !problemsOf(error).some(({ line }) => line !== undefined)) return;
      const skippable = await this.engine.ask((engine) => engine.skippable(item.file, item.reading)).catch(() => null);
      const now = this.files.find(({ id }) => id === item.id);
      if (skippable !== null && now?.status === 'bad') this.put({ ...now, skippable });
    }
  }

  private put(item: FileItem): void {
    const known = this.files.some(({ id }) => id === item.id);
    this.files = known ? this.files.map((one) => (one.id === item.id ? item : one)) : [...this.files, item];
  }
}
