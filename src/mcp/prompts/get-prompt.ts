import type { McpPromptMessage } from '../../domain/mcp/feature.js';
import type { ConnectedServers } from '../connected-servers.js';
import type { Waiting } from '../resources/read-resource.js';
import type { PromptCommand } from './prompt-commands.js';
import type { PromptValues } from './typed-arguments.js';

/** Milliseconds without a sign of life, and in all, that the user waits for a prompt; a server may have to ask them something for it. */
const IDLE_MS = 60_000;
const HARD_MS = 10 * 60_000;

/** Gets the messages of a prompt. @throws McpError; AbortError when the signal stopped it. */
export function getPrompt(
  servers: Pick<ConnectedServers, 'use'>,
  { server, prompt }: Pick<PromptCommand, 'server' | 'prompt'>,
  values: PromptValues,
  { signal, progress }: Waiting,
): Promise<readonly McpPromptMessage[]> {
  return servers.use(
    server,
    (connection) => connection.getPrompt(prompt.name, values, { signal, idleMs: IDLE_MS, hardMs: HARD_MS, ...(progress === undefined ? {} : { progress }) }),
    signal,
  );
}
