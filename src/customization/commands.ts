import { LatestState } from '../concurrency/latest-state.js';
import { Signal } from '../concurrency/signal.js';
import { LastHooks } from '../config/hooks/last-hooks.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { CommandFile } from '../domain/config/skill.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { commandPaths } from '../node/config/command-files.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { CommandCache, LoadedCommands } from './load-commands.js';
import type { WindowPlaces } from './places.js';

/** A command of a file that cannot be used now. */
export interface UnusableCommand {
  readonly name: string;
  /** How users know the file. */
  readonly display: string;
  /** A sentence for the user; absent where only trust is missing. */
  readonly why?: string;
}

/** Problems that are remembered as told. */
const MAX_TOLD = 1_000;
/** Milliseconds between the first wish for commands and the first reading. */
const START_MS = 500;

/** Dependencies of {@link WindowCommands}. */
export interface WindowCommandsDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: WindowPlaces;
  readonly log: Log;
}

/**
 * The slash commands of the files in this window. They are read when they are first asked for, and again whenever a file changes. Those
 * of a workspace count only where it is trusted.
 */
export class WindowCommands implements Disposable {
  private readonly deps: WindowCommandsDeps;
  private readonly changed = new Signal();
  /** Fires when the commands may have changed. */
  readonly onDidChange = this.changed.subscribe;
  private readonly reading: LatestState;
  private readonly stopped = new AbortController();
  private readonly cache: CommandCache = new Map();
  private readonly lastHooks = new LastHooks();
  private found: LoadedCommands | undefined;
  private first: Promise<void> | undefined;
  private starting: NodeJS.Timeout | undefined;
  private watching: Disposable | undefined;
  /** Problems that the log has, so that each is there once. */
  private readonly told = new Set<string>();

  constructor(deps: WindowCommandsDeps) {
    this.deps = deps;
    this.reading = new LatestState(
      () => this.readAll(),
      (error) => {
        if (!this.stopped.signal.aborted) deps.log.error('Files with commands could not be read', error);
      },
    );
  }

  /** The commands that can be used now, as they were read last; none before {@link start}. */
  get commands(): readonly CommandFile[] {
    return (this.found?.commands ?? []).filter((command) => this.counts(command));
  }

  /** Those that cannot be used, and why. */
  get unusable(): readonly UnusableCommand[] {
    const { commands = [], skipped = [] } = this.found ?? {};
    const untrusted = commands.filter((command) => !this.counts(command)).map(({ name, origin }) => ({ name, display: origin.display }));
    return [...skipped.map(({ name, origin, why }) => ({ name, display: origin.display, why })), ...untrusted];
  }

  /** The commands of all files, whether they can be used now or not. */
  get all(): readonly CommandFile[] {
    return this.found?.commands ?? [];
  }

  /** What a command names to run without a question; `undefined`: nothing. */
  grantOf({ origin }: Pick<CommandFile, 'origin'>): TurnGrant | undefined {
    return this.found?.grants.get(origin.file);
  }

  /** The hooks of the commands that can be used now. */
  get hooks(): readonly HookDefinition[] {
    return this.lastHooks.all.filter((hook) => this.counts(hook));
  }

  /**
   * The hooks of the commands of some files, which are read when somebody first asks.
   * @param files as users know them
   * @throws Error when no commands could be read yet, so that no guard is passed over
   */
  async hooksOf(files: readonly string[]): Promise<readonly HookDefinition[]> {
    if (files.length === 0) return [];
    await this.ready();
    if (this.found === undefined) throw new Error(t('The configuration files could not be read. The log has details. Reload the window to try again.'));
    return this.hooks.filter(({ origin }) => files.includes(origin.display));
  }

  /** What is wrong with the files. */
  get problems(): readonly ConfigProblem[] {
    return [...(this.found?.problems ?? []), ...this.lastHooks.problems];
  }

  /** Whether a command can be used, as far as trust is concerned. */
  counts({ origin }: Pick<CommandFile, 'origin'>): boolean {
    return !isFromRepository(origin) || this.deps.ports.trust.trusted();
  }

  /** Begins to keep up with the files in a moment, where that has not begun: a window that is being opened has more urgent things to do. */
  start(): void {
    if (this.watching === undefined) this.starting ??= setTimeout(() => this.begin(), START_MS);
  }

  /** Resolves when the commands are known. Does not reject. */
  ready(): Promise<void> {
    this.first ??= this.read();
    return this.first;
  }

  /** Reads the files as they are now. Does not reject. */
  async read(): Promise<void> {
    this.begin();
    await this.reading.now();
  }

  dispose(): void {
    this.stopped.abort();
    clearTimeout(this.starting);
    this.reading.dispose();
    this.watching?.dispose();
    this.changed.clear();
  }

  private begin(): void {
    clearTimeout(this.starting);
    if (this.watching !== undefined || this.stopped.signal.aborted) return;
    const { trust, keepWatching } = this.deps.ports;
    this.watching = together(
      keepWatching(
        () => commandPaths(this.deps.places.watched),
        () => this.reading.soon(),
        this.deps.places.onDidChange,
      ),
      { dispose: trust.onDidGrant(() => this.changed.emit()) },
    );
    this.reading.soon();
  }

  private async readAll(): Promise<void> {
    // With the first reading: it brings the reader of YAML along.
    const { loadCommands } = await import('./load-commands.js');
    if (this.stopped.signal.aborted) return;
    this.found = await loadCommands(await this.deps.places.forAll(), this.cache, this.stopped.signal);
    this.lastHooks.take(
      this.found.commands,
      this.found.skipped.map(({ origin }) => origin.file),
    );
    this.tell(this.found);
    this.changed.emit();
  }

  private tell({ problems }: LoadedCommands): void {
    if (this.told.size > MAX_TOLD) this.told.clear();
    for (const { file, line, message, harmless } of problems) {
      if (harmless === true) continue;
      const text = `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
      if (!this.told.has(text)) this.deps.log.warn(text);
      this.told.add(text);
    }
  }
}
