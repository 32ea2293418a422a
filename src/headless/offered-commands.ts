import type { AgentHost } from '../agent-host/agent-host.js';
import { chooseCommands } from '../config/commands/choose-commands.js';
import { invocableSkills } from '../slash/skill-commands.js';
import { headOf, showName } from '../text/show.js';

/** Characters of a description and of a hint. */
const MAX_SHOWN = 300;

/** What the message box of the window carries out itself, and what there is in its place. */
export const INSTEAD: Readonly<Record<string, string>> = {
  '/clear': 'Start without --continue and --resume: each run is a new session.',
  '/model': 'Choose it with --model.',
  '/mode': 'Choose it with --permission-mode.',
  '/agent': 'Choose it with --agent.',
  '/config': 'It shows a page of VS Code.',
  '/export': 'Use: gnomon sessions export',
  '/help': 'Use: gnomon --help',
};

/** A command that no file has. */
export interface BuiltIn {
  readonly kind: 'built_in';
  readonly name: string;
}

/** All of them: the one that summarizes, and those of the window, so that nothing else is taken for one. */
export const BUILT_IN: readonly BuiltIn[] = ['/compact', ...Object.keys(INSTEAD)].map((name) => ({ kind: 'built_in', name }));

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
  const builtIn = BUILT_IN.map(({ name }) => name);
  const own = invocableSkills(skills.found.choice, new Set(builtIn)).map(({ skill, own: name }) => ({
    name,
    description: shown(skill.description),
    argumentHint: shown(skill.argumentHint ?? ''),
    isSkill: true,
  }));
  const taken = [...builtIn.map((name) => name.slice(1)), ...own.map(({ name }) => name)];
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
