import { LatestState } from '../../concurrency/latest-state.js';
import { Queue } from '../../concurrency/queue.js';
import type { Clock } from '../../domain/clock.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { AssistantMessage, Message } from '../../domain/model/message.js';
import type { SessionHolder, SessionRecorder } from '../../domain/session/session-store.js';
import { cleanMessage, cleanTime } from '../clean-message.js';
import type { SessionDocument } from '../document.js';
import { SessionBusyError, SessionWriteError } from '../errors.js';
import type { LockOwner } from '../lock/held-lock.js';
import { type JournalLine, encodeLine } from './journal-lines.js';
import type { SessionDisk } from '../session-disk.js';
import type { MetaPatch } from '../sidecar.js';

/** Bytes of partial answers in a journal after which it is written anew with the last one only. */
const MAX_PARTIAL_BYTES = 8 * 1024 * 1024;

type PartialLine = JournalLine & { readonly kind: 'partial' };

/** How a recorder starts. */
export interface RecorderStart {
  readonly document: SessionDocument;
  readonly disk: SessionDisk;
  readonly clock: Clock;
  /** How many of the first messages are safe on the disk. */
  readonly saved: number;
  /** Called when the recorder releases the session. */
  onClose(): void;
}

/**
 * Writes one session, one operation after the other. What cannot be written stays in memory and goes out with the next
 * call, whichever it is.
 */
export class Recorder implements SessionRecorder, LockOwner {
  private readonly queue = new Queue();
  /** Outcomes beside the journal, saved while nothing is recorded: a version that folds lines without knowing of outcomes keeps what the sidecar has. */
  private readonly outcomes = new LatestState(
    () => (this.closing === undefined ? this.enqueue(() => this.saveMeta()) : Promise.resolve()),
    (error) => this.warnMeta(error),
  );
  private saved: number;
  /** How many messages the sidecar knows. */
  private noted: number | undefined;
  private closing: Promise<void> | undefined;
  /** The newest partial answer that is not on the disk yet. */
  private pending: AssistantMessage | undefined;
  /** The write that will take {@link pending}, while it waits for its turn. */
  private partialWrite: Promise<void> | undefined;
  /** The partial answer on the disk that no message replaced yet. */
  private livePartial: PartialLine | undefined;
  private partialBytes = 0;
  private holder: SessionHolder | undefined;
  private takenOver = false;

  constructor(private readonly start: RecorderStart) {
    this.saved = start.saved;
  }

  append(message: Message): Promise<void> {
    return this.whileOpen(() => {
      this.start.document.append(message, this.now());
      this.pending = undefined;
      this.livePartial = undefined;
      if (message.role === 'tool_result' && message.outcome !== undefined) this.outcomes.soon();
      return this.enqueue(() => this.flush());
    });
  }

  partial(message: AssistantMessage): Promise<void> {
    return this.whileOpen(() => {
      const clean = cleanMessage(message, this.now()) as AssistantMessage;
      if (clean.content.length === 0) return Promise.resolve();
      this.pending = clean;
      this.partialWrite ??= this.enqueue(() => {
        this.partialWrite = undefined;
        return this.flush();
      });
      return this.partialWrite;
    });
  }

  updateMeta(patch: MetaPatch): Promise<void> {
    return this.whileOpen(() => {
      this.start.disk.patchMeta(patch);
      return this.enqueue(() => this.saveMeta());
    });
  }

  fold(): Promise<void> {
    return this.whileOpen(() => this.enqueue(() => this.foldNow()));
  }

  close(): Promise<void> {
    // oxlint-disable-next-line typescript/no-misused-promises -- `finally` does wait for what it is given, whatever its type says
    this.closing ??= this.enqueue(() => this.foldNow()).finally(() => this.letGo());
    return this.closing;
  }

  /** Releases the session without saving anything more. */
  abort(): Promise<void> {
    this.closing ??= this.enqueue(() => this.letGo());
    return this.closing;
  }

  /** Names who works with the session. */
  share(holder: SessionHolder): void {
    this.holder = holder;
  }

  /** Saves and releases the session for another window, unless it is at work or cannot be saved. */
  async asked(): Promise<boolean> {
    if (this.closing !== undefined) return true;
    if (this.holder?.isIdle() !== true) return false;
    this.closing = this.enqueue(() => this.foldNow()).then(() => this.letGo());
    if ((await settle(this.closing)) !== undefined) {
      this.closing = undefined;
      return false;
    }
    this.giveUp();
    return true;
  }

