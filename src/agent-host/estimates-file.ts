import { basename, join } from 'node:path';
import { Queue } from '../concurrency/queue.js';
import { createWriteLock } from '../customization/write-lock.js';
import { errorMessage } from '../domain/errors.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import type { Clock } from '../domain/clock.js';
import type { Dialogs } from '../domain/host/dialogs.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { WriteLock } from '../node/config/rewrite-file.js';
import { changeStamp } from '../node/files/change-stamp.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import type { ByModelAndKind, Observations } from '../routing/estimates.js';
import { type Dropped, NO_TABLE, type ObservationTable, type Observed, readTable, tableText, withObserved } from '../routing/observation-table.js';
import { atomicWrite, temporaryOwner } from '../session/atomic-write.js';

/** Name of the file with what was observed of models. `special-files.json` has it, so that models cannot raise their own estimates unasked. */
const NAME = 'gnomon-estimates.json';
/** Bytes of the largest file that is read, many times what its limits allow. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Observations that wait for the file; the oldest are lost first. */
const MOST_WAITING = 1_000;
/** Names of what was left out that the user is told. */
const MOST_NAMED = 5;

/** Services of {@link EstimatesFile}. */
export interface EstimatesFileDeps {
  /** Absolute path of the folder for what is kept of the user, whatever the workspace. */
  readonly folder: string;
  readonly dialogs: Pick<Dialogs, 'notify'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What was found in the file. */
type Content =
  | { readonly state: 'read'; readonly table: ObservationTable; readonly dropped: Dropped }
  | { readonly state: 'damaged' | 'newer' }
  | { readonly state: 'unreadable'; readonly error: unknown };
/** With the file as it was then: `stamp` is another one after each change of it, and empty where there is none. */
type Reading = Content & { readonly stamp: string };

const NOTHING_DROPPED: Dropped = { entries: [], models: 0 };

/**
 * What was observed of models, in a file that the user can read and change, and that all windows and all other programs of Gnomon share. It is read again
 * when it has changed. Observations are added under a lock to the file as it is by then, so that none of another window is lost; those of a process that ends
 * before it could write are. A file that cannot be read counts as empty, and is kept under another name before it is written anew.
 */
export class EstimatesFile {
  /** Absolute path. */
  readonly path: string;
  private readonly files = createNodeFileLayer();
  private readonly lock: WriteLock;
  private readonly queue = new Queue();
  private waiting: readonly Observed[] = [];
  private reading: Reading | undefined;

  constructor(private readonly deps: EstimatesFileDeps) {
    this.path = join(deps.folder, NAME);
    this.lock = createWriteLock(join(deps.folder, 'locks'), deps.log);
  }

  /** The observations, as the file has them now. Does not reject. */
  async observations(): Promise<ByModelAndKind<Observations>> {
    const reading = await this.look();
    return reading.state === 'read' ? reading.table.models : {};
  }

  /** Adds what came of a task. Does not reject: what could not be written waits for the next one. */
  add(observed: Observed): Promise<void> {
    this.waiting = [...this.waiting, observed].slice(-MOST_WAITING);
    return this.queue.run(() => this.flush()).catch((error: unknown) => this.deps.log.error('What came of a task could not be stored', error));
  }

  /** Makes the file where there is none, to be shown. @returns what the user should know about it: that it is no table, or what of it does not count */
  async prepare(): Promise<string | undefined> {
    await this.queue.run(() =>
      this.locked(async () => {
        const { state, stamp } = await this.look();
        if (state === 'read' && stamp === '') await this.write(NO_TABLE);
      }),
    );
    return problemOf(await this.look());
  }

  /** Begins anew. @returns the path of what was there before; `undefined` where there was nothing */
  reset(): Promise<string | undefined> {
    return this.queue.run(() =>
      this.locked(async () => {
        const { stamp } = await this.look();
        return stamp === '' ? undefined : this.setAside('reset');
      }),
    );
  }

  private async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    await this.locked(async () => {
      const table = await this.current();
      const added = this.waiting;
      await this.write(withObserved(table, added));
      this.waiting = this.waiting.filter((each) => !added.includes(each));
    });
  }

