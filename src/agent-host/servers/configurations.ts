import type { ChosenAgent } from '../../config/agents/choose.js';
import type { Log } from '../../domain/log.js';
import type { McpConfigFile, McpInput, McpEntry } from '../../domain/mcp/config.js';
import { type EffectiveServers, effectiveServers } from '../../mcp/config/effective-servers.js';
import { type McpReading, readConfigFile, readConfigSetting } from '../../mcp/config/read-config.js';
import type { LinkGuards } from '../../node/config/bases.js';
import { configPaths, readConfigFiles } from '../../node/mcp/config-files.js';
import type { Agents } from '../../customization/agents.js';
import { WatchedSet } from '../../customization/watched-set.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { WatchedFiles } from '../../domain/host/host-ports.js';

/** The setting in which users configure servers of Gnomon alone. */
export const SERVERS_SETTING = 'gnomon.mcp.servers';

/** Sources of MCP configurations: files of the folders and the home folder, other extensions, and agents. */
export interface ConfigurationsDeps {
  readonly ports: Pick<HostPorts, 'folders' | 'settings' | 'keepWatching'>;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Limits for symbolic links of configuration files. */
  readonly guards: () => LinkGuards;
  /** Servers that other extensions bring. */
  readonly ofExtensions: () => readonly McpReading[];
  /** The agents, some of which define servers of their own. */
  readonly agents: Pick<Agents, 'agents' | 'ready' | 'onDidChange'>;
  readonly log: Log;
}

/** The servers that are configured now. */
export interface Configured extends EffectiveServers {
  /** The files for servers that there are. */
  readonly files: readonly McpConfigFile[];
  /** Display names of these and of agent files, by path. */
  readonly displays: ReadonlyMap<string, string>;
}

const NOTHING: Configured = { servers: [], problems: [], files: [], displays: new Map() };

/** Reads the configurations of MCP servers, again whenever one changes. Reading one starts nothing. */
export class Configurations extends WatchedSet<Configured> {
  constructor(private readonly deps: ConfigurationsDeps) {
    const { ports, agents, log } = deps;
    const ofSetting = (listener: () => void): (() => void) => ports.settings.onDidChange(SERVERS_SETTING, listener);
    super({ ports, log, rereads: [agents.onDidChange, ofSetting], failure: 'The configurations of MCP servers could not be read' });
    this.begin();
  }

  /** The configurations as they were read last. */
  public override get current(): Configured {
    return super.current ?? NOTHING;
  }

  /** Inputs that the user fills in before a server starts. */
  inputsOf({ name, source }: McpEntry): readonly McpInput[] {
    return (
      this.current.servers.find(({ entry }) => entry.name === name && entry.source.file === source.file && entry.source.folder === source.folder)?.inputs ?? []
    );
  }

  protected watched(): WatchedFiles {
    const { ports, home } = this.deps;
    return { files: configPaths(ports.folders.paths(), home) };
  }

  protected async readFiles(signal: AbortSignal): Promise<Configured> {
    const { agents, home, ofExtensions, guards, ports } = this.deps;
    const folders = ports.folders.paths();
    const [files] = await Promise.all([readConfigFiles({ folders, home, guards: guards() }, signal), agents.ready()]);
    // Only what the user wrote: a workspace cannot set it, and its own files are there for that.
    const setting = readConfigSetting(ports.settings.inspect(SERVERS_SETTING).globalValue, SERVERS_SETTING);
    const displays = new Map([
      ...agents.agents.map(({ agent: { origin } }) => [origin.file, origin.display] as const),
      ...files.map(({ source, display }) => [source.file, display] as const),
    ]);
    return {
      ...effectiveServers([setting, ...files.map((file) => readConfigFile(file, folders)), ...ofExtensions(), ...agents.agents.map(readingOf)]),
      files,
      displays,
    };
  }
}

/** The servers that an agent defines. What is wrong with them is among the problems of its file. */
function readingOf({ name, agent: { definedServers = [] } }: ChosenAgent): McpReading {
  return { entries: definedServers.map((entry) => ({ ...entry, source: { ...entry.source, agents: [name] } })), inputs: [], problems: [], servers: [] };
}
