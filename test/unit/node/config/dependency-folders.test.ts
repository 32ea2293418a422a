import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';
import { findSkills, readSkillFile } from '../../../../src/node/config/skill-files.js';
import { foldersBelow } from '../../../../src/node/config/surroundings.js';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';
import { ripgrepProgram } from '../ripgrep-program.js';

const { signal } = new AbortController();

let home: string;
let folder: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-dependencies-')));
  folder = join(home, 'project');
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function write(path: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), '---\nname: evil\ndescription: Evil.\n---\nEvil.');
}

it('conf-19: skills and agents in dependencies, in ignored folders, and behind links that lead out are not loaded', async () => {
  for (const place of ['node_modules/a', 'node_modules/@a/b', 'vendor/a', 'dist', 'out/a', '.venv/lib/site-packages/a', 'target']) {
    for (const root of ['.claude', '.agents', '.gnomon', '.github']) {
      await write(`project/${place}/${root}/skills/evil/SKILL.md`);
      await write(`project/${place}/${root}/agents/evil.md`);
    }
  }
  await write('elsewhere/skills/evil/SKILL.md');
  await write('elsewhere/agents/evil.md');
  await mkdir(join(folder, '.claude'), { recursive: true });
  await mkdir(join(folder, '.agents', 'skills', 'evil'), { recursive: true });
  await writeFile(join(folder, '.gitignore'), 'dist\nout\ntarget\n');
  await symlink(join(home, 'elsewhere', 'skills'), join(folder, '.claude', 'skills'));
  await symlink(join(home, 'elsewhere', 'agents'), join(folder, '.claude', 'agents'));
  await symlink(join(home, 'elsewhere', 'skills', 'evil', 'SKILL.md'), join(folder, '.agents', 'skills', 'evil', 'SKILL.md'));
  await mkdir(join(folder, '.git'));
  const below = await foldersBelow(
    folder,
    createRipgrepSearch(() => Promise.resolve(ripgrepProgram())),
    signal,
  );
  const places = { folders: [folder], home: join(home, 'nobody'), guards: NAMED_SECRETS, surroundings: new Map([[folder, { above: [], ...below }]]) };
  const skills = await findSkills(places, signal);
  const read = await Promise.all(skills.places.map((place) => readSkillFile(place, signal)));
  expect(read.filter((each) => each !== undefined && !('problem' in each))).toEqual([]);
  const agents = await readAgentFiles(places, signal);
  expect(agents.filter((each) => !('problem' in each))).toEqual([]);
});
