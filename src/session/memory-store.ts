import type { Clock } from '../domain/clock.js';
import { InvalidDataError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { Message } from '../domain/model/message.js';
import type { OpenSession, SessionMeta, SessionRecorder, SessionStore, SessionSummary } from '../domain/session/session-store.js';
import { branchMeta, wholeCount } from './branch.js';
import { titleOf } from './library/title.js';
import { checkId, idKey, timeId } from './session-id.js';

/** A session as it is kept. */
interface Kept {
  readonly id: string;
  readonly systemPrompt: string;
  readonly createdAt: string;
  updatedAt: string;
  messages: readonly Message[];
  /** The answer that is being streamed. */
  partial: Message | undefined;
  meta: SessionMeta;
}

/** Keeps sessions in memory, for a host that is to leave nothing on the disk: they end with the process. */
export class MemorySessionStore implements SessionStore {
  private readonly sessions = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  create(systemPrompt: string, id: string = timeId(this.clock)): Promise<OpenSession> {
    return this.answer(() => {
      this.checkFree(id);
      return this.opened(this.keep({ id, systemPrompt, messages: [], meta: {} }));
    });
  }

  open(id: string): Promise<OpenSession> {
    return this.answer(() => this.opened(this.known(id)));
  }

  /** No other process can ask for a session of this one. */
  share(): void {
    return undefined;
  }

  branch(from: string, count: number, id: string = timeId(this.clock)): Promise<OpenSession> {
    return this.answer(() => {
      this.checkFree(id);
      const { systemPrompt, messages, meta } = this.known(from);
      const begin = messages.slice(0, wholeCount(messages, count));
      const ofBranch = branchMeta(meta, messages, { id: from, count: begin.length });
      return this.opened(this.keep({ id, systemPrompt, messages: begin, meta: ofBranch }));
    });
  }

  list(): Promise<readonly SessionSummary[]> {
    const all = [...this.sessions.values()].filter(({ messages }) => messages.length > 0).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    return Promise.resolve(all.map(summaryOf));
  }

  delete(id: string): Promise<void> {
    return this.answer(() => {
      checkId(id);
      this.sessions.delete(id);
    });
  }

  private keep(session: Pick<Kept, 'id' | 'systemPrompt' | 'messages' | 'meta'>): Kept {
    const now = this.clock.timestamp();
    const kept: Kept = { ...session, createdAt: now, updatedAt: now, partial: undefined };
    this.sessions.set(session.id, kept);
    return kept;
  }

  private checkFree(id: string): void {
    checkId(id);
    if ([...this.sessions.keys()].some((kept) => idKey(kept) === idKey(id)))
      throw new InvalidDataError('id', t('There is a chat with the ID {0} already', JSON.stringify(id)));
  }

  private known(id: string): Kept {
    checkId(id);
    const kept = this.sessions.get(id);
    if (kept === undefined) throw new InvalidDataError('id', t('There is no chat with the ID {0}', JSON.stringify(id)));
    return kept;
  }

  private opened(kept: Kept): OpenSession {
    const { id, systemPrompt, messages, createdAt, updatedAt, meta } = kept;
    return { session: { id, systemPrompt, messages: [...messages], createdAt, updatedAt }, meta, warnings: [], recorder: this.recorderOf(kept) };
  }

  private recorderOf(kept: Kept): SessionRecorder {
    const changed = (): void => {
      kept.updatedAt = this.clock.timestamp();
    };
    const fold = (): Promise<void> => {
      // What had come of an answer stays.
      if (kept.partial !== undefined) kept.messages = [...kept.messages, kept.partial];
      kept.partial = undefined;
      return Promise.resolve();
    };
    return {
      append: (message) => {
        kept.messages = [...kept.messages, message];
        kept.partial = undefined;
        changed();
        return Promise.resolve();
      },
      partial: (message) => {
        kept.partial = message;
        changed();
        return Promise.resolve();
      },
      updateMeta: (patch) => {
        kept.meta = Object.fromEntries(Object.entries({ ...kept.meta, ...patch }).filter(([, value]) => value !== undefined));
        return Promise.resolve();
      },
      fold,
      close: fold,
    };
  }

  /** A failure is a rejection, as where the disk is asked. */
  private async answer<T>(work: () => T): Promise<T> {
    return Promise.resolve(work());
  }
}

function summaryOf({ id, createdAt, updatedAt, messages, meta: { title, model, costUsd, pinned, parent } }: Kept): SessionSummary {
  const given = Object.entries({ model, costUsd, pinned, parent }).filter(([, value]) => value !== undefined);
  return { id, title: title ?? titleOf(messages) ?? '', createdAt, updatedAt, messageCount: messages.length, ...Object.fromEntries(given) };
}
