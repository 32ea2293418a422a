import { present } from '../../domain/present.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpEntry, McpInput } from '../../domain/mcp/config.js';
import { canonicalJson } from './canonical-json.js';
import { keyPath, shownName } from '../../text/key-path.js';
import type { McpReading } from './read-config.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import { inputsOf } from './used-inputs.js';

/** Servers of one window, from all files together. */
export const MAX_SERVERS = 100;

/** A server that a window has. */
export interface EffectiveServer {
  readonly id: string;
  readonly entry: McpEntry;
  /** Inputs that the user fills in before it starts. */
  readonly inputs: readonly McpInput[];
}

/** The servers of a window, and the reasons why others are not used. */
export interface EffectiveServers {
  readonly servers: readonly EffectiveServer[];
  readonly problems: readonly ConfigProblem[];
}

/** An entry with what belongs to it. */
interface Candidate extends EffectiveServer {
  /** Position among all, for the order of those of the same rank. */
  readonly index: number;
}

/**
 * Puts the entries of all files into one list in which every id is there once. No entry takes the place of another silently:
 *
 * 1. What the user brings in starting the program wins over all, and Gnomon’s own setting over every file.
 * 2. What the user wrote wins over what an extension brings, and that over what a workspace brings: permission rules go by the id, so a
 *    workspace must not get those that the user has for a server of their own.
 * 3. Of the same file format and name, the first wins: an entry that the user has for this folder alone before one for everywhere, and
 *    that of an earlier workspace folder before that of a later one.
 * 4. Two that start or reach the same are one.
 * 5. What agents define comes last: it takes the place of nothing that is configured. Of two agents, the first has the name, and two that
 *    define the same share it.
 * 6. All others with the same id are refused, such as `a.b` and `a_b`, or one name in `.mcp.json` and in `.vscode/mcp.json`.
 *
 * Whatever is left out is among the problems, with the place of what it is in conflict with. An entry that is switched off takes part, so
 * that Gnomon’s setting can switch off what a file has.
 * @param readings in the order of the workspace folders
 */
export function effectiveServers(readings: readonly McpReading[]): EffectiveServers {
  const problems: ConfigProblem[] = readings.flatMap((reading) => reading.problems);
  const all = readings.flatMap(({ entries, inputs }) => entries.map((entry) => ({ entry, inputs: inputsOf(entry, inputs) })));
  const groups = new Map<string, Candidate[]>();
  all.forEach(({ entry, inputs }, index) => {
    const id = serverId(entry.name);
    groups.set(id, [...(groups.get(id) ?? []), { id, entry, inputs, index }]);
  });
  const kept = [...groups.values()].flatMap((group) => settle(group, problems));
  const servers = kept.sort((a, b) => a.index - b.index).map(({ id, entry, inputs }) => ({ id, entry, inputs }));
  const [first] = servers.slice(MAX_SERVERS);
  if (first !== undefined)
    problems.push(problemOf(first.entry, t('There are {0} servers altogether. Only the first {1} are used.', servers.length, MAX_SERVERS)));
  return { servers: servers.slice(0, MAX_SERVERS), problems };
}

/** The one of a group with the same id that stays, if any. */
function settle(group: readonly Candidate[], problems: ConfigProblem[]): readonly Candidate[] {
  const ranked = [...group].sort((a, b) => rankOf(a.entry) - rankOf(b.entry) || a.index - b.index);
  const [first, ...others] = ranked;
  if (first === undefined) return [];
  const rivals = others.filter(({ entry }) => !isSame(first.entry, entry));
  for (const { entry } of others.filter((other) => !rivals.includes(other)))
    problems.push({ ...problemOf(entry, t('This server is the same as the one in {0}, which is used.', placeOf(first.entry))), harmless: true });
  const tied = rivals.filter(({ entry }) => !wins(first.entry, entry));
  for (const rival of rivals) problems.push(problemOf(rival.entry, refusal(rival.entry, first.entry, tied.length > 0)));
  const [second] = tied;
  if (second === undefined)
    return [
      sharedBy(
        first,
        others.filter((other) => !rivals.includes(other)),
      ),
    ];
  problems.push(problemOf(first.entry, refusal(first.entry, second.entry, true)));
  return [];
}

/** A server with all agents that define it. @param same others that start or reach the same */
function sharedBy(first: Candidate, same: readonly Candidate[]): Candidate {
  const { entry } = first;
  const { agents } = entry.source;
  if (agents === undefined || same.length === 0) return first;
  const all = new Set([...agents, ...same.flatMap(({ entry: { source } }) => source.agents ?? [])]);
  return { ...first, entry: { ...entry, source: { ...entry.source, agents: [...all] } } };
}

/** Whether one entry is used rather than another of the same id, which is behind it. */
function wins(first: McpEntry, other: McpEntry): boolean {
  if (other.source.agents !== undefined) return true;
  if (first.source.format === 'gnomon' && first.source.scope === 'user') return true;
  if (scopeRank(first) !== scopeRank(other)) return true;
  return first.name === other.name && first.source.format === other.source.format;
}

function rankOf(entry: McpEntry): number {
  const { format, scope, folder, agents } = entry.source;
  const isSetting = format === 'gnomon' && scope === 'user';
  const isForFolder = scope === 'user' && folder !== undefined;
  return (agents === undefined ? 0 : 100) + scopeRank(entry) * 10 + (isSetting ? 0 : isForFolder ? 1 : 2);
}

function scopeRank({ source }: McpEntry): number {
  return ['program', 'user', 'extension', 'workspace'].indexOf(source.scope);
}

/** Whether two entries start or reach the same, also where their files have other words for it. */
function isSame(a: McpEntry, b: McpEntry): boolean {
  const written = ({ name, config, disabled }: McpEntry): string => canonicalJson([name, config, disabled ?? false]);
  if (written(a) !== written(b)) return false;
  const hasVariables = written(a).includes('${');
  const folders = new Set([a, b].flatMap(({ source }) => source.folder ?? []));
  // A variable is one thing in this format and another in that, and a path depends on the folder.
  return (!hasVariables || a.source.format === b.source.format) && (folders.size < 2 || (a.config.type !== 'stdio' && !hasVariables));
}

function refusal(entry: McpEntry, other: McpEntry, neither: boolean): string {
  const place = placeOf(other);
  if (entry.source.agents !== undefined) {
    const [agent] = other.source.agents ?? [];
    if (agent !== undefined)
      return t('The agent “{0}” has another server of this name, in {1}. This one is not used. Rename it to use it.', shownName(agent), place);
    if (!neither) return t('There is a configured server of this name, in {0}, which the agent gets instead of this one. Rename this one to use it.', place);
  }
  if (neither)
    return t(
      'The server “{0}” in {1} has the same name as far as tools and rules are concerned, so neither is used. Rename one of them.',
      shownName(other.name),
      place,
    );
  return entry.source.scope === 'workspace' && other.source.scope !== 'workspace'
    ? t('You have a server of this name yourself, in {0}. This one is not used, because your permission rules are for yours. Rename it to use it.', place)
    : t('The server “{0}” in {1} is used instead of this one.', shownName(other.name), place);
}

function placeOf({ source }: McpEntry): string {
  return source.line === undefined ? escapeHidden(source.file) : t('{0}, line {1}', escapeHidden(source.file), source.line);
}

function problemOf({ name, source }: McpEntry, message: string): ConfigProblem {
  return { file: source.file, key: keyPath([name]), ...present({ line: source.line }), message };
}
