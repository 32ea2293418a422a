import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseAgents } from '../../../../src/config/agents/choose.js';
import { readAgentFile } from '../../../../src/config/agents/read-agent.js';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';
import type { Surroundings } from '../../../../src/node/config/bases.js';
import { readCommandFiles } from '../../../../src/node/config/command-files.js';
import type { MarkdownPlaces } from '../../../../src/node/config/markdown-files.js';
import { findSkills } from '../../../../src/node/config/skill-files.js';
import { foldersAbove, foldersBelow } from '../../../../src/node/config/surroundings.js';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ripgrepProgram } from '../ripgrep-program.js';

const { signal } = new AbortController();
const search = createRipgrepSearch(() => Promise.resolve(ripgrepProgram()));

let root: string;
let home: string;

beforeEach(() => {
  root = temporaryFolder();
  home = temporaryFolder();
});

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `---\nname: ${path.split('/').at(-2) ?? ''}-x\ndescription: D\n---\n${path}`);
  }
}

async function placesOf(folder: string): Promise<MarkdownPlaces> {
  const [above, found] = await Promise.all([foldersAbove(folder, home), foldersBelow(folder, search, signal)]);
  return { folders: [folder], home, guards: NAMED_SECRETS, surroundings: new Map<string, Surroundings>([[folder, { above, ...found }]]) };
}

async function shown(places: MarkdownPlaces): Promise<readonly string[]> {
  const [agents, commands, skills] = await Promise.all([readAgentFiles(places, signal), readCommandFiles(places, signal), findSkills(places, signal)]);
  return [
    ...[...agents, ...commands].map((file) => `${file.origin.display}${'problem' in file ? `: ${file.problem}` : ''}`),
    ...skills.places.map(({ origin, refusal }) => `${origin.display}${refusal === undefined ? '' : `: ${refusal}`}`),
  ];
}

describe('folders below the workspace folder', () => {
  // code.claude.com/docs/en/skills: skills of folders below are there where these are worked in; here they are shown with their paths.
  it('have agents, commands, and skills of their own, in every folder of a program', async () => {
    write(
      '.claude/agents/a.md',
      'web/.claude/agents/b.md',
      'web/.agents/skills/s/SKILL.md',
      'packages/x/.claude/commands/c.md',
      'packages/x/.github/prompts/p.prompt.md',
      'web/.cline/workflows/w.md',
      'web/.roo/skills-code/t/SKILL.md',
      'docs/notes.md',
      'web/.claude/settings.json',
      'web/.github/hooks/h.json',
    );
    expect(await shown(await placesOf(root))).toEqual([
      '.claude/agents/a.md',
      'web/.claude/agents/b.md',
      'web/.cline/workflows/w.md',
      'packages/x/.claude/commands/c.md',
      'packages/x/.github/prompts/p.prompt.md',
      'web/.agents/skills/s/SKILL.md',
      'web/.roo/skills-code/t/SKILL.md',
    ]);
  });

  it.each(['node_modules', 'vendor', '.venv', 'venv', 'site-packages', 'bower_components'])(
    'are not looked for in %s, whether it is ignored or not',
    async (name) => {
      write(`${name}/x/.claude/agents/a.md`, `web/${name}/x/.agents/skills/s/SKILL.md`, 'web/.claude/agents/b.md');
      expect(await shown(await placesOf(root))).toEqual(['web/.claude/agents/b.md']);
    },
  );

  it('are not looked for in what ignore files leave out', async () => {
    write('build/.claude/agents/a.md', 'web/out/.claude/agents/b.md', 'web/.claude/agents/c.md');
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, '.gitignore'), 'build/\n');
    writeFileSync(join(root, 'web', '.gitignore'), '/out\n');
    expect(await shown(await placesOf(root))).toEqual(['web/.claude/agents/c.md']);
  });

  it.each(['web/.claude', 'web/.claude/skills', 'web/.claude/skills/s'])('may have links, such as %s', async (link) => {
    execFileSync('git', ['init', '-q'], { cwd: root });
    write('shared/skills/s/SKILL.md');
    const target = join(root, 'shared', ...link.split('/').slice(2));
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(target, join(root, link));
    expect(await shown(await placesOf(root))).toEqual(['web/.claude/skills/s/SKILL.md']);
    writeFileSync(join(root, '.gitignore'), 'web\n');
    expect(await shown(await placesOf(root))).toEqual([]);
  });

  it('give way to the workspace folder, and are reached by their paths', async () => {
    for (const path of ['zone/.claude/agents/a.md', '.claude/agents/z.md', 'a/b/.claude/agents/a.md']) {
      write(path);
      writeFileSync(join(root, path), '---\nname: same\ndescription: D\n---\nText');
    }
    const files = await readAgentFiles(await placesOf(root), signal);
    const agents = files.flatMap(
      (file) =>
        readAgentFile('text' in file ? file.text : '', { origin: file.origin, dialect: 'claude', readServers: () => ({ entries: [], problems: [] }) }).agents,
    );
    const {
      agents: [first, ...others],
      problems,
    } = chooseAgents(agents);
    expect([first?.name, first?.agent.origin.display]).toEqual(['same', '.claude/agents/z.md']);
    expect(others.map(({ name, agent }) => [name, agent.origin.display])).toEqual([
      ['a:b:same', 'a/b/.claude/agents/a.md'],
      ['zone:same', 'zone/.claude/agents/a.md'],
    ]);
    expect([first?.overridden.length, problems]).toEqual([2, []]);
  });

  it('are limited in number, and that is told', async () => {
    write(...Array.from({ length: 205 }, (_, index) => `p${index}/.agents/skills/s/SKILL.md`));
    const { below, cut } = await foldersBelow(root, search, signal);
    expect([below.length, cut]).toEqual([200, expect.stringContaining('More than 200 folders')]);
    const { problems } = await findSkills(await placesOf(root), signal);
    expect(problems.map(({ message }) => message)).toEqual([cut]);
  });
});

