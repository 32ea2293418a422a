import type { OpenOptions, OpenSession, SessionHolder, SessionStore, SessionSummary } from '../../domain/session/session-store.js';
import { compareTimes } from '../codec/time.js';
import type { FileSessionStore } from '../store.js';
import type { OtherFolders } from './other-folders.js';

/** A store that also knows the sessions of other folders. One that is opened or deleted moves here first. */
export class FoundSessionStore implements SessionStore {
  constructor(
    private readonly own: FileSessionStore,
    private readonly others: OtherFolders,
  ) {}

  create(systemPrompt: string): Promise<OpenSession> {
    return this.own.create(systemPrompt);
  }

  async open(id: string, options?: OpenOptions): Promise<OpenSession> {
    await this.others.bring(id, options);
    return this.own.open(id, options);
  }

  share(id: string, holder: SessionHolder): void {
    this.own.share(id, holder);
  }

  async branch(id: string, count: number): Promise<OpenSession> {
    const other = await this.others.find(id);
    return this.own.branch(id, count, other && (await other.context()).folder);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const own = await this.own.list();
    const others = await this.others.list(own);
    if (others.length === 0) return own;
    return [...own, ...others].sort((a, b) => compareTimes(b.updatedAt, a.updatedAt) || (a.id < b.id ? 1 : -1));
  }

  async delete(id: string): Promise<void> {
    await this.others.bring(id);
    await this.own.delete(id);
  }
}
