import type { SlashOffer } from '../../../protocol/host/composer-messages.js';

/** A command that is written at the start of a message. */
export interface SlashCommand extends SlashOffer {
  /** Carries it out. @throws Error with words for the person when that cannot be done. */
  run(argument: string): void | Promise<void>;
}

/** The command of a name without its slash; the names of others that come near go into the error. */
export function findCommand(commands: readonly SlashCommand[], name: string): SlashCommand {
  const found = commands.find((command) => command.name === `/${name}`);
  if (found !== undefined) return found;
  const near = commands.filter((command) => command.name.startsWith(`/${name.slice(0, 2)}`)).map((command) => command.name);
  const hint = near.length === 0 ? '/help lists the commands.' : `Did you mean ${near.join(' or ')}?`;
  throw new Error(`There is no command /${name}. ${hint} To send it as a message, put a space in front of it.`);
}

/** For pages. */
export function slashOffers(commands: readonly SlashCommand[]): readonly SlashOffer[] {
  return commands.map(({ name, hint, description }) => ({ name, hint, description }));
}
