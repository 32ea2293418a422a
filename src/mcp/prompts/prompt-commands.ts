import type { McpPrompt, McpPromptMessage } from '../../domain/mcp/feature.js';
import { connectedOf, type ConnectedServers } from '../connected-servers.js';
import type { Waiting } from '../resources/read-resource.js';
import type { PromptValues } from './typed-arguments.js';

/** Prompts that are offered, over all servers. */
const MAX_PROMPTS = 500;
/** Characters of the name of a command. */
const MAX_NAME = 100;

/** A prompt of a server as a slash command. */
export interface PromptCommand {
  /** Such as `/github:review`. Built-in commands have no colon, so that none can be mistaken for one. */
  readonly name: string;
  /** Id of the server. */
  readonly server: string;
  readonly prompt: McpPrompt;
}

/** The prompts of connected servers as slash commands. Two of one server that could only be written alike are numbered. */
export function promptCommands(servers: Pick<ConnectedServers, 'states'>): readonly PromptCommand[] {
  const commands = new Map<string, PromptCommand>();
  for (const { id, prompts } of connectedOf(servers)) {
    for (const prompt of prompts) {
      if (commands.size === MAX_PROMPTS) return [...commands.values()];
      const name = freeName(`/${id}:${written(prompt.name)}`, commands);
      commands.set(name.toLowerCase(), { name, server: id, prompt });
    }
  }
  return [...commands.values()];
}

/** What may follow the command: each argument that is needed in angle brackets, each other one in square brackets. */
export function hintOf({ arguments: args }: McpPrompt): string {
  return args.map(({ name, required }) => (required ? `<${written(name)}>` : `[${written(name)}]`)).join(' ');
}

/** A name without what would end it as a word, lead it elsewhere, or not be seen. */
function written(name: string): string {
  const plain = name
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .slice(0, MAX_NAME)
    .toWellFormed();
  return plain === '' ? 'prompt' : plain;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(numbered.toLowerCase())) return numbered;
  }
}

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
