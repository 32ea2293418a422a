import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MarkdownPlaces } from '../../../../src/node/config/markdown-files.js';
import { findSkills, findWaitingSkills, readSkillFile, skillPaths, skillStamp } from '../../../../src/node/config/skill-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

const { signal } = new AbortController();

describe('the files of skills', () => {
  let home: string;
  let folder: string;
  let places: MarkdownPlaces;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-skills-')));
    folder = join(home, 'project');
    await mkdir(folder);
    places = { folders: [folder], home, guards: NAMED_SECRETS };
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function skill(path: string, file = 'SKILL.md'): Promise<void> {
    await mkdir(join(home, path), { recursive: true });
    await writeFile(join(home, path, file), path);
  }

  async function found(): Promise<readonly string[]> {
    return (await findSkills(places, signal)).places.map(({ origin }) => `${origin.layer} ${origin.display}`);
  }

  it('S-30: are those of the project and of the user, in every folder that programs have for them', async () => {
    for (const path of [
      '.agents',
      '.claude',
      '.copilot',
      '.cursor',
      '.gnomon',
      '.roo',
      '.cline',
      'project/.agents',
      'project/.cline',
      'project/.clinerules',
      'project/.cursor',
      'project/.gnomon',
      'project/.claude',
      'project/.github',
      'project/.roo',
    ])
      await skill(`${path}/skills/notes`);
    await skill('.github/skills/notes');
    await skill('project/.agents/skills/group/tests', 'skill.md');
    expect(await found()).toEqual([
      'project .agents/skills/group/tests/skill.md',
      'project .agents/skills/notes/SKILL.md',
      'project .claude/skills/notes/SKILL.md',
      'project .cline/skills/notes/SKILL.md',
      'project .clinerules/skills/notes/SKILL.md',
      'project .cursor/skills/notes/SKILL.md',
      'project .github/skills/notes/SKILL.md',
      'project .gnomon/skills/notes/SKILL.md',
      'project .roo/skills/notes/SKILL.md',
      'user ~/.agents/skills/notes/SKILL.md',
      'user ~/.claude/skills/notes/SKILL.md',
      'user ~/.cline/skills/notes/SKILL.md',
      'user ~/.copilot/skills/notes/SKILL.md',
      'user ~/.cursor/skills/notes/SKILL.md',
      'user ~/.gnomon/skills/notes/SKILL.md',
      'user ~/.roo/skills/notes/SKILL.md',
    ]);
  });

  // docs.roocode.com/features/skills: of the project and of the user, for one mode each beside those for all.
  it('are those for a mode of Roo Code, which counts less than one for all work', async () => {
    for (const path of ['project/.roo/skills', 'project/.roo/skills-code', 'project/.roo/skills-architect', '.roo/skills-code', 'project/.roo/skills-'])
      await skill(`${path}/notes`);
    await skill('project/packages/.roo/skills-code/notes');
    expect((await findSkills(places, signal)).places.map(({ origin, mode }) => [mode, origin.display])).toEqual([
      [undefined, '.roo/skills/notes/SKILL.md'],
      ['architect', '.roo/skills-architect/notes/SKILL.md'],
      ['code', '.roo/skills-code/notes/SKILL.md'],
      ['code', '~/.roo/skills-code/notes/SKILL.md'],
    ]);
    expect(skillPaths(places).folders).toContainEqual({ folder: join(folder, '.roo'), pattern: 'skills-*/**/{SKILL.md,skill.md}' });
  });

  it('are not replaced by a link of another name, wherever it is', async () => {
    await skill('project/.claude/skills/deploy');
    await mkdir(join(folder, '.agents', 'skills'), { recursive: true });
    await symlink('../../.claude/skills/deploy', join(folder, '.agents', 'skills', 'alias'));
    expect(await found()).toEqual(['project .claude/skills/deploy/SKILL.md']);
    // Where both are links, the first one counts.
    await rm(join(folder, '.claude'), { recursive: true });
    await skill('project/shared/deploy');
    await rm(join(folder, '.agents', 'skills', 'alias'));
    for (const name of ['alias', 'other']) await symlink('../../shared/deploy', join(folder, '.agents', 'skills', name));
    expect(await found()).toEqual(['project .agents/skills/alias/SKILL.md']);
  });

  it('S-30: count once where several paths lead to one', async () => {
    await skill('project/.agents/skills/notes');
    await mkdir(join(folder, '.claude'));
    await symlink('../.agents/skills', join(folder, '.claude', 'skills'));
    expect(await found()).toEqual(['project .agents/skills/notes/SKILL.md']);
  });

  it('S-35: of the workspace are not looked for through a link that leads out of it, nor read through one', async () => {
    await skill('secret/notes');
    await mkdir(join(folder, '.agents', 'skills', 'tests'), { recursive: true });
    await symlink(join(home, 'secret', 'notes'), join(folder, '.agents', 'skills', 'notes'));
    await symlink(join(home, 'secret', 'notes', 'SKILL.md'), join(folder, '.agents', 'skills', 'tests', 'SKILL.md'));
    const { places: all, problems } = await findSkills(places, signal);
    expect(problems.map(({ message }) => message)).toEqual([`It is a link to ${join(home, 'secret', 'notes')}, outside the workspace.`]);
    expect(all.map(({ origin }) => origin.display)).toEqual(['.agents/skills/tests/SKILL.md']);
    const [tests] = await Promise.all(all.map((place) => readSkillFile(place, signal)));
    expect(tests !== undefined && 'problem' in tests ? tests.problem : '').toContain('outside the workspace');
  });

  it('S-03: that wait for trust are found by their names, neither outside of the workspace nor through links that lead there', async () => {
    await skill('.claude/skills/own');
    await skill('secret/notes');
    await skill('project/.claude/skills/release');
    const skills = join(folder, '.claude', 'skills');
    await chmod(join(skills, 'release', 'SKILL.md'), 0);
    await symlink(join(home, 'secret', 'notes'), join(skills, 'linked'));
    await mkdir(join(skills, 'tests'));
    await symlink(join(home, 'secret', 'notes', 'SKILL.md'), join(skills, 'tests', 'SKILL.md'));
    await symlink('itself', join(skills, 'itself'));
    const waiting = await findWaitingSkills({ folders: [folder], guards: NAMED_SECRETS }, signal);
    expect(waiting.map(({ origin }) => origin.display)).toEqual(['.claude/skills/release/SKILL.md']);
  });

  it.each(['.claude/skills', '.claude/skills/a/SKILL.md'])('S-08: %s that leads to itself is a problem, and the other skills are there', async (path) => {
    await skill('project/.agents/skills/release');
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(basename(path), join(folder, path));
    const { places: all, problems } = await findSkills(places, signal);
    expect(all.map(({ origin }) => origin.display)).toEqual(['.agents/skills/release/SKILL.md']);
    expect(problems).toMatchObject([{ file: join(folder, path) }]);
  });

  it('S-35: are not read where something else has been put in their place since they were found', async () => {
    await skill('secret/notes');
    for (const name of ['file', 'folder', 'gone']) await skill(`project/.agents/skills/${name}`);
    const { places: all } = await findSkills(places, signal);
    const skills = join(folder, '.agents', 'skills');
    await rm(join(skills, 'file', 'SKILL.md'));
    await symlink(join(home, 'secret', 'notes', 'SKILL.md'), join(skills, 'file', 'SKILL.md'));
    await rm(join(skills, 'folder'), { recursive: true });
    await symlink(join(home, 'secret', 'notes'), join(skills, 'folder'));
    await rm(join(skills, 'gone'), { recursive: true });
    const read = await Promise.all(all.map((place) => readSkillFile(place, signal)));
    expect(read.map((file) => file && ('problem' in file ? 'problem' : file.text))).toEqual(['problem', 'problem', undefined]);
  });

  it('S-30: of the user may be links, and a loop of them ends', async () => {
    await skill('dotfiles/notes');
    await mkdir(join(home, '.claude', 'skills'), { recursive: true });
    await symlink(join(home, 'dotfiles', 'notes'), join(home, '.claude', 'skills', 'notes'));
    await symlink('.', join(home, '.claude', 'skills', 'again'));
    const [first, ...others] = (await findSkills(places, signal)).places;
    expect([first?.realFolder, others]).toEqual([join(home, 'dotfiles', 'notes'), []]);
  });

  it('S-32: that are too many are left out visibly', async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => skill(`.agents/skills/s-${String(index).padStart(4, '0')}`)));
    const { places: all, problems } = await findSkills(places, signal);
    expect(all).toHaveLength(1_000);
    expect(problems).toMatchObject([{ file: join(home, '.agents', 'skills') }]);
  });

  it('have another stamp when one is made, changed, or deleted, and the same otherwise', async () => {
    const stamp = async (): Promise<string> => skillStamp(await findSkills(places, signal));
    const stamps = [await stamp()];
    await skill('.agents/skills/notes');
    stamps.push(await stamp());
    expect(await stamp()).toBe(stamps[1]);
    await writeFile(join(home, '.agents/skills/notes/SKILL.md'), 'other text');
    stamps.push(await stamp());
    await rm(join(home, '.agents/skills/notes'), { recursive: true });
    stamps.push(await stamp());
    expect(new Set(stamps).size).toBe(3);
    expect(stamps[3]).toBe(stamps[0]);
  });

  it('are watched in all folders', () => {
    expect(skillPaths(places).folders).toHaveLength(17);
    expect(skillPaths({ ...places, folders: [home] }).folders).toHaveLength(9);
  });
});
