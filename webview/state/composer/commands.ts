import type { SlashOffer } from '../../../src/protocol/host/composer-messages.js';

/** The commands that a text may become; none when it is one already, or no command. */
export function commandsFor(text: string, commands: readonly SlashOffer[]): readonly SlashOffer[] {
  if (!text.startsWith('/') || commands.some(({ name }) => name === text)) return [];
  return commands.filter(({ name }) => name.startsWith(text));
}