  /** The table to add to, under the lock. */
  private async current(): Promise<ObservationTable> {
    const reading = await this.look();
    if (reading.state === 'read') return reading.table;
    if (reading.state !== 'damaged') throw new Error(problemOf(reading));
    const aside = await this.setAside('damaged');
    this.tell(t('Your model estimates were damaged, so Gnomon begins them anew. The damaged file was kept as {0}; you can delete it.', basename(aside)));
    return NO_TABLE;
  }

  private async setAside(why: 'damaged' | 'reset'): Promise<string> {
    const aside = `${this.path}.${why}-${this.deps.clock.timestamp().replaceAll(/[:.]/g, '-')}`;
    await this.files.rename(this.path, aside);
    this.deps.log.info(`The file with model estimates is kept as ${aside}`);
    return aside;
  }

  private async write(table: ObservationTable): Promise<void> {
    const { folder, log } = this.deps;
    await this.files.makeFolder(folder);
    await atomicWrite({ files: this.files, log, pid: process.pid }, this.path, [Buffer.from(tableText(table))]);
    // No other process writes while the lock is held, so every temporary file is left over from a killed one.
    const left = (await this.files.list(folder)).filter(({ name }) => name.startsWith(`${NAME}.`) && temporaryOwner(name) !== undefined);
    for (const { name } of left) await this.files.remove(join(folder, name));
  }

  private async locked<T>(work: () => Promise<T>): Promise<T> {
    const held = await this.lock.take(this.path);
    if (held === undefined) throw new Error(t('Another window is writing the file.'));
    try {
      return await work();
    } finally {
      await held.release();
    }
  }

  /** Reads the file again if it has changed. A problem with it is logged once. */
  private async look(): Promise<Reading> {
    const { text, found } = await changeStamp(this.path);
    const stamp = found ? text : '';
    if (this.reading?.stamp === stamp && this.reading.state !== 'unreadable') return this.reading;
    const before = this.reading && problemOf(this.reading);
    const content: Content = found ? await this.read() : { state: 'read', table: NO_TABLE, dropped: NOTHING_DROPPED };
    const reading = { stamp, ...content };
    const problem = problemOf(reading);
    if (problem !== undefined && problem !== before) this.deps.log.warn(`${this.path}: ${problem}`);
    this.reading = reading;
    return reading;
  }

  private async read(): Promise<Content> {
    try {
      const entry = await this.files.stat(this.path);
      if (entry?.type !== 'file') return { state: 'unreadable', error: new Error(t('It is not a regular file.')) };
      if (entry.size > MAX_BYTES) return { state: 'damaged' };
      const read = readTable(Buffer.from(await this.files.readFile(this.path)).toString('utf8'));
      return typeof read === 'string' ? { state: read } : { state: 'read', ...read };
    } catch (error) {
      return { state: 'unreadable', error };
    }
  }

  private tell(text: string): void {
    this.deps.dialogs.notify('warning', text).catch((error: unknown) => this.deps.log.error('A problem with model estimates could not be shown', error));
  }
}

/** What the user should know about the file; `undefined` for nothing. */
function problemOf(reading: Reading): string | undefined {
  switch (reading.state) {
    case 'damaged':
      return t('This file is damaged, so nothing of it counts. Correct it, or Gnomon keeps it under another name and begins a new one.');
    case 'newer':
      return t('This file was written by a newer version of Gnomon, so nothing of it counts here.');
    case 'unreadable':
      return t('This file cannot be read, so nothing of it counts: {0}', errorMessage(reading.error));
    default:
      return droppedText(reading.dropped);
  }
}

function droppedText({ entries, models }: Dropped): string | undefined {
  // The user reads it in a message, where brackets could make a link.
  const named = entries.slice(0, MOST_NAMED).map((name) => escapeHidden(name.length > 80 ? `${name.slice(0, 79)}…` : name).replaceAll(/[[\]()]/g, '·'));
  const list = [...named, ...(entries.length > named.length ? ['…'] : [])].join('; ');
  const texts = [
    ...(entries.length === 0 ? [] : [t('Some entries of this file are impossible and do not count: {0} in all. {1}', entries.length, list)]),
    ...(models === 0 ? [] : [t('This file has too many models. Those that were observed longest ago do not count: {0} in all.', models)]),
  ];
  return texts.length === 0 ? undefined : texts.join(' ');
}
