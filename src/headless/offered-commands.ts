import type { AgentHost } from '../agent-host/agent-host.js';
import { chooseCommands } from '../config/commands/choose-commands.js';
import { headOf, showName } from '../text/show.js';

/** Characters of a description and of a hint. */
const MAX_SHOWN = 300;

/** A command that a message can begin with. */
export interface OfferedCommand {
  /** Without its slash. */
  readonly name: string;
  readonly description: string;
  /** What stands behind it; empty for nothing. */
  readonly argumentHint: string;
  readonly isSkill: boolean;
}

/** The commands of files and skills that can be used, and the one that summarizes, as they are now. Prompts of servers come with their servers. */
export async function offeredCommands({ commandFiles, skills }: Pick<AgentHost, 'commandFiles' | 'skills'>): Promise<readonly OfferedCommand[]> {
  await Promise.all([commandFiles.ready(), skills.ready()]);
  const shown = (text: string): string => showName(headOf(text, MAX_SHOWN));
  const own = skills.found.choice.skills.flatMap(({ name, skill }) =>
    skill.userInvocable ? [{ name, description: shown(skill.description), argumentHint: shown(skill.argumentHint ?? ''), isSkill: true }] : [],
  );
  const taken = ['compact', ...own.map(({ name }) => name)];
  const ofFiles = chooseCommands(commandFiles.commands, taken).commands.map(({ name, command: { description, argumentHint = '' } }) => ({
    name,
    description: shown(description),
    argumentHint: shown(argumentHint),
    isSkill: false,
  }));
  return [
    { name: 'compact', description: 'Summarize the conversation to free up the context window', argumentHint: '[what to keep]', isSkill: false },
    ...own,
    ...ofFiles,
  ];
}
