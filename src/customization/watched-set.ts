import { LatestState } from '../concurrency/latest-state.js';
import { Signal } from '../concurrency/signal.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';

/** Calls a listener each time from now on. Returns how to stop that. */
type Subscribe = (listener: () => void) => () => void;

/** Files and events that a {@link WatchedSet} follows. */
export interface WatchedSource {
  readonly ports: Pick<HostPorts, 'keepWatching'>;
  /** Events that change which files are watched, beside the open folders. */
  readonly places?: { readonly onDidChange: Subscribe };
  /** Events that cause another read, beside changes of the files. */
  readonly rereads?: readonly Subscribe[];
  /** Events that change which files apply: listeners are notified, and nothing is read again. */
  readonly retells?: readonly Subscribe[];
  /** Log message of a failed read. */
  readonly failure: string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Cached content of some files: read on first use, and from then on whenever a file changes. A failed read is
 * logged, and what was known before stays.
 */
export abstract class WatchedSet<T> implements Disposable {
  private readonly changed = new Signal();
  /** Fires when files were read that may be others than before, or when others of them count. */
  readonly onDidChange = this.changed.subscribe;
  private readonly reading: LatestState;
  private readonly stopping = new AbortController();
  /** Aborted when the set is disposed. */
  protected readonly stopped = this.stopping.signal;
  private watching: Disposable | undefined;
  private first: Promise<void> | undefined;
  private latest: T | undefined;

  constructor(private readonly source: WatchedSource) {
    this.reading = new LatestState(
      () => this.readAll(),
      (error) => {
        if (!this.stopped.aborted) source.log.error(source.failure, error);
      },
    );
  }

  /** The content read last; `undefined` before the first successful read. */
  protected get current(): T | undefined {
    return this.latest;
  }

  /** Resolves when the files were read once, which may have failed. Does not reject. */
  ready(): Promise<void> {
    return this.first ?? this.read();
  }

  /** Reads the files as they are now. Does not reject. */
  read(): Promise<void> {
    this.begin();
    const done = this.reading.now();
    this.first ??= done;
    return done;
  }

  dispose(): void {
    this.stopping.abort();
    this.reading.dispose();
    this.watching?.dispose();
    this.changed.clear();
  }

  /** The files that are to be watched now. */
  protected abstract watched(): WatchedFiles;

  /**
   * Reads the files.
   * @param signal stops it when the set is disposed
   * @returns `undefined` when they are as they were
   * @throws Error when they cannot be read
   */
  protected abstract readFiles(signal: AbortSignal): Promise<T | undefined>;

  /** Keeps up with the files from now on, without reading them yet. */
  protected begin(): void {
    if (this.watching !== undefined || this.stopped.aborted) return;
    const { ports, places, rereads = [], retells = [] } = this.source;
    const noticed = (): void => this.noticed();
    this.watching = together(
      ports.keepWatching(() => this.watched(), noticed, places?.onDidChange),
      ...rereads.map((subscribe) => ({ dispose: subscribe(noticed) })),
      ...retells.map((subscribe) => ({ dispose: subscribe(() => this.tell()) })),
    );
  }

  /** Has the files read in a moment, since something may have changed. */
  protected noticed(): void {
    this.reading.soon();
  }

  /** Says that something else counts than before. */
  protected tell(): void {
    this.changed.emit();
  }

  /**
   * The content read last, for decisions that must not be made without it.
   * @throws Error when nothing could be read yet
   */
  protected known(): T {
    if (this.latest === undefined) throw new Error(t('The configuration files could not be read. The log has details. Reload the window to try again.'));
    return this.latest;
  }

  private async readAll(): Promise<void> {
    const found = await this.readFiles(this.stopped);
    if (found === undefined) return;
    this.latest = found;
    this.tell();
  }
}
