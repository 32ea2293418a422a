import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import type { McpPrompt, McpPromptMessage } from '../../domain/mcp/feature.js';
import { showName } from '../../text/show.js';
import { connectedOf, type ConnectedServers } from '../connected-servers.js';
import type { Waiting } from '../resources/read-resource.js';

/** Prompts that are offered, over all servers. */
const MAX_PROMPTS = 500;
/** Characters of the name of a command. */
const MAX_NAME = 100;

/** A prompt of a server as a slash command. */
export interface PromptCommand {
  readonly kind: 'prompt';
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
      commands.set(name.toLowerCase(), { kind: 'prompt', name, server: id, prompt });
    }
  }
  return [...commands.values()];
}

/** Argument hint of the command: each argument that is needed in angle brackets, each other one in square brackets. */
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

/** Something in quotation marks, in which `\"` and `\\` stand for themselves, or anything up to a white space. */
const WORD = /"((?:[^"\\]|\\[\s\S])*)"(?=\s|$)|(\S+)/g;

/** Values by the names of the arguments. */
export type PromptValues = Readonly<Record<string, string>>;

/**
 * The arguments as they were typed behind a command: in their order, each a word or in quotation marks. The last one takes all that is
 * left where that is not in quotation marks, as in `/server:prompt 42 please be brief`. One that is `""` is left out.
 * @throws Error when the prompt takes none
 */
export function typedValues(prompt: McpPrompt, typed: string): PromptValues {
  const names = prompt.arguments.map(({ name }) => name);
  const words = [...typed.matchAll(WORD)];
  const last = names.length - 1;
  const values = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const name = names[Math.min(index, last)];
    if (name === undefined) throw new Error(t('The prompt “{0}” has no arguments.', showName(prompt.name)));
    if (index < last || words.length === names.length) values.set(name, valueOf(word));
    else if (index === last) values.set(name, typed.slice(word.index).trim());
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ''));
}

/** The names of the arguments that are needed and have no value. */
export function missingIn(prompt: McpPrompt, values: PromptValues): readonly string[] {
  return prompt.arguments.filter(({ name, required }) => required && (!Object.hasOwn(values, name) || values[name]?.trim() === '')).map(({ name }) => name);
}

function valueOf([whole, quoted]: RegExpExecArray): string {
  return quoted === undefined ? whole : quoted.replace(/\\(["\\])/g, '$1');
}

/** Gets the messages of a prompt. @throws McpError; AbortError when the signal stopped it. */
export function getPrompt(
  servers: Pick<ConnectedServers, 'use'>,
  { server, prompt }: Pick<PromptCommand, 'server' | 'prompt'>,
  values: PromptValues,
  { signal, progress }: Waiting,
): Promise<readonly McpPromptMessage[]> {
  return servers.use(
    server,
    (connection) => connection.getPrompt(prompt.name, values, { signal, idleMs: IDLE_MS, hardMs: HARD_MS, ...present({ progress }) }),
    signal,
  );
}
