import { Signal } from '../concurrency/signal.js';
import type { FileSnapshot, ReviewEvent } from '../domain/workspace/changes.js';
import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import { decisionOn, ownHunks } from './decided-hunks.js';
import { type ChangeChoice, type FileReview, type LedgerEntry, type MadeChange, makersOf, type Refusal, type Seen, type Undone } from './ledger-entry.js';
import type { EntryDeps, LedgerStore } from './ledger-store.js';
import { Queue } from '../concurrency/queue.js';
import { circleAt, inUndoOrder, moveBack, type Returning } from './move-back.js';
import { type MovingChange, TextWork } from './text-work.js';
import { undoCircle, wholeCircle } from './undo-circle.js';
import { WholeWork } from './whole-work.js';

/** A session, and who changes files for it. */
interface Maker {
  readonly sessionId: string;
  readonly by: ChangeAuthor;
}

/** A file under review, as it was before the user decided. */
interface Reviewed {
  readonly entry: LedgerEntry;
  readonly review: FileReview;
}

/** The agent's changes that the user has neither kept nor undone, of all sessions of this window. */
export class Ledger {
  private readonly whole: WholeWork;
  private readonly queue = new Queue();
  private readonly updated = new Signal();
  /** Calls back when anything has changed. Returns how to stop that. */
  readonly onDidChange = this.updated.subscribe;
  private readonly happened = new Signal<ReviewEvent>();
  /** Calls back with what calls have changed and the user has decided. Returns how to stop that. */
  readonly onDidReview = this.happened.subscribe;
  private readonly entries = new Map<string, LedgerEntry>();
  private readonly reviews = new Map<string, FileReview>();
  /** Files that are being changed step by step: their intermediate content is not looked at. */
  private readonly held = new Set<string>();
  private text: Promise<TextWork> | undefined;

  constructor(private readonly deps: EntryDeps) {
    this.whole = new WholeWork(deps);
  }

