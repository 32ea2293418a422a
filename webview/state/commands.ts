/** A command that is written into the composer. */
export interface Command {
  readonly name: string;
  /** What it does, in a few words. */
  readonly description: string;
}

const COMMANDS: readonly Command[] = [{ name: '/compact', description: 'Summarise the conversation to free the context window' }];

/** The commands that a text may become; none when it is one already, or no command. */
export function commandsFor(text: string): readonly Command[] {
  if (!text.startsWith('/') || COMMANDS.some(({ name }) => name === text)) return [];
  return COMMANDS.filter(({ name }) => name.startsWith(text));
}
