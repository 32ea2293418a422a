import type { UsedFile } from '../../../../src/domain/workspace/used-file.js';
import type { McpEntry } from '../../../../src/domain/mcp/config.js';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { type EffectiveEntry, effectiveEntry } from '../../../../src/mcp/consent/effective-entry.js';
import { decidingVariables } from '../../../../src/mcp/consent/looked-at.js';
import type { Environment } from '../../../../src/domain/mcp/environment.js';
import { FOLDER, values } from '../config/rig.js';

/** What an entry does in an environment, with some files. */
export function effective(
  entry: McpEntry,
  over: { readonly environment?: Environment; readonly files?: readonly UsedFile[]; readonly envFile?: UsedFile; readonly folder?: string } = {},
): EffectiveEntry {
  const { environment = {}, files = [], envFile, folder = FOLDER } = over;
  return effectiveEntry(entry, { files, folder, variables: decidingVariables(entry, values({ environment })), ...(envFile === undefined ? {} : { envFile }) });
}

/** A tool of a server. */
export function tool(over: Partial<McpToolInfo> = {}): McpToolInfo {
  return {
    name: 'search',
    description: 'Searches.',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
    annotations: { readOnly: true },
    ...over,
  };
}
