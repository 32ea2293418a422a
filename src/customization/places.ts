import * as os from 'node:os';
import { LatestState } from '../concurrency/latest-state.js';
import { Signal } from '../concurrency/signal.js';
import { isRead } from '../domain/config/origin.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import { present } from '../domain/present.js';
import type { Search } from '../domain/workspace/search.js';
import type { BasePlaces, LinkGuards } from '../node/config/bases.js';
import type { MarkdownPlaces } from '../node/config/markdown-files.js';
import { type FoldersBelow, foldersAbove, foldersBelow, PROGRAM_FILES } from '../node/config/surroundings.js';

/** Milliseconds between the first request for files and the first search through the workspace: a window that is being opened has more urgent things to do. */
const START_MS = 2_000;

/** Services that find configuration folders: the workspace, a search that respects ignore files, and limits for symbolic links. */
export interface ConfigPlacesDeps {
  readonly ports: Pick<HostPorts, 'folders' | 'trust' | 'watchEverywhere' | 'startedWith'>;
  readonly guards: () => LinkGuards;
  /** Calls back when links may have been allowed to lead elsewhere. */
  readonly onDidChangeGuards: (listener: () => void) => () => void;
  /** Lists files that ignore files do not leave out. */
  readonly search: Pick<Search, 'glob'>;
  readonly log: Log;
}

/**
 * Where agents, commands, and skills of this window are looked for: the workspace folders, those above them up to their repositories’, and
 * those in them that have some. The latter are searched for in the background, after the first request for any of it and again when such files
 * change; until they are known, there are none.
 */
export class ConfigPlaces implements Disposable {
  private readonly changed = new Signal();
  /** Fires when other folders are known, files in those below the workspace folders may have changed, or links may lead elsewhere. */
  readonly onDidChange = this.changed.subscribe;
  private readonly searching: LatestState;
  private readonly stopped = new AbortController();
  private readonly stopListening: () => void;
  private listening: Disposable | undefined;
  private starting: NodeJS.Timeout | undefined;
  private above: ReadonlyMap<string, readonly string[]> = new Map();
  private below: ReadonlyMap<string, FoldersBelow> = new Map();

  constructor(private readonly deps: ConfigPlacesDeps) {
    this.stopListening = deps.onDidChangeGuards(() => this.changed.emit());
    this.searching = new LatestState(
      () => this.search(),
      (error) => {
        if (!this.stopped.signal.aborted) deps.log.error('The folders with agents, commands, and skills could not be searched for', error);
      },
    );
  }

  /** The workspace folders and the home folder alone. */
  get own(): BasePlaces {
    const { folders, startedWith } = this.deps.ports;
    return { folders: folders.paths(), home: os.homedir(), ...present({ layers: startedWith?.layers }) };
  }

  /** Folders to watch, as far as they are known: changes below the workspace folders are reported by {@link onDidChange}. */
  get watched(): BasePlaces {
    return { ...this.own, surroundings: new Map([...this.above].map(([folder, above]) => [folder, { above, below: [] }])) };
  }

  /** Limits for symbolic links of the files. */
  guards(): LinkGuards {
    return this.deps.guards();
  }

  /** The workspace folders and the home folder, for files to be read in them. */
  forOwn(): MarkdownPlaces {
    return { ...this.own, guards: this.deps.guards() };
  }

  /** The same with all folders that belong to them, as far as they are known. */
  async forAll(): Promise<MarkdownPlaces> {
    this.start();
    const { own } = this;
    const { folders, home = '' } = own;
    const lists = await Promise.all(folders.map((folder) => foldersAbove(folder, home)));
    const above = new Map(folders.map((folder, index) => [folder, lists[index] ?? []]));
    const isNew = JSON.stringify([...above]) !== JSON.stringify([...this.above]);
    this.above = above;
    if (isNew) this.changed.emit();
    const surroundings = new Map(folders.map((folder) => [folder, { above: above.get(folder) ?? [], below: [], ...this.below.get(folder) }]));
    return { ...own, surroundings, guards: this.deps.guards() };
  }

  dispose(): void {
    this.stopped.abort();
    this.stopListening();
    clearTimeout(this.starting);
    this.searching.dispose();
    this.listening?.dispose();
    this.changed.clear();
  }

  private start(): void {
    if (this.listening !== undefined || this.stopped.signal.aborted) return;
    const soon = (): void => this.searching.soon();
    const { folders, trust, watchEverywhere } = this.deps.ports;
    this.listening = together(watchEverywhere(PROGRAM_FILES, soon), { dispose: folders.onDidChange(soon) }, { dispose: trust.onDidGrant(soon) });
    this.starting = setTimeout(soon, START_MS);
  }

  /** Nothing is looked for where it could not be used. */
  private async search(): Promise<void> {
    const { trust, startedWith } = this.deps.ports;
    if (!trust.trusted() || !isRead('project', startedWith?.layers)) return;
    const { signal } = this.stopped;
    const found = await Promise.all(
      this.deps.ports.folders.paths().map(async (folder) => [folder, await foldersBelow(folder, this.deps.search, signal)] as const),
    );
    const had = [...this.below.values()].some(({ below }) => below.length > 0);
    this.below = new Map(found);
    for (const [folder, { cut }] of found) if (cut !== undefined) this.deps.log.warn(`${folder}: ${cut}`);
    if (had || found.some(([, { below }]) => below.length > 0)) this.changed.emit();
  }
}
