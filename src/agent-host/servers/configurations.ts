import { LatestState } from '../../concurrency/latest-state.js';
import { Signal } from '../../concurrency/signal.js';
import type { ChosenAgent } from '../../config/agents/choose.js';
import type { Log } from '../../domain/log.js';
import type { McpConfigFile, McpInput, McpEntry } from '../../domain/mcp/config.js';
import { type EffectiveServers, effectiveServers } from '../../mcp/config/effective-servers.js';
import { type McpReading, readConfigFile, readConfigSetting } from '../../mcp/config/read-config.js';
import type { LinkGuards } from '../../node/config/bases.js';
import { configPaths, readConfigFiles } from '../../node/mcp/config-files.js';
import type { WindowAgents } from '../../customization/agents.js';
import { type Disposable, together } from '../../domain/host/disposable.js';
import type { HostPorts } from '../../domain/host/host-ports.js';

/** The setting in which users configure servers of Gnomon alone. */
export const SERVERS_SETTING = 'gnomon.mcp.servers';

/** Dependencies of {@link Configurations}. */
export interface ConfigurationsDeps {
  readonly ports: Pick<HostPorts, 'folders' | 'settings' | 'keepWatching'>;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** What links of files may lead to. */
  readonly guards: () => Promise<LinkGuards>;
  /** Servers that other extensions bring. */
  readonly ofExtensions: () => readonly McpReading[];
  /** The agents, some of which define servers of their own. */
  readonly agents: Pick<WindowAgents, 'agents' | 'ready' | 'onDidChange'>;
  readonly log: Log;
}

/** What is configured now. */
export interface Configured extends EffectiveServers {
  /** The files for servers that there are. */
  readonly files: readonly McpConfigFile[];
  /** How users know these and the files of agents, by their paths. */
  readonly displays: ReadonlyMap<string, string>;
}

/** Reads the configurations of MCP servers, again whenever one changes. Reading one starts nothing. */
export class Configurations implements Disposable {
  private readonly deps: ConfigurationsDeps;
  private readonly changed = new Signal<Configured>();
  /** Calls back with what is configured whenever that was read again. */
  readonly onDidRead = this.changed.subscribe;
  private readonly watching: Disposable;
  private now: Configured = { servers: [], problems: [], files: [], displays: new Map() };
  private readonly reading: LatestState;

  constructor(deps: ConfigurationsDeps) {
    this.deps = deps;
    this.reading = new LatestState(
      () => this.readAll(),
      (error) => deps.log.error('The configurations of MCP servers could not be read', error),
    );
    const { folders, settings, keepWatching } = deps.ports;
    this.watching = together(
      keepWatching(
        () => ({ files: configPaths(folders.paths(), deps.home) }),
        () => this.reading.soon(),
      ),
      { dispose: deps.agents.onDidChange(() => this.reading.soon()) },
      { dispose: settings.onDidChange(SERVERS_SETTING, () => this.reading.soon()) },
    );
  }

  /** What was read last. */
  get current(): Configured {
    return this.now;
  }

  /** What the user is asked for before a server starts. */
  inputsOf({ name, source }: McpEntry): readonly McpInput[] {
    return (
      this.now.servers.find(({ entry }) => entry.name === name && entry.source.file === source.file && entry.source.folder === source.folder)?.inputs ?? []
    );
  }

  /** Reads everything. A change in the meantime has it read once more. */
  read(): Promise<void> {
    return this.reading.now();
  }

  dispose(): void {
    this.reading.dispose();
    this.watching.dispose();
    this.changed.clear();
  }

  private async readAll(): Promise<void> {
    const { agents, home, ofExtensions, guards, ports } = this.deps;
    const folders = ports.folders.paths();
    const [files] = await Promise.all([readConfigFiles({ folders, home, guards: await guards() }, new AbortController().signal), agents.ready()]);
    // Only what the user wrote: a workspace cannot set it, and its own files are there for that.
    const setting = readConfigSetting(ports.settings.inspect(SERVERS_SETTING).globalValue, SERVERS_SETTING);
    const displays = new Map([
      ...agents.agents.map(({ agent: { origin } }) => [origin.file, origin.display] as const),
      ...files.map(({ source, display }) => [source.file, display] as const),
    ]);
    this.now = {
      ...effectiveServers([setting, ...files.map((file) => readConfigFile(file, folders)), ...ofExtensions(), ...agents.agents.map(readingOf)]),
      files,
      displays,
    };
    this.changed.emit(this.now);
  }
}

/** The servers that an agent defines. What is wrong with them is among the problems of its file. */
function readingOf({ name, agent: { definedServers = [] } }: ChosenAgent): McpReading {
  return { entries: definedServers.map((entry) => ({ ...entry, source: { ...entry.source, agents: [name] } })), inputs: [], problems: [], servers: [] };
}
