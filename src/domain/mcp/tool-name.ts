import { createHash } from 'node:crypto';
import { MAX_TOOL_NAME } from '../tool/tool.js';

/** Characters of a server's part of a name: enough to tell servers apart, and to leave most of the room to the tool. */
const MAX_SERVER = 24;
/** Characters of a hash in place of what was cut off. */
const HASH = 8;

/**
 * What the names of all tools of a server begin with: `mcp__<server>__`, as in the rules of Claude Code. The part of the server
 * has no `__` in it and no `_` around it, so that it is clear where it ends and a rule about one server is about no other.
 * @param server id of a server, or what a rule calls it
 */
export function serverPrefix(server: string): string {
  const plain = normalized(server).replace(/_{2,}/g, '_').replace(/^_|_$/g, '');
  return `mcp__${shortened(plain === '' ? 'server' : plain, MAX_SERVER)}__`;
}

/**
 * The name of a server's tool: at most {@link MAX_TOOL_NAME} characters of `[A-Za-z0-9_-]`, which every provider takes. Always the
 * same for the same server and tool. Two tools can have one name, which has to be found out where they are listed.
 */
export function serverToolName(server: string, tool: string): string {
  const prefix = serverPrefix(server);
  return prefix + shortened(normalized(tool), MAX_TOOL_NAME - prefix.length);
}

function normalized(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** A name that is too long, with a hash of the whole at its end. */
function shortened(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH);
  return `${name.slice(0, limit - HASH - 1)}-${hash}`;
}
