import * as os from 'node:os';
import { LatestState } from '../concurrency/latest-state.js';
import { Signal } from '../concurrency/signal.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import { type GuardedPlaces, type LayerFile, type LayerPlaces, layerPaths, layerStamp, readLayerFiles } from '../node/config/layer-files.js';
import { linkGuards } from './link-guards.js';
import type { Disposable } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';

/** The files of the layers of configuration in this window, read once for all that they are for, and again whenever one changes. */
export class WindowLayers implements Disposable {
  private readonly changed = new Signal();
  /** Fires when the files were read. */
  readonly onDidRead = this.changed.subscribe;
  private readonly reading: LatestState;
  private readonly watching: Disposable;
  private found: readonly LayerFile[] | undefined;
  private stamp: string | undefined;

  constructor(
    private readonly ports: Pick<HostPorts, 'folders' | 'keepWatching'>,
    log: Log,
  ) {
    this.reading = new LatestState(
      () => this.readAll(),
      (error) => log.error('Configuration files could not be read', error),
    );
    this.watching = ports.keepWatching(
      () => layerPaths(this.places()),
      () => this.reading.soon(),
    );
  }

  /** The files that there are, as they were read last; those of a file that cannot be read say why. */
  get files(): readonly LayerFile[] {
    return this.found ?? [];
  }

  /**
   * Resolves when the files are known as they are now: nothing is decided before. VS Code reports changes late, and some never: where a
   * system has no watches left, and in folders that are just being made.
   *
   * @throws Error when they could not be read, so that nothing is decided without them
   */
  async ready(): Promise<void> {
    if (this.stamp === undefined || (await layerStamp(await this.guardedPlaces())) !== this.stamp) await this.reading.now();
    if (this.found === undefined) throw new Error(t('The configuration files could not be read. The log has details. Reload the window to try again.'));
  }

  /** Reads the files again. Does not reject. */
  read(): Promise<void> {
    return this.reading.now();
  }

  dispose(): void {
    this.reading.dispose();
    this.watching.dispose();
    this.changed.clear();
  }

  private async readAll(): Promise<void> {
    const places = await this.guardedPlaces();
    // Before: what changes while the files are read is read again.
    const stamp = await layerStamp(places);
    this.found = await readLayerFiles(places, new AbortController().signal);
    this.stamp = stamp;
    this.changed.emit();
  }

  private places(): LayerPlaces {
    return { folders: this.ports.folders.paths(), home: os.homedir(), platform: process.platform };
  }

  private async guardedPlaces(): Promise<GuardedPlaces> {
    return { ...this.places(), guards: await linkGuards(this.ports.folders) };
  }
}
