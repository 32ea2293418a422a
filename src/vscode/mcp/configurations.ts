import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';
import type { Log } from '../../domain/log.js';
import type { McpConfigFile, McpInput, McpEntry } from '../../domain/mcp/config.js';
import { type EffectiveServers, effectiveServers } from '../../mcp/config/effective-servers.js';
import { type McpReading, readConfigFile, readConfigSetting } from '../../mcp/config/read-config.js';
import { configPaths, readConfigFiles } from '../../node/mcp/config-files.js';

/** The setting in which users configure servers of Gnomon alone. */
export const SERVERS_SETTING = 'gnomon.mcp.servers';

/** Milliseconds without a change after which the files are read: programs write them in several steps. */
const QUIET_MS = 100;

/** Dependencies of {@link Configurations}. */
export interface ConfigurationsDeps {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Servers that other extensions bring. */
  readonly ofExtensions: () => readonly McpReading[];
  readonly log: Log;
}

/** What is configured now. */
export interface Configured extends EffectiveServers {
  /** The files that there are. */
  readonly files: readonly McpConfigFile[];
}

/** Reads the configurations of MCP servers, again whenever one changes. Reading one starts nothing. */
export class Configurations implements vscode.Disposable {
  private readonly deps: ConfigurationsDeps;
  private readonly changed = new Signal<Configured>();
  /** Calls back with what is configured whenever that was read again. */
  readonly onDidRead = this.changed.subscribe;
  private readonly general: vscode.Disposable;
  private watchers: vscode.Disposable | undefined;
  private now: Configured = { servers: [], problems: [], files: [] };
  private reading: Promise<void> | undefined;
  private again = false;
  private quiet: NodeJS.Timeout | undefined;

  constructor(deps: ConfigurationsDeps) {
    this.deps = deps;
    this.general = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watch();
        this.readSoon();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SERVERS_SETTING) && this.readSoon()),
    );
    this.watch();
  }

  /** What was read last. */
  get current(): Configured {
    return this.now;
  }

  /** What the user is asked for before a server starts. */
  inputsOf({ name, source }: McpEntry): readonly McpInput[] {
    return this.now.servers.find(({ entry }) => entry.name === name && entry.source.file === source.file && entry.source.folder === source.folder)?.inputs ?? [];
  }

  /** Reads everything. A change in the meantime has it read once more. */
  async read(): Promise<void> {
    this.again = true;
    this.reading ??= this.readAll().finally(() => (this.reading = undefined));
    await this.reading;
  }

  dispose(): void {
    clearTimeout(this.quiet);
    this.general.dispose();
    this.watchers?.dispose();
    this.changed.clear();
  }

  private async readAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      const folders = foldersOfWindow();
      const files = await readConfigFiles(folders, this.deps.home, new AbortController().signal);
      const setting = readConfigSetting(settingOfUser(), SERVERS_SETTING);
      this.now = { ...effectiveServers([setting, ...files.map((file) => readConfigFile(file, folders)), ...this.deps.ofExtensions()]), files };
    }
    this.changed.emit(this.now);
  }

  private watch(): void {
    this.watchers?.dispose();
    const readSoon = (): void => this.readSoon();
    this.watchers = vscode.Disposable.from(
      ...configPaths(foldersOfWindow(), this.deps.home).flatMap((path) => {
        const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dirname(path)), basename(path)));
        return [watcher, watcher.onDidChange(readSoon), watcher.onDidCreate(readSoon), watcher.onDidDelete(readSoon)];
      }),
    );
  }

  private readSoon(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.read().catch((error: unknown) => this.deps.log.error('The configurations of MCP servers could not be read', error));
    }, QUIET_MS);
  }
}

/** Absolute paths of the open folders that are on this machine. */
export function foldersOfWindow(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** Only what the user wrote: a workspace cannot set it, and its own files are there for that. */
function settingOfUser(): unknown {
  return vscode.workspace.getConfiguration().inspect(SERVERS_SETTING)?.globalValue;
}
