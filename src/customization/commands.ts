import { LastHooks } from '../config/hooks/last-hooks.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { CommandFile } from '../domain/config/skill.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import type { Log } from '../domain/log.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { commandPaths } from '../node/config/command-files.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import type { CommandCache, LoadedCommands } from './load-commands.js';
import type { ConfigPlaces } from './places.js';
import { WatchedSet } from './watched-set.js';

/** A command of a file that cannot be used now. */
export interface UnusableCommand {
  readonly name: string;
  /** Display name of the file. */
  readonly display: string;
  /** A sentence for the user; absent where only trust is missing. */
  readonly why?: string;
}

/** Most problems that are remembered as shown. */
const MAX_TOLD = 1_000;
/** Milliseconds between the first request for commands and the first read. */
const START_MS = 500;

/** Services that find command files: Workspace Trust, file watchers, and the folders to search. */
export interface CommandFilesDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: ConfigPlaces;
  readonly log: Log;
}

/**
 * The slash commands of the files in this window. They are read when they are first asked for, and again whenever a file changes. Those
 * of a workspace count only where it is trusted.
 */
export class CommandFiles extends WatchedSet<LoadedCommands> {
  private readonly cache: CommandCache = new Map();
  private readonly lastHooks = new LastHooks();
  private starting: NodeJS.Timeout | undefined;
  /** Problems that the log has, so that each is there once. */
  private readonly told = new Set<string>();

  constructor(private readonly deps: CommandFilesDeps) {
    super({ ...deps, retells: [deps.ports.trust.onDidGrant], failure: 'Files with commands could not be read' });
  }

  /** The commands that can be used now, as they were read last; none before {@link start}. */
  get commands(): readonly CommandFile[] {
    return (this.current?.commands ?? []).filter((command) => this.counts(command));
  }

  /** Those that cannot be used, and why. */
  get unusable(): readonly UnusableCommand[] {
    const { commands = [], skipped = [] } = this.current ?? {};
    const untrusted = commands.filter((command) => !this.counts(command)).map(({ name, origin }) => ({ name, display: origin.display }));
    return [...skipped.map(({ name, origin, why }) => ({ name, display: origin.display, why })), ...untrusted];
  }

  /** The commands of all files, whether they can be used now or not. */
  get all(): readonly CommandFile[] {
    return this.current?.commands ?? [];
  }

  /** Rules that a command requests; `undefined` for none. */
  grantOf({ origin }: Pick<CommandFile, 'origin'>): TurnGrant | undefined {
    return this.current?.grants.get(origin.file);
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
    this.known();
    return this.hooks.filter(({ origin }) => files.includes(origin.display));
  }

  /** Problems of the files. */
  get problems(): readonly ConfigProblem[] {
    return [...(this.current?.problems ?? []), ...this.lastHooks.problems];
  }

  /** Whether a command can be used, as far as trust is concerned. */
  counts({ origin }: Pick<CommandFile, 'origin'>): boolean {
    return !isFromRepository(origin) || this.deps.ports.trust.trusted();
  }

  /** Has the files read in a moment, where they were not yet: a window that is being opened has more urgent things to do. */
  start(): void {
    this.starting ??= setTimeout(() => void this.ready(), START_MS);
  }

  override dispose(): void {
    clearTimeout(this.starting);
    super.dispose();
  }

  protected watched(): WatchedFiles {
    return commandPaths(this.deps.places.watched);
  }

  protected async readFiles(signal: AbortSignal): Promise<LoadedCommands> {
    // With the first reading: it brings the reader of YAML along.
    const { loadCommands } = await import('./load-commands.js');
    signal.throwIfAborted();
    const found = await loadCommands(await this.deps.places.forAll(), this.cache, signal);
    this.lastHooks.take(
      found.commands,
      found.skipped.map(({ origin }) => origin.file),
    );
    this.logProblems(found);
    return found;
  }

  private logProblems({ problems }: LoadedCommands): void {
    if (this.told.size > MAX_TOLD) this.told.clear();
    for (const { file, line, message, harmless } of problems) {
      if (harmless === true) continue;
      const text = `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
      if (!this.told.has(text)) this.deps.log.warn(text);
      this.told.add(text);
    }
  }
}
