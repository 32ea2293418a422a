import * as os from 'node:os';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import { type GuardedPlaces, type LayerFile, type LayerPlaces, layerPaths, layerStamp, readLayerFiles } from '../node/config/layer-files.js';
import { present } from '../domain/present.js';
import { linkGuards } from './link-guards.js';
import { WatchedSet } from './watched-set.js';

/** The files as they were read, with the stamp that shows whether they have changed. */
interface Read {
  readonly files: readonly LayerFile[];
  readonly stamp: string;
}

/** The files of the layers of configuration in this window, read once for all that they are for, and again whenever one changes. */
export class Layers extends WatchedSet<Read> {
  constructor(
    private readonly ports: Pick<HostPorts, 'folders' | 'keepWatching' | 'startedWith'>,
    log: Log,
  ) {
    super({ ports, log, failure: 'Configuration files could not be read' });
    this.begin();
  }

  /** The files that there are, as they were read last; those of a file that cannot be read say why. */
  get files(): readonly LayerFile[] {
    return this.current?.files ?? [];
  }

  /**
   * Resolves when the files are known as they are now: nothing is decided before. VS Code reports changes late, and some never: where a
   * system has no watches left, and in folders that are just being made.
   *
   * @throws Error when they could not be read, so that nothing is decided without them
   */
  override async ready(): Promise<void> {
    if (this.current === undefined || (await layerStamp(this.guardedPlaces())) !== this.current.stamp) await this.read();
    this.known();
  }

  protected watched(): WatchedFiles {
    return layerPaths(this.places());
  }

  /** Not stopped by anything: what is still decided when the window closes is decided with the files as they are. */
  protected async readFiles(): Promise<Read> {
    const places = this.guardedPlaces();
    // Before: what changes while the files are read is read again.
    const stamp = await layerStamp(places);
    return { files: await readLayerFiles(places, new AbortController().signal), stamp };
  }

  private places(): LayerPlaces {
    const { folders, startedWith: { layers, settings: given } = {} } = this.ports;
    return { folders: folders.paths(), home: os.homedir(), platform: process.platform, ...present({ layers, given }) };
  }

  private guardedPlaces(): GuardedPlaces {
    return { ...this.places(), guards: linkGuards(this.ports.folders) };
  }
}
