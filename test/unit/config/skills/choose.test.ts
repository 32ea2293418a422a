import { describe, expect, it } from 'vitest';
import { chooseSkills, findSkill } from '../../../../src/config/skills/choose.js';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import type { Skill } from '../../../../src/domain/config/skill.js';

function skill(name: string, layer: ConfigLayer, place: string, mode?: string): Skill {
  const file = `${place}/${name}/SKILL.md`;
  return {
    name,
    description: 'x',
    origin: { layer, file, display: file },
    folder: `${place}/${name}`,
    allowedTools: [],
    modelInvocable: true,
    userInvocable: true,
    argumentNames: [],
    hooks: [],
    fields: [],
    ...(mode === undefined ? {} : { mode }),
  };
}

describe('skills of one name', () => {
  const choice = chooseSkills([
    skill('notes', 'user', '/home/.agents/skills'),
    skill('notes', 'project', '/ws/.gnomon/skills'),
    skill('notes', 'project', '/ws/.agents/skills'),
    skill('tests', 'user', '/home/.claude/skills'),
  ]);

  it('S-30: the project wins over the user, and the loser is reached by its qualified name', () => {
    expect(choice.skills.map(({ name, skill: { origin } }) => `${name} ${origin.file}`)).toEqual([
      'notes /ws/.agents/skills/notes/SKILL.md',
      'tests /home/.claude/skills/tests/SKILL.md',
      'user:notes /home/.agents/skills/notes/SKILL.md',
    ]);
    expect(findSkill(choice, 'user:notes')?.skill.origin.layer).toBe('user');
    expect(findSkill(choice, 'project:notes')?.skill.origin.layer).toBe('project');
    expect(findSkill(choice, 'user:tests')?.name).toBe('tests');
    expect(findSkill(choice, 'project:tests')).toBeUndefined();
  });

  it('S-30: in one layer the first path wins, and both are named', () => {
    expect(choice.skills[0]?.overridden.map(({ origin }) => origin.file)).toEqual(['/ws/.gnomon/skills/notes/SKILL.md', '/home/.agents/skills/notes/SKILL.md']);
    expect(choice.problems.map(({ file }) => file)).toEqual(['/ws/.gnomon/skills/notes/SKILL.md']);
    expect(choice.problems[0]?.message).toMatch(/\/ws\/\.agents\/skills.*\/ws\/\.gnomon\/skills/);
  });

  it('one for a mode loses against one for all work, and is reached by its mode', () => {
    const all = [
      skill('notes', 'project', '/ws/.roo/skills-code', 'code'),
      skill('notes', 'project', '/ws/.roo/skills'),
      skill('plan', 'project', '/ws/.roo/skills-code', 'code'),
    ];
    const { skills, problems } = chooseSkills([...all, skill('notes', 'project', '/ws/.roo/skills-user', 'user')]);
    expect(skills.map(({ name, skill: { origin } }) => `${name} ${origin.file}`)).toEqual([
      'notes /ws/.roo/skills/notes/SKILL.md',
      'plan /ws/.roo/skills-code/plan/SKILL.md',
      'code:notes /ws/.roo/skills-code/notes/SKILL.md',
    ]);
    // What is reached as `user:notes` is that of the user.
    expect(problems.map(({ file }) => file)).toEqual(['/ws/.roo/skills-user/notes/SKILL.md']);
  });
});
