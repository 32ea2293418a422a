import { findSkill, type SkillChoice } from '../config/skills/choose.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { Skill } from '../domain/config/skill.js';
import { type UserContent, text } from '../domain/model/content.js';
import { attachedBlock } from '../domain/session/attached.js';
import { skillIn } from '../domain/session/skills.js';
import type { AgentSession } from '../engine/agent-session.js';
import { skillsOnWire } from '../engine/context/kept-skills.js';
import { headOf, showName } from '../text/show.js';
import type { ActivatedSkill, Skills } from '../customization/skills.js';
import { type PreviewedMessage, type SlashMessage, shownText } from './file-forms.js';
import type { SlashOffer } from '../protocol/host/composer-messages.js';
import type { MessageOptionsResolver } from './message-options.js';

/** Characters of a description, and of a hint, in the menu. */
const MAX_SHOWN = 200;

/** Services behind the commands of skills. */
export interface SkillActions {
  readonly skills: Pick<Skills, 'found' | 'activate'>;
  /** The session that is shown. */
  readonly session: () => Pick<AgentSession, 'messages' | 'compactions'>;
  /** Knows what turns get of what skills want. */
  readonly turns: Pick<MessageOptionsResolver, 'hasNews'>;
}

/** The message that activates a skill. */
export interface SkillMessage extends PreviewedMessage {
  /** Whether its turn gets something that the user should see before it is sent. */
  readonly isNews: boolean;
}

/** A command that activates a skill. */
export interface SkillCommand extends SlashOffer {
  readonly kind: 'skill';
  /** Makes the message, of what was written and the text of the skill. @throws Error with a message for the user */
  activate(argument: string): Promise<SkillMessage>;
}

/** The skills that users can activate, each by the name that it has as a command, without a slash. @param taken names of other commands, with their slashes */
export function invocableSkills(choice: SkillChoice, taken: ReadonlySet<string>): readonly { readonly skill: Skill; readonly own: string }[] {
  return choice.skills.flatMap(({ skill, name, qualifiedName }) => (skill.userInvocable ? [{ skill, own: taken.has(`/${name}`) ? qualifiedName : name }] : []));
}

/**
 * The commands that activate skills: by the name of the skill, or by the qualified one where another command has that name.
 * @param taken names with their slashes
 */
export function skillCommands(actions: SkillActions, taken: ReadonlySet<string>): readonly SkillCommand[] {
  return invocableSkills(actions.skills.found.choice, taken).map(({ skill, own }): SkillCommand => {
    const shown = {
      hint: showName(headOf(skill.argumentHint ?? '', MAX_SHOWN)),
      description: showName(headOf(skill.description, MAX_SHOWN)),
      origin: isFromRepository(skill.origin) ? ('project' as const) : ('user' as const),
      file: showName(skill.origin.display),
    };
    return { kind: 'skill', name: `/${own}`, ...shown, activate: (argument) => activate(actions, own, argument) };
  });
}

/** The command of a qualified name of a skill, such as `user:notes`, which is not in the menu where the short name is. */
export function qualifiedSkillCommand(actions: SkillActions, name: string): SkillCommand | undefined {
  const chosen = findSkill(actions.skills.found.choice, name);
  return chosen?.skill.userInvocable === true
    ? { kind: 'skill', name: `/${name}`, hint: '', description: '', activate: (argument) => activate(actions, name, argument) }
    : undefined;
}

/** The message has the text of the skill where the model does not have that yet. */
async function activate({ skills, session, turns }: SkillActions, name: string, argument: string): Promise<SkillMessage> {
  const words = `/${name}${argument === '' ? '' : ` ${argument}`}`;
  const activated = await skills.activate(name, argument, AbortSignal.timeout(ACTIVATION_MS));
  const {
    text: content,
    grant,
    chosen: {
      skill: { origin, agent, model, effort },
    },
  } = activated;
  const { messages, compactions } = session();
  const isThere = skillsOnWire(messages, compactions.at(-1)).loaded.get(skillIn(content) ?? '') === content;
  const again = attachedBlock({
    name: `/${name}`,
    text: `The user activates the skill ${name} again. Its text is in this conversation already, and has not changed.`,
  });
  const message: SlashMessage = { typed: words, blocks: [isThere ? again : text(content)], turn: { grant, agent, model, effort } };
  return { message, file: origin.file, form: formOf(activated, words), isNews: await turns.hasNews(message.turn) };
}

function formOf(
  {
    text: content,
    chosen: {
      name,
      skill: { origin, description },
    },
  }: ActivatedSkill,
  typed: string,
): PreviewedMessage['form'] {
  return {
    server: showName(origin.display),
    makes: 'command',
    title: `/${name}`,
    description: showName(headOf(description, MAX_SHOWN)),
    typed,
    fields: [],
    preview: { text: shownText(content), commands: [], files: [], notes: [] },
  };
}

/** Attachments without the texts of skills: a message that was taken back from the queue already has that of its skill. */
export function withoutSkills(attached: readonly UserContent[]): readonly UserContent[] {
  return attached.filter((block) => block.type !== 'text' || skillIn(block.text) === undefined);
}

/** Milliseconds in which the text of a skill has to be there. */
const ACTIVATION_MS = 10_000;
