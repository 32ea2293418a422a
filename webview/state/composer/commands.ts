import type { SlashOffer } from '../../../src/protocol/host/composer-messages.js';

/**
 * The commands that a text may become; none when it is one already, or no command. Those with folders or servers in their names are also found by what follows
 * these.
 */
export function commandsFor(text: string, commands: readonly SlashOffer[]): readonly SlashOffer[] {
  if (!text.startsWith('/') || commands.some(({ name }) => name === text)) return [];
  const typed = text.toLowerCase();
  const own = typed.slice(1);
  const first = commands.filter(({ name, prompt, origin }) =>
    prompt === true || origin !== undefined ? name.toLowerCase().startsWith(typed) : name.startsWith(text),
  );
  const byOwnName = commands.filter(
    (command) =>
      (command.prompt === true || command.origin !== undefined) &&
      !first.includes(command) &&
      own !== '' &&
      command.name
        .slice(command.name.lastIndexOf(':') + 1)
        .toLowerCase()
        .startsWith(own),
  );
  return [...first, ...byOwnName];
}
