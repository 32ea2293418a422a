import type { SlashOffer } from '../../../src/protocol/host/composer-messages.js';

/** The commands that a text may become; none when it is one already, or no command. Prompts are also found by their own name. */
export function commandsFor(text: string, commands: readonly SlashOffer[]): readonly SlashOffer[] {
  if (!text.startsWith('/') || commands.some(({ name }) => name === text)) return [];
  const typed = text.toLowerCase();
  const own = typed.slice(1);
  const first = commands.filter(({ name, prompt }) => (prompt === true ? name.toLowerCase().startsWith(typed) : name.startsWith(text)));
  const byOwnName = commands.filter((command) => command.prompt === true && !first.includes(command) && own !== '' && command.name.slice(command.name.indexOf(':') + 1).toLowerCase().startsWith(own));
  return [...first, ...byOwnName];
}
