import type { ConfigProblem } from '../../../../src/domain/config/problem.js';
import type { McpConfigFile, McpEntry, McpFileFormat } from '../../../../src/domain/mcp/config.js';
import type { VariableValues } from '../../../../src/mcp/config/resolve-config.js';
import { type McpReading, readConfigFile } from '../../../../src/mcp/config/read-config.js';

/** The folder that is open in these tests. */
export const FOLDER = '/work/project';

/** A configuration file of a workspace, unless something else is said. */
export function configFile(text: string, over: Partial<McpConfigFile['source']> = {}): McpConfigFile {
  const format: McpFileFormat = over.format ?? 'claude';
  return { source: { scope: 'workspace', format, file: `${FOLDER}/${format}.json`, folder: FOLDER, ...over }, display: `${format}.json`, text };
}

/** Reads a file with some servers under the key that its format has. */
export function readServers(servers: unknown, over: Partial<McpConfigFile['source']> = {}, more: object = {}): McpReading {
  const key = over.format === 'vscode' || over.format === 'gnomon' ? 'servers' : 'mcpServers';
  return readConfigFile(configFile(JSON.stringify({ ...more, [key]: servers }, null, 2), over), [FOLDER]);
}

/** The entry of the only server in a file. @throws when it cannot be used */
export function entryOf(
  server: object,
  over: Partial<McpConfigFile['source']> & { readonly name?: string; readonly inputs?: readonly object[] } = {},
): McpEntry {
  const { name = 'db', inputs = [], ...source } = over;
  const { entries, problems } = readServers({ [name]: server }, source, { inputs });
  const [entry] = entries;
  if (entry === undefined) throw new Error(JSON.stringify(problems));
  return entry;
}

/** Problems on one line each: `key:line message`, those that harm nothing with a `~` before them. */
export function shown(problems: readonly ConfigProblem[]): readonly string[] {
  return problems.map(({ key, line, message, harmless }) => `${harmless === true ? '~' : ''}${key}:${line ?? '-'} ${message}`);
}

/** Values for variables. */
export function values(over: Partial<VariableValues> = {}): VariableValues {
  return { environment: {}, platform: 'linux', folders: [{ path: FOLDER, name: 'project' }], home: '/home/me', inputs: new Map(), ...over };
}