describe('folders above the workspace folder', () => {
  it('count up to the one with the repository, with their paths', async () => {
    mkdirSync(join(root, '.git'));
    write('.claude/agents/a.md', '.claude/commands/c.md', '.agents/skills/s/SKILL.md', 'packages/.claude/agents/b.md', 'packages/x/.claude/agents/own.md');
    expect(await shown(await placesOf(join(root, 'packages', 'x')))).toEqual([
      '.claude/agents/own.md',
      '../.claude/agents/b.md',
      '../../.claude/agents/a.md',
      '../../.claude/commands/c.md',
      '../../.agents/skills/s/SKILL.md',
    ]);
  });

  it('do not count without a repository, and not the home folder', async () => {
    write('.claude/agents/a.md', 'x/.claude/agents/own.md');
    expect(await shown(await placesOf(join(root, 'x')))).toEqual(['.claude/agents/own.md']);
    mkdirSync(join(root, '.git'));
    home = root;
    expect(await foldersAbove(join(root, 'x'), home)).toEqual([]);
  });

  it('are what links of the workspace folder may lead to, and nothing above', async () => {
    const outside = temporaryFolder();
    mkdirSync(join(root, '.git'));
    write('shared/agents/a.md', 'x/.claude/y');
    symlinkSync(join('..', '..', 'shared', 'agents'), join(root, 'x', '.claude', 'agents'));
    symlinkSync(outside, join(root, 'x', '.claude', 'commands'));
    symlinkSync(join('..', '..', '.git'), join(root, 'x', '.claude', 'skills'));
    const places = await placesOf(join(root, 'x'));
    expect(await shown(places)).toEqual(['.claude/agents/a.md', `.claude/commands: It is a link to ${outside}, outside the workspace.`]);
    expect((await findSkills(places, signal)).problems).toMatchObject([{ message: expect.stringContaining('passwords or keys') as string }]);
  });
});

describe('many files', () => {
  // code.claude.com/docs/en/sub-agents and others: whatever a collection has, what is not read is told.
  it('are told where they are not read, whatever cuts them', async () => {
    write(...Array.from({ length: 1_020 }, (_, index) => `.github/agents/a${index}.md`), '.claude/agents/1/2/3/4/5/6/deep.md');
    const told = (await readAgentFiles(await placesOf(root), signal)).flatMap((file) => ('problem' in file ? [`${file.origin.display}: ${file.problem}`] : []));
    expect(told).toEqual([
      '.claude/agents: Folders below more than 5 others in it are not looked into.',
      '.github/agents: More than 1,000 files are in it. The others are not read.',
    ]);
  });
});
