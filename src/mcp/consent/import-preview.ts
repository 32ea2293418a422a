import { present } from '../../domain/present.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpConfigFile, McpEntry } from '../../domain/mcp/config.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { canonicalJson } from '../config/canonical-json.js';
import { type McpReading, type NamedServer, readConfigFile } from '../config/read-config.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import { type EntryDescription, describeEntry, startLine } from './describe-entry.js';

/** A server in a configuration file, before anything of it is used. */
export interface ImportableServer {
  readonly name: string;
  readonly line?: number;
  /** Command line or URL, on one line, and in detail; absent when it cannot be used. */
  readonly starts?: string;
  readonly description?: EntryDescription;
  /** Problems of the entry, and fields that Gnomon would ignore. */
  readonly problems: readonly ConfigProblem[];
  /** Whether there is a server of this id already: one that starts the same, or another one. */
  readonly known: 'no' | 'same' | 'other';
}

/** A configuration file, before anything of it is used. */
export interface ImportableFile {
  /** Absolute path. */
  readonly file: string;
  /** Display name of the file. */
  readonly display: string;
  readonly servers: readonly ImportableServer[];
  /** Problems of the file as a whole. */
  readonly problems: readonly ConfigProblem[];
}

/**
 * Preview of the servers in configuration files, for the user to choose from. Nothing is started, and no variable is replaced.
 * @param folders the open workspace folders
 * @param known the servers that there are already, from elsewhere
 */
export function importPreview(files: readonly McpConfigFile[], folders: readonly string[], known: readonly McpEntry[]): readonly ImportableFile[] {
  return files.map((file) => {
    const reading = readConfigFile(file, folders);
    const servers = reading.servers.map((server) => importable(server, reading, known));
    const ofServers = new Set(servers.flatMap(({ problems }) => problems));
    return { file: file.source.file, display: file.display, servers, problems: reading.problems.filter((problem) => !ofServers.has(problem)) };
  });
}

function importable({ name, key, line, entry }: NamedServer, { problems }: McpReading, known: readonly McpEntry[]): ImportableServer {
  const own = problems.filter((problem) => problem.key === key || problem.key.startsWith(`${key}.`) || problem.key.startsWith(`${key}[`));
  const shown = { name: escapeHidden(name), ...present({ line }), problems: own, known: knownAs(name, entry, known) };
  return entry === undefined ? shown : { ...shown, starts: startLine(entry), description: describeEntry(entry) };
}

function knownAs(name: string, entry: McpEntry | undefined, known: readonly McpEntry[]): ImportableServer['known'] {
  const other = known.find((each) => serverId(each.name) === serverId(name));
  if (other === undefined) return 'no';
  return entry !== undefined && canonicalJson(entry.config) === canonicalJson(other.config) ? 'same' : 'other';
}
