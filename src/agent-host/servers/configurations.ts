import type { ChosenAgent } from '../../config/agents/choose.js';
import { type ConfigLayer, type FileLayer, isRead } from '../../domain/config/origin.js';
import type { Log } from '../../domain/log.js';
import type { McpConfigFile, McpInput, McpEntry, McpSource } from '../../domain/mcp/config.js';
import { present } from '../../domain/present.js';
import { type EffectiveServers, effectiveServers } from '../../mcp/config/effective-servers.js';
import { type McpReading, readConfigFile, readConfigSetting } from '../../mcp/config/read-config.js';
import type { LinkGuards } from '../../node/config/bases.js';
import { configPaths, readConfigFiles, type ServerPlaces } from '../../node/mcp/config-files.js';
import type { Agents } from '../../customization/agents.js';
import { WatchedSet } from '../../customization/watched-set.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import type { WatchedFiles } from '../../domain/host/host-ports.js';
import type { GivenText } from '../../domain/host/start-configuration.js';

/** The setting in which users configure servers of Gnomon alone. */
export const SERVERS_SETTING = 'gnomon.mcp.servers';

/** Sources of MCP configurations: files of the folders and the home folder, other extensions, and agents. */
export interface ConfigurationsDeps {
  readonly ports: Pick<HostPorts, 'folders' | 'settings' | 'keepWatching' | 'startedWith'>;
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
    return { files: this.isStrict ? [] : configPaths(this.places()) };
  }

  protected async readFiles(signal: AbortSignal): Promise<Configured> {
    const { agents, ofExtensions, guards, ports } = this.deps;
    const { folders, layers } = this.places();
    const given = (ports.startedWith?.servers ?? []).map((text) => readGivenServers(text, folders));
    // What the program that started this one brings is given with it: servers within it, and those that its user has set up there.
    if (this.isStrict) return { ...effectiveServers([...given, ...ofExtensions().map(ofProgram)]), files: [], displays: new Map() };
    const [files] = await Promise.all([readConfigFiles({ ...this.places(), guards: guards() }, signal), agents.ready()]);
    // Only what the user wrote: a workspace cannot set it, and its own files are there for that.
    const setting = readConfigSetting(ports.settings.inspect(SERVERS_SETTING).globalValue, SERVERS_SETTING);
    const displays = new Map([
      ...agents.agents.map(({ agent: { origin } }) => [origin.file, origin.display] as const),
      ...files.map(({ source, display }) => [source.file, display] as const),
    ]);
    return {
      ...effectiveServers([
        ...given,
        ...[setting, ...files.map((file) => readConfigFile(file, folders))].map((reading) => ofLayers(reading, layers)),
        ...ofExtensions(),
        ...agents.agents.map(readingOf),
      ]),
      files,
      displays,
    };
  }

  /** Whether nothing counts but what the user has given in starting the program. */
  private get isStrict(): boolean {
    return this.deps.ports.startedWith?.onlyTheseServers === true;
  }

  private places(): Omit<ServerPlaces, 'guards'> {
    const { ports, home } = this.deps;
    return { folders: ports.folders.paths(), home, ...present({ layers: ports.startedWith?.layers }) };
  }
}

/**
 * Reads the servers of a text that the user has given in starting the program, and has approved by that. Those within that program are left
 * out: it registers them itself.
 */
export function readGivenServers({ file, display, text }: GivenText, folders: readonly string[]): McpReading {
  const reading = readConfigFile({ source: { scope: 'program', format: 'claude', file }, display, text }, folders);
  return { ...reading, entries: reading.entries.filter(({ config }) => config.type !== 'sdk') };
}

function ofProgram(reading: McpReading): McpReading {
  return { ...reading, entries: reading.entries.filter(({ source }) => source.scope === 'program') };
}

/** What a reading has of some layers: a file of the user can have lists for single folders, too. */
function ofLayers(reading: McpReading, layers: readonly FileLayer[] | undefined): McpReading {
  return { ...reading, entries: reading.entries.filter(({ source }) => isRead(layerOf(source), layers)) };
}

function layerOf({ scope, folder }: McpSource): ConfigLayer {
  if (scope === 'workspace') return 'project';
  return folder === undefined ? 'user' : 'local';
}

/** The servers that an agent defines. What is wrong with them is among the problems of its file. */
function readingOf({ name, agent: { definedServers = [] } }: ChosenAgent): McpReading {
  return { entries: definedServers.map((entry) => ({ ...entry, source: { ...entry.source, agents: [name] } })), inputs: [], problems: [], servers: [] };
}
