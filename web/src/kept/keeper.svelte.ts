/** Keeps the session while it is worked on, and brings it back. */
import type { AppState } from '../state.svelte.js';
import { KeptSessions, type LastSession } from './store.js';

/** How long nothing may change before the session is kept, in milliseconds. */
const PAUSE = 800;

export class SessionKeeper {
  /** *off*: somebody does not want it; *refused*: the browser does not do it. */
  state: 'none' | 'kept' | 'off' | 'refused' = $state('none');
  /** What the browser kept of an earlier visit. */
  last: LastSession | undefined = $state.raw();
  private readonly sessions: KeptSessions = new KeptSessions();
  private readonly app: AppState;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: AppState) {
    this.app = app;
  }

  /** Looks for what was kept. A page that was loaded again goes on; anybody else is asked. */
  async look(): Promise<void> {
    this.last = await this.sessions.last();
    if (this.last?.isOfThisTab === true && this.app.files.length === 0) await this.goOn(true);
  }

  /** @param isReload Whether the address says where to go on, which is newer than what was kept. */
  async goOn(isReload: boolean = false): Promise<void> {
    const session = await this.sessions.restore();
    this.last = undefined;
    if (session === undefined) this.app.announcement = 'The session could not be restored.';
    else await this.app.restore(isReload ? { ...session, address: this.app.address } : session);
  }

  keepSoon(): void {
    clearTimeout(this.timer);
    if (this.state !== 'off') this.timer = setTimeout(() => void this.keep(), PAUSE);
  }

  async keep(): Promise<void> {
    this.state = (await this.sessions.keep(this.app.session)) ? 'kept' : 'refused';
  }

  /** Forgets what was kept; the page goes on without keeping anything. */
  async forget(): Promise<void> {
    clearTimeout(this.timer);
    this.last = undefined;
    this.state = 'off';
    await this.sessions.forget();
  }

  /** The files are gone, and so is what was kept of them. */
  async startOver(): Promise<void> {
    await this.app.removeAll();
    await this.forget();
    this.state = 'none';
  }
}
