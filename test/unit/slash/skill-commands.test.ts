import { describe, expect, it } from 'vitest';
import { planCatalog } from '../../../src/config/skills/catalog.js';
import { type ChosenSkill, chooseSkills } from '../../../src/config/skills/choose.js';
import type { Skill } from '../../../src/domain/config/skill.js';
import { type UserContent, text } from '../../../src/domain/model/content.js';
import type { Message } from '../../../src/domain/model/message.js';
import { attachedBlock } from '../../../src/domain/session/attached.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { skillText } from '../../../src/domain/session/skills.js';
import { qualifiedSkillCommand, type SkillActions, type SkillCommand, skillCommands, withoutSkills } from '../../../src/slash/skill-commands.js';

function skill(name: string, more: Partial<Skill> & { readonly layer?: 'user' | 'project' } = {}): Skill {
  const { layer = 'user', ...rest } = more;
  return {
    name,
    description: `About ${name}.`,
    origin: { layer, file: `/${layer}/${name}/SKILL.md`, display: `${layer}/${name}/SKILL.md` },
    folder: `/${layer}/${name}`,
    allowedTools: [],
    modelInvocable: true,
    userInvocable: true,
    argumentNames: [],
    hooks: [],
    fields: [],
    ...rest,
  };
}

const TEXT = (name: string, args: string): string =>
  skillText({ name: name.replace(/^\w+:/, ''), folder: '/x', body: `Do it for ${args}.`, files: [], hasMore: false });

function rig(skills: readonly Skill[], { messages = [], news = false }: { readonly messages?: Message[]; readonly news?: boolean } = {}) {
  const said: { readonly words: string; readonly attached: readonly UserContent[] }[] = [];
  const grant: TurnGrant = { kind: 'skill', name: 'notes', origin: { layer: 'user', file: '/x', display: '/x' }, rules: ['Bash(git log:*)'], digest: 'd' };
  const choice = chooseSkills(skills);
  const actions: SkillActions = {
    skills: {
      found: { choice, plan: planCatalog(choice.skills, new Set()), skipped: [], problems: [], grants: new Map() },
      activate: (name: string, args: string) =>
        Promise.resolve({ text: TEXT(name, args), grant, chosen: choice.skills.find((each) => each.name === name) ?? (choice.skills[0] as ChosenSkill) }),
    },
    turns: { hasNews: () => Promise.resolve(news) },
    session: () => ({ messages, compactions: [] }),
  };
  const say = async (command: SkillCommand | undefined, argument: string, others: readonly UserContent[] = []): Promise<void> => {
    const activated = await command?.activate(argument);
    if (activated === undefined || activated.isNews) throw new Error('It is not sent.');
    const { typed: words, blocks } = activated.message;
    const attached = [...withoutSkills(others), ...blocks];
    said.push({ words, attached });
    messages.push({ role: 'user', content: [...attached, text(words)], timestamp: '2026-01-01T00:00:00Z' });
  };
  return { actions, say, said, plan: actions.skills.found.plan };
}

describe('the commands of skills', () => {
  it('S-43: have their origin in the menu, give way to built-in ones, and can be hidden by their files', () => {
    const { actions } = rig([
      skill('notes', { argumentHint: '[version]' }),
      skill('compact', { layer: 'project' }),
      skill('hidden', { userInvocable: false }),
      skill('mine', { modelInvocable: false }),
    ]);
    expect(skillCommands(actions, new Set(['/compact'])).map(({ name, hint, description, origin, file }) => [name, hint, description, origin, file])).toEqual([
      ['/project:compact', '', 'About compact.', 'project', 'project/compact/SKILL.md'],
      ['/mine', '', 'About mine.', 'user', 'user/mine/SKILL.md'],
      ['/notes', '[version]', 'About notes.', 'user', 'user/notes/SKILL.md'],
    ]);
    expect(qualifiedSkillCommand(actions, 'user:notes')?.name).toBe('/user:notes');
    expect([qualifiedSkillCommand(actions, 'user:hidden'), qualifiedSkillCommand(actions, 'user:other')]).toEqual([undefined, undefined]);
  });

  it('S-32: activate also skills of which models are told nothing', async () => {
    const { actions, say, said, plan } = rig(Array.from({ length: 2_000 }, (_, index) => skill(`skill-${String(index).padStart(4, '0')}`)));
    expect(plan.showing.get('user:skill-1999')).toBe('unlisted');
    await say(
      skillCommands(actions, new Set()).find(({ name }) => name === '/skill-1999'),
      'today',
    );
    expect(said).toEqual([{ words: '/skill-1999 today', attached: [text(TEXT('skill-1999', 'today'))] }]);
  });

  it('S-33: send the text once, with what is attached, and again when it is another', async () => {
    const { actions, say, said } = rig([skill('notes')]);
    const [notes] = skillCommands(actions, new Set());
    const file = attachedBlock({ name: 'a.txt', text: 'A file' });
    await say(notes, 'a', [file, text(TEXT('notes', 'taken back'))]);
    await say(notes, 'a');
    await say(notes, 'b');
    expect(said.map(({ words }) => words)).toEqual(['/notes a', '/notes a', '/notes b']);
    expect(said[0]?.attached).toEqual([file, text(TEXT('notes', 'a'))]);
    expect(JSON.stringify(said[1]?.attached)).toContain('activates the skill notes again');
    expect(said[2]?.attached).toEqual([text(TEXT('notes', 'b'))]);
  });

  it('S-34: are shown before they are sent where their turn would get something new', async () => {
    const { actions } = rig([skill('notes', { model: 'opus', agent: 'writer' })], { news: true });
    const seen = await skillCommands(actions, new Set())[0]?.activate('a');
    expect(seen).toMatchObject({
      isNews: true,
      message: { typed: '/notes a', blocks: [text(TEXT('notes', 'a'))], turn: { grant: { rules: ['Bash(git log:*)'] }, model: 'opus', agent: 'writer' } },
      form: { makes: 'command', title: '/notes', typed: '/notes a', fields: [], preview: { text: TEXT('notes', 'a') } },
    });
  });
});