  /** The files under review, by path. */
  files(): readonly FileReview[] {
    return [...this.reviews.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Whether a file has changes that are neither kept nor undone. */
  has(path: string): boolean {
    return this.entries.has(path);
  }

  /** Reads what is pending from the last time, and looks at the files as they are now. */
  load(): Promise<void> {
    return this.work(undefined, () => Promise.resolve());
  }

  /** Looks at a file again: it may have changed. */
  refresh(path: string): Promise<void> {
    return this.has(path) ? this.work([path], () => Promise.resolve()) : Promise.resolve();
  }

  /** Takes in what the user has done until now, before the agent continues. */
  beforeChange(files: readonly Seen[]): Promise<void> {
    return this.onFiles(files, ({ path, snapshot }, text) => {
      const entry = this.entries.get(path);
      return entry === undefined ? undefined : this.settled(entry, snapshot, text);
    });
  }

  /** Notes what a call of a session did. @param by who made it for that */
  async changed(sessionId: string, changes: readonly MadeChange[], by = CHAT_AUTHOR): Promise<void> {
    if (changes.length === 0) return;
    const paths = changes.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from.path])]);
    await this.work(paths, async (text) => {
      for (const change of changes) await this.note({ sessionId, by }, change, text);
    });
    this.tellChanged({ sessionId, by }, changes);
  }

  /**
   * Notes what a call did to files that were looked at in between: lines that were taken for the user's are the call's when they came after `before`.
   */
  async changedSince(sessionId: string, changes: readonly MadeChange[], by = CHAT_AUTHOR): Promise<void> {
    if (changes.length === 0) return;
    const paths = changes.map(({ path }) => path);
    await this.work(paths, async (text) => {
      for (const change of changes) {
        const known = this.entries.get(change.path);
        if (known !== undefined) this.set(change.path, await this.settled(known, change.before, text));
        await this.note({ sessionId, by }, change, text);
      }
    });
    this.tellChanged({ sessionId, by }, changes);
  }

  private tellChanged({ sessionId, by }: Maker, changes: readonly MadeChange[]): void {
    for (const change of changes) this.happened.emit({ type: 'changed', sessionId, by, ...change, pending: ownHunks(this.reviews.get(change.path)) });
  }

  private async note(maker: Maker, { from, ...change }: MadeChange, text: TextWork): Promise<void> {
    if (from === undefined) return this.noteHere(maker, change, text);
    // What was deleted here before is another file: it and the one that came are undone one by one.
    if (!this.entries.has(change.path)) return this.noteMove(maker, { ...change, from }, text);
    await this.noteHere(maker, { path: from.path, before: from.snapshot, after: { kind: 'absent' } }, text);
    await this.noteHere(maker, change, text);
  }

  private async noteHere(maker: Maker, change: MadeChange, text: TextWork): Promise<void> {
    const { path, after } = change;
    const known = this.entries.get(path);
    const makers = makersOf(known, maker.sessionId, maker.by);
    const { movedFrom } = known ?? {};
    // Of a file that was moved and then deleted, it remains that it is no longer where it was.
    const origin = after.kind === 'absent' && movedFrom !== undefined && !this.entries.has(movedFrom) ? movedFrom : path;
    if (origin !== path) this.set(path, undefined);
    this.set(origin, text.noted(known, makers, change) ?? (await this.whole.noted(known, makers, { ...change, path: origin })));
    if (origin !== path) await this.look(origin, text);
  }

  private async noteMove(maker: Maker, change: MovingChange, text: TextWork): Promise<void> {
    const { path, from } = change;
    const known = this.entries.get(from.path);
    const makers = makersOf(known, maker.sessionId, maker.by);
    const entry = text.moved(known, makers, change) ?? (await this.whole.moved(known, makers, change));
    this.set(from.path, undefined);
    this.set(path, entry);
  }

  /** Leaves a file alone while a change of it comes bit by bit, until the function that is returned is called. */
  hold(path: string): () => void {
    this.held.add(path);
    return () => this.held.delete(path);
  }

  /**
   * Notes a change that came bit by bit, while the user may have typed beside it.
   * @param change its `before` is the file as it would be now without the change.
   */
  async changedBeside(sessionId: string, change: MadeChange): Promise<void> {
    await this.onFiles([change], async (_, text) => {
      const known = this.entries.get(change.path);
      const settled = known === undefined ? undefined : await this.settled(known, change.before, text);
      const makers = makersOf(known, sessionId, CHAT_AUTHOR);
      return text.noted(settled, makers, change) ?? (await this.whole.noted(settled, makers, change));
    });
    this.tellChanged({ sessionId, by: CHAT_AUTHOR }, [change]);
  }

  /** Notes that some files of a session are another one's too, which is a branch of it. */
  shared(from: string, to: string, paths: ReadonlySet<string>): Promise<void> {
    return this.work([], () => {
      for (const entry of this.entries.values()) {
        if (paths.has(entry.path) && entry.sessions.includes(from)) this.set(entry.path, { ...entry, sessions: [...new Set([...entry.sessions, to])] });
      }
      // The reviews name the sessions.
      for (const [path, review] of this.reviews) this.reviews.set(path, { ...review, sessions: this.entries.get(path)?.sessions ?? review.sessions });
      return Promise.resolve();
    });
  }

  /** Takes over what was pending elsewhere, with what is kept of it there. A file that is under review here already stays as it is. */
  adopt(entries: readonly LedgerEntry[], from: Pick<LedgerStore, 'content'>): Promise<void> {
    return this.onFiles(entries, async (entry) => {
      const known = this.entries.get(entry.path);
      if (known !== undefined) return known;
      if (entry.kind === 'text' || entry.before.kind !== 'file') return entry;
      const { hash } = entry.before;
      const bytes = await from.content(hash);
      if (bytes !== undefined) await this.deps.store.keep(hash, bytes);
      return entry;
    });
  }

  /** Records files that the user restored to an earlier state: that state is the one to continue from. @param to the message before which they were so */
  async restored(paths: readonly string[], to?: Omit<Extract<ReviewEvent, { type: 'restored' }>, 'type'>): Promise<void> {
    const known = paths.flatMap((path) => (this.entries.has(path) ? [{ path }] : []));
    await this.onFiles(known, async ({ path }, text) => {
      const entry = this.entries.get(path);
      const present = text.textOf(await this.deps.files.look(path));
      return entry?.kind === 'text' && present !== undefined ? text.restored(entry, present.text) : undefined;
    });
    if (to !== undefined) this.happened.emit({ type: 'restored', ...to });
  }

  /** Keeps a file's changes, or some of them. */
  async keep(path: string, wanted: ChangeChoice = 'all'): Promise<void> {
    const before: Reviewed[] = [];
    await this.onFiles([{ path }], (_, text) => {
      before.push(...this.reviewed([path]));
      const entry = this.entries.get(path);
      const chosen = entry === undefined ? wanted : wholeChoice(entry, wanted);
      // One that cannot be kept in parts stays while others have a part in it.
      if (entry?.kind === 'whole' && typeof chosen === 'object') return entry;
      if (entry?.kind !== 'text') return undefined;
      const { movedFrom, ...here } = entry;
      // Some of its lines can be kept while its new place is not decided.
      return text.kept(chosen === 'all' || movedFrom === undefined ? here : entry, chosen);
    });
    this.tellDecided(before, 'kept', wanted);
  }

  private reviewed(paths: readonly string[]): readonly Reviewed[] {
    return paths.flatMap((path) => {
      const [entry, review] = [this.entries.get(path), this.reviews.get(path)];
      return entry === undefined || review === undefined ? [] : [{ entry, review }];
    });
  }

  private tellDecided(before: readonly Reviewed[], how: 'kept' | 'undone', chosen: ChangeChoice): void {
    for (const { entry, review } of before) {
      // What was refused is as it was.
      const decision = this.entries.get(entry.path) === entry ? undefined : decisionOn(review, this.reviews.get(review.path), { how, chosen });
      if (decision !== undefined) this.happened.emit(decision);
    }
  }

  /** Files and those that they have changed places with, which come last: their changes can be undone only together. */
  together(paths: readonly string[]): readonly string[] {
    return [...new Set([...paths, ...paths.flatMap((path) => circleAt(path, (at) => this.reviews.get(at)))])];
  }

  /**
   * Undoes a file's changes, or some of them. What the user has changed since stays, and is said. With all changes of a file go those of the
   * files that it has changed places with, see {@link together}.
   */
  async undo(path: string, wanted: ChangeChoice = 'all'): Promise<readonly Refusal[]> {
    const refused: Refusal[] = [];
    const before: Reviewed[] = [];
    await this.work([path], async (text) => {
      const entry = this.entries.get(path);
      if (entry === undefined) return;
      before.push(...this.reviewed(this.together([path])));
      const chosen = wholeChoice(entry, wanted);
      const circle = chosen === 'all' ? await this.circleOf(path) : [];
      if (circle.some((one) => wholeChoice(one, wanted) !== chosen)) return void refused.push({ path, why: othersWords() });
      refused.push(...(circle.length > 1 ? await this.undoTogether(circle, text) : await this.undoOne(entry, chosen, text)));
    });
    this.tellDecided(before, 'undone', wanted);
    return refused;
  }

  /** The entries of files that are where one another were. */
  private async circleOf(path: string): Promise<readonly LedgerEntry[]> {
    const paths = this.together([path]);
    const there = await Promise.all(paths.map((one) => this.deps.files.look(one)));
    // Where the user has deleted one of them, its place is free.
    return there.some(({ kind }) => kind === 'absent') ? [] : paths.flatMap((one) => this.entries.get(one) ?? []);
  }

  private async undoTogether(circle: readonly LedgerEntry[], text: TextWork): Promise<readonly Refusal[]> {
    const found = await wholeCircle(circle, (entry) => this.returning(entry, text));
    if ('refused' in found) return found.refused;
    const { files, store } = this.deps;
    return undoCircle(found.all, files, async (from, to) => {
      const entry = this.entries.get(from);
      this.set(from, undefined);
      if (to !== undefined && entry !== undefined) this.set(to, { ...entry, path: to });
      // Should the process end here, the files are found where they are.
      await store.save([...this.entries.values()]);
      await this.look(from, text);
      if (to !== undefined) await this.look(to, text);
    });
  }

  private async undoOne(entry: LedgerEntry, chosen: ChangeChoice, text: TextWork): Promise<readonly Refusal[]> {
    const { path, movedFrom } = entry;
    const undone = await this.undone(entry, chosen, text);
    this.set(path, undone.entry);
    const place = undone.entry === undefined && movedFrom !== undefined ? this.entries.get(movedFrom) : undefined;
    // The file of another entry was there, and is no more: the user has deleted it.
    if (place !== undefined && !(place.kind === 'whole' && place.after.kind === 'absent')) {
      this.set(place.path, undefined);
      await this.look(place.path, text);
    }
    return undone.refused === undefined ? [] : [{ path, why: undone.refused }];
  }

  /** Keeps everything. */
  async keepAll(): Promise<void> {
    for (const { path } of this.files()) await this.keep(path);
  }

  /** Undoes everything that can be undone, in an order in which no file is in the way of another one. @param paths default: all files */
  async undoAll(paths?: readonly string[], chosen: ChangeChoice = 'all'): Promise<readonly Refusal[]> {
    const refused: Refusal[] = [];
    const reviews = this.files().filter(({ path }) => paths?.includes(path) !== false);
    for (const path of new Set([...inUndoOrder(reviews).map((file) => file.path), ...(paths ?? [])])) {
      // What was refused along with another file would be so again.
      if (!refused.some((one) => one.path === path)) refused.push(...(await this.undo(path, chosen)));
    }
    return refused;
  }

  private async settled(entry: LedgerEntry, snapshot: FileSnapshot, text: TextWork): Promise<LedgerEntry | undefined> {
    return entry.kind === 'text' ? text.settled(entry, snapshot) : this.whole.settled(entry, snapshot);
  }

  private async undone(entry: LedgerEntry, chosen: ChangeChoice, text: TextWork): Promise<Undone> {
    try {
      if (entry.kind === 'whole' && typeof chosen === 'object') return { entry, refused: othersWords() };
      if (entry.kind === 'text' && (entry.movedFrom === undefined || chosen !== 'all')) return await text.undo(entry, chosen);
      if (entry.kind === 'whole' && entry.movedFrom === undefined) return await this.whole.undo(entry);
      const found = await this.returning(entry, text);
      if ('refused' in found) return { entry, refused: found.refused };
      const refused = await moveBack(this.deps.files, found.moved, found.contents);
      if (refused !== undefined) return { entry, refused };
      return { entry: undefined, ...present({ refused: found.left }) };
    } catch (error) {
      return { entry, refused: errorMessage(error) };
    }
  }

  private returning(entry: LedgerEntry, text: TextWork): Promise<Returning> {
    const { movedFrom = entry.path } = entry;
    return entry.kind === 'text' ? text.returning(entry, movedFrom) : this.whole.returning(entry, movedFrom);
  }

  /** Sets the resulting entry of each file, `undefined` for none. */
  private onFiles<T extends { readonly path: string }>(
    files: readonly T[],
    entryOf: (file: T, text: TextWork) => Promise<LedgerEntry | undefined> | LedgerEntry | undefined,
  ): Promise<void> {
    if (files.length === 0) return Promise.resolve();
    const paths = files.map(({ path }) => path);
    return this.work(paths, async (text) => {
      for (const file of files) this.set(file.path, await entryOf(file, text));
    });
  }

  /** Changes entries, looks at their files again, notifies listeners, and saves. Without paths, all files are looked at. */
  private work(paths: readonly string[] | undefined, task: (text: TextWork) => Promise<void>): Promise<void> {
    return this.queue.run(async () => {
      const text = await (this.text ??= this.start());
      await task(text);
      for (const path of new Set(paths ?? [...this.entries.keys()])) await this.look(path, text);
      // Who shows it need not wait for the disk.
      this.updated.emit();
      await this.deps.store.save([...this.entries.values()]);
    });
  }

  private async start(): Promise<TextWork> {
    const [{ diffArrays }, entries] = await Promise.all([import('../text/diffs.js'), this.deps.store.load()]);
    for (const entry of entries) this.entries.set(entry.path, entry);
    return new TextWork(this.deps, diffArrays);
  }

  /** Brings the review of a file up to date. A text that is not there now may come back, as when a program replaces it. */
  private async look(path: string, text: TextWork): Promise<void> {
    const entry = this.entries.get(path);
    if (this.held.has(path)) return;
    // What was seen last is valid until it is known what is there now.
    const found = entry === undefined ? undefined : await this.found(entry, text);
    if (found !== undefined) this.set(path, found.review === undefined ? undefined : found.entry);
    if (found?.review === undefined) this.reviews.delete(path);
    else this.reviews.set(path, found.review);
  }

  private async found(entry: LedgerEntry, text: TextWork): Promise<{ readonly entry: LedgerEntry; readonly review: FileReview | undefined } | undefined> {
    return entry.kind === 'text' ? text.look(entry) : { entry, review: await this.whole.look(entry) };
  }

  private set(path: string, entry: LedgerEntry | undefined): void {
    if (entry === undefined) this.entries.delete(path);
    else this.entries.set(path, entry);
  }
}

/** All of a file where an author made all of its changes. */
function wholeChoice({ authors = [CHAT_AUTHOR] }: LedgerEntry, chosen: ChangeChoice): ChangeChoice {
  return typeof chosen === 'object' && authors.every(({ id }) => id === chosen.author) ? 'all' : chosen;
}

function othersWords(): string {
  return t('Others have changed it, too, so it can only be undone as a whole.');
}
