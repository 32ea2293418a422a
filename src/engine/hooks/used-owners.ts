import type { HookScope } from '../../domain/hook/hooks.js';
import type { Message } from '../../domain/model/message.js';
import { ranCommandIn } from '../../domain/session/ran-command.js';
import { skillFolderIn, skillTextsIn } from '../../domain/session/skills.js';

/**
 * The skills and the commands of files that were used in a session: their hooks run from then on until it ends, as in Claude Code
 * (code.claude.com/docs/en/hooks, "Hooks in skills and agents"). They are found in the messages, so that this is right also for a stored
 * conversation and for a branch.
 */
export class UsedOwners {
  private readonly skills = new Set<string>();
  private readonly commands = new Set<string>();

  constructor(messages: readonly Message[]) {
    for (const message of messages) this.note(message);
  }

  /** Takes what a message uses, be it recorded or about to be. */
  note(message: Message): void {
    for (const text of skillTextsIn(message)) {
      const folder = skillFolderIn(text);
      if (folder !== undefined) this.skills.add(folder);
    }
    const command = message.role === 'user' ? ranCommandIn(message) : undefined;
    if (command !== undefined) this.commands.add(command.file);
  }

  get scope(): Pick<HookScope, 'skills' | 'commands'> {
    return { skills: [...this.skills], commands: [...this.commands] };
  }
}
