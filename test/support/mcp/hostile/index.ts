import { fileURLToPath } from 'node:url';
import type { McpStdioConfig } from '../../../../src/domain/mcp/config.js';
import { startHostileHttp } from './http.mjs';
import { HOSTILE_TRICKS, type HostileTransport, type HostileTrickName } from './tricks.js';

export { HOSTILE_TRICKS, type HostileTrickName } from './tricks.js';
export { startHostileHttp };

/** The program that plays tricks over its standard input and output: `node <path> <trick> [argument]`. */
export const HOSTILE_PROGRAM = fileURLToPath(new URL('stdio.mjs', import.meta.url));
/** The program that plays them over HTTP, and prints `{"url": …, "sseUrl": …}` in its first line. */
export const HOSTILE_HTTP_PROGRAM = fileURLToPath(new URL('http.mjs', import.meta.url));

/** How the server is started with a trick over stdio. @param argument of the trick, where it has one */
export function hostileStdio(trick: HostileTrickName, argument = '', env: Readonly<Record<string, string>> = {}): McpStdioConfig {
  return { type: 'stdio', command: process.execPath, args: [HOSTILE_PROGRAM, trick, argument], env };
}

/** The names of the tricks that can be played over a transport. */
export function tricksOver(transport: HostileTransport): readonly HostileTrickName[] {
  return HOSTILE_TRICKS.filter(({ over }) => (over as readonly HostileTransport[]).includes(transport)).map(({ name }) => name);
}