  lost(): void {
    this.closing ??= this.enqueue(() => this.letGo());
    // A failure to close files that are another window's now is in the log already.
    this.closing.catch(() => undefined);
    this.giveUp();
  }

  private giveUp(): void {
    if (this.takenOver) return;
    this.takenOver = true;
    this.holder?.onTakenOver();
  }

  private async letGo(): Promise<void> {
    this.outcomes.dispose();
    await this.start.disk.release();
    this.start.onClose();
  }

  private whileOpen(work: () => Promise<void>): Promise<void> {
    if (this.takenOver) return Promise.reject(new SessionBusyError(this.start.document.id));
    if (this.closing !== undefined) return Promise.reject(new Error(t('This chat is closed. Open it again to continue.')));
    try {
      return work();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(errorMessage(error)));
    }
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    return this.queue.run(work).catch((error: unknown) => {
      throw error instanceof SessionBusyError ? error : new SessionWriteError(error);
    });
  }

  private now(): string {
    const { clock, document } = this.start;
    return cleanTime(clock.timestamp(), document.head.updatedAt);
  }

  /** @throws SessionBusyError when another window has the session. */
  private async claim(): Promise<void> {
    if (!(await this.start.disk.claim())) throw new SessionBusyError(this.start.document.id);
  }

  /** Brings everything that is in memory only into the journal. */
  private async flush(): Promise<void> {
    const { document, disk } = this.start;
    const { length } = document;
    const partial = this.pending;
    if (length === this.saved && partial === undefined) return;
    const first = this.saved === 0;
    const line: PartialLine | undefined = partial && { kind: 'partial', index: length, updatedAt: this.now(), stored: { message: partial } };
    const texts = [...document.lines(this.saved, length), ...(line ? [encodeLine(line)] : [])];
    await this.claim();
    await disk.appendJournal(texts.join(''), document.head);
    this.saved = length;
    if (this.pending === partial) this.pending = undefined;
    if (line !== undefined) await this.keepPartial(line, texts.at(-1)?.length ?? 0);
    if (first) await this.tryMeta();
  }

  /** Saves a partial answer. Each one contains all text again, so a long one is kept from filling the disk. */
  private async keepPartial(line: PartialLine, size: number): Promise<void> {
    const { document, disk } = this.start;
    // A message that came meanwhile replaces it.
    if (line.index !== document.length) return;
    this.livePartial = line;
    this.partialBytes += size;
    if (this.partialBytes <= MAX_PARTIAL_BYTES) return;
    const lines = [...document.lines(disk.folded, this.saved), encodeLine(line)];
    await disk.replaceJournal(lines.join(''), document.head);
    this.partialBytes = 0;
  }

  /** The title and the model of a conversation that just began; when that fails the next fold tries again. */
  private async tryMeta(): Promise<void> {
    try {
      await this.start.disk.saveMeta();
    } catch (error) {
      this.warnMeta(error);
    }
  }

  private warnMeta(error: unknown): void {
    this.start.disk.warn(`The details of a conversation could not be saved: ${errorMessage(error)}`);
  }

  /** Saves the sidecar of a session that is on the disk, with what it knows beside v1 of the messages that are there. */
  private async saveMeta(): Promise<void> {
    if (this.saved === 0) return;
    await this.claim();
    this.noteBesideV1();
    await this.start.disk.saveMeta();
  }

  private noteBesideV1(): void {
    const { document, disk } = this.start;
    if (this.noted === document.length) return;
    this.noted = document.length;
    disk.patchMeta(document.besideV1());
  }

  private async foldNow(): Promise<void> {
    const { document, disk } = this.start;
    // What is not on the disk at all, such as a branch, goes into the envelope without a journal before it.
    const flushed = this.saved === 0 && this.pending === undefined ? undefined : await settle(this.flush());
    if (flushed instanceof SessionBusyError) throw flushed;
    if (document.length === 0) return;
    await this.claim();
    // What the journal did not take, the envelope may.
    this.noteBesideV1();
    const meta = await settle(disk.saveMeta());
    this.saved = Math.max(this.saved, await disk.fold(document));
    if (this.livePartial === undefined) await disk.dropJournal();
    else await disk.replaceJournal(encodeLine(this.livePartial), document.head);
    this.partialBytes = 0;
    if (meta !== undefined) throw meta;
  }
}

/** Waits for work to end. @returns what it failed with. */
async function settle(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(errorMessage(error));
  }
}
