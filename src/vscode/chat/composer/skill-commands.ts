import { findSkill } from '../../../config/skills/choose.js';
import { isFromRepository } from '../../../domain/config/origin.js';
import { type UserContent, text } from '../../../domain/model/content.js';
import { attachedBlock } from '../../../domain/session/attached.js';
import { skillIn } from '../../../domain/session/skills.js';
import type { AgentSession } from '../../../engine/agent-session.js';
import { skillsOnWire } from '../../../engine/context/kept-skills.js';
import { headOf, showName } from '../../../text/show.js';
import type { WindowSkills } from '../../skill/window-skills.js';
import type { SlashCommand } from './slash-command.js';

/** Characters of a description, and of a hint, in the menu. */
const MAX_SHOWN = 200;

/** What the commands of skills do things with. */
export interface SkillActions {
  readonly skills: Pick<WindowSkills, 'found' | 'activate'>;
  /** The session that is shown. */
  readonly session: () => Pick<AgentSession, 'messages' | 'compactions'>;
  /** Sends or queues a message. @param attached goes before the text */
  readonly say: (text: string, attached: readonly UserContent[]) => Promise<void>;
}

/** The commands that activate skills: by the name of the skill, or by the qualified one where another command has that name. @param taken names with their slashes */
export function skillCommands(actions: SkillActions, taken: ReadonlySet<string>): readonly SlashCommand[] {
  const { choice } = actions.skills.found;
  return choice.skills.flatMap(({ skill, name, qualifiedName }): readonly SlashCommand[] => {
    if (!skill.userInvocable) return [];
    const own = taken.has(`/${name}`) ? qualifiedName : name;
    const shown = { hint: showName(headOf(skill.argumentHint ?? '', MAX_SHOWN)), description: showName(headOf(skill.description, MAX_SHOWN)), origin: isFromRepository(skill.origin) ? 'project' as const : 'user' as const, file: showName(skill.origin.display) };
    return [{ name: `/${own}`, ...shown, takesAttachments: true, run: (argument, attached = []) => activate(actions, own, { argument, attached }) }];
  });
}

/** The command of a qualified name of a skill, such as `user:notes`, which is not in the menu where the short name is. */
export function qualifiedSkillCommand(actions: SkillActions, name: string): SlashCommand | undefined {
  const chosen = findSkill(actions.skills.found.choice, name);
  return chosen?.skill.userInvocable === true ? { name: `/${name}`, hint: '', description: '', takesAttachments: true, run: (argument, attached = []) => activate(actions, name, { argument, attached }) } : undefined;
}

/** Sends what was written, with the text of the skill where the model does not have that yet. */
async function activate({ skills, session, say }: SkillActions, name: string, { argument, attached }: { readonly argument: string; readonly attached: readonly UserContent[] }): Promise<void> {
  const words = `/${name}${argument === '' ? '' : ` ${argument}`}`;
  const content = await skills.activate(name, argument, AbortSignal.timeout(ACTIVATION_MS));
  const { messages, compactions } = session();
  const isThere = skillsOnWire(messages, compactions.at(-1)).loaded.get(skillIn(content) ?? '') === content;
  const again = attachedBlock({ name: `/${name}`, text: `The user activates the skill ${name} again. Its text is in this conversation already, and has not changed.` });
  // A message that was taken back from the queue has it attached already.
  const others = attached.filter((block) => block.type !== 'text' || skillIn(block.text) === undefined);
  await say(words, [...others, isThere ? again : text(content)]);
}

/** Milliseconds in which the text of a skill has to be there. */
const ACTIVATION_MS = 10_000;
