import { createHash } from 'node:crypto';
import { MAX_TOOL_NAME, type ServersTool } from '../tool/tool.js';

/** Prefix of the names of all tools of servers, as in Claude Code (code.claude.com/docs/en/mcp). */
export const SERVER_TOOL = 'mcp__';
/** Separator between server and tool. */
const BETWEEN = '__';
/** Characters of a server's part of a name: enough to tell servers apart, and to leave most of the room to the tool. */
const MAX_SERVER = 24;
/** Characters of a hash in place of what was cut off, with the hyphen before it. */
const CUT_MARK = 9;

/**
 * The part of the names of a server's tools that stands for it, before it is cut: its name, with everything but ASCII letters, digits, and
 * hyphens replaced by a single `_`, and none around it. Thus `mcp__<id>__<tool>` can be parsed again, and a rule about one server is
 * about no other.
 * @returns an empty text for a name without any letter, digit, or hyphen
 */
export function serverId(name: string): string {
  return name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_|_$/g, '');
}

/** Prefix of the names of all tools of a server in sessions. @param server its name, its id, or what a rule calls it */
export function serverPrefix(server: string): string {
  return SERVER_TOOL + shortened(serverId(server) || 'server', MAX_SERVER) + BETWEEN;
}

/**
 * The name that a server's tool has in sessions: at most {@link MAX_TOOL_NAME} characters of `[A-Za-z0-9_-]`, which every provider takes.
 * Always the same for the same server and tool. Two tools can have one name, which has to be found out where they are listed.
 */
export function serverToolName(server: string, tool: string): string {
  const prefix = serverPrefix(server);
  return prefix + shortened(normalized(tool), MAX_TOOL_NAME - prefix.length);
}

/**
 * All names by which files may mean a server's tool, the one that Claude Code gives hooks first: there, every character but
 * `[A-Za-z0-9_-]` is a `_`, and nothing is cut. Then as the files write both, with the server's id, with the server's part cut, and last
 * the one of {@link serverToolName}.
 */
export function namesOfServersTool({ server, tool }: ServersTool): readonly [string, ...string[]] {
  const own = normalized(tool);
  const long = SERVER_TOOL + normalized(server) + BETWEEN + own;
  const asWritten = SERVER_TOOL + server + BETWEEN + tool;
  const byId = SERVER_TOOL + serverId(server) + BETWEEN + own;
  return [long, asWritten, byId, serverPrefix(server) + own, serverToolName(server, tool)];
}

/**
 * Resolves a name for tools of servers, as files write it, to its possible meanings in sessions: `mcp__server` and `mcp__server__*` all tools of a server,
 * `mcp__server__tool` one, and `mcp__server__be*` those that begin so; `*` at the end of a meaning is for any ending. The first meaning
 * is the one that takes the server's part to end as early as it can. As the names of servers can have `__` in them in files, the others
 * are possible as well: what limits or guards goes by all of them, and what allows without a question by the first alone.
 * @returns nothing for any other name
 */
export function meaningsOfName(written: string): readonly string[] {
  if (!written.startsWith(SERVER_TOOL)) return [];
  const rest = written.slice(SERVER_TOOL.length);
  if (!rest.includes(BETWEEN)) return isServer(rest) ? [`${serverPrefix(rest)}*`] : [];
  const meanings: string[] = [];
  for (let at = rest.indexOf(BETWEEN); at !== -1; at = rest.indexOf(BETWEEN, at + 1)) {
    const [server, tool] = [rest.slice(0, at), rest.slice(at + BETWEEN.length)];
    if (isServer(server) && tool !== '') meanings.push(...meaningsOfParts(server, tool));
  }
  return [...new Set(meanings)];
}

/** Whether a name in a session is one that a pattern is for, which may have `*` at its end for any ending. */
export function fitsPattern(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function meaningsOfParts(server: string, tool: string): readonly string[] {
  if (!tool.endsWith('*')) return [serverToolName(server, tool)];
  const prefix = serverPrefix(server);
  const beginning = normalized(tool.slice(0, -1));
  const kept = MAX_TOOL_NAME - prefix.length - CUT_MARK;
  // Of a longer name, a session has no more than this.
  return [`${prefix}${beginning}*`, ...(beginning.length > kept ? [`${prefix}${beginning.slice(0, kept)}*`] : [])];
}

function isServer(name: string): boolean {
  return serverId(name) !== '' && !name.includes('*');
}

function normalized(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** A name that is too long, with a hash of the whole at its end. */
function shortened(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const hash = createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, CUT_MARK - 1);
  return `${name.slice(0, limit - CUT_MARK)}-${hash}`;
}
