import type { McpRoot } from '../../domain/mcp/request.js';

/** The folders that servers may know of: those on this machine, once the user trusts them. */
export function rootsOf(folders: readonly McpRoot[], trusted: boolean): readonly McpRoot[] {
  return trusted ? folders.filter(({ uri }) => uri.startsWith('file:')).map(({ uri, name }) => ({ uri, name })) : [];
}
