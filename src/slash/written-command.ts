import { t } from '../domain/l10n.js';

/** A word, or the id of an MCP server and the name of one of its prompts as commands have it, or a name with folders; and what follows. */
const COMMAND = /^\/([a-z][\w-]*|[\p{L}\p{N}_.-]+(?::[\p{L}\p{N}_.-]+)+)(?:\s+([\s\S]*))?$/iu;

/** Unusual names of command files. They match only where there is such a command: `/1` and `/a.txt` are sent as they are. */
const UNUSUAL = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.-]*)(?:\s+([\s\S]*))?$/u;

/** A command as it was written. */
export interface WrittenCommand {
  /** Without the slash, in lower case. */
  readonly name: string;
  /** Argument text; empty for none. */
  readonly argument: string;
}

/**
 * The command that a message begins with. Not a path, and nothing behind a space: that is how a slash is sent as it is.
 * @param isKnown whether there is a command of a name in lower case
 */
export function parseSlash(text: string, isKnown: (name: string) => boolean = () => false): WrittenCommand | undefined {
  const match = COMMAND.exec(text);
  const unusual = match === null ? UNUSUAL.exec(text) : null;
  const [, name = '', argument = ''] = match ?? (unusual !== null && isKnown((unusual[1] ?? '').toLowerCase()) ? unusual : []);
  return name === '' ? undefined : { name: name.toLowerCase(), argument: argument.trim() };
}

/** The command of a name without its slash; the names of others that come near go into the error. */
export function findCommand<Command extends { readonly name: string }>(commands: readonly Command[], name: string): Command {
  const found = commands.find((command) => command.name.toLowerCase() === `/${name}`);
  if (found !== undefined) return found;
  const near = commands.filter((command) => command.name.startsWith(`/${name.slice(0, 2)}`)).map((command) => command.name);
  if (near.length === 0)
    throw new Error(t('Unknown command /{0}. Type /help for a list of commands. To send this as a message, put a space in front of it.', name));
  throw new Error(t('Unknown command /{0}. Did you mean {1}? To send this as a message, put a space in front of it.', name, eitherOf(near)));
}

/** Names to choose from in a sentence, such as “/mode or /model”. */
export function eitherOf(names: readonly string[]): string {
  return names.reduce((before, name) => t('{0} or {1}', before, name));
}
