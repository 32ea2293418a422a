import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAgentFiles } from '../../../../src/node/config/agent-files.js';
import { readCommandFiles } from '../../../../src/node/config/command-files.js';
import { readLayerFiles } from '../../../../src/node/config/layer-files.js';
import { findSkills, readSkillFile } from '../../../../src/node/config/skill-files.js';
import { readStyleFiles } from '../../../../src/node/config/style-files.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createInstructions } from '../../../../src/node/instructions/instructions.js';
import { readConfigFiles } from '../../../../src/node/mcp/config-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';
import { quickFolder } from '../../../support/temporary-folder.js';

const { signal } = new AbortController();
/** What the file says that a link is meant to lead to, and what no link may show. */
const WANTED = 'wanted-text';
const CANARY = 'canary-secret';

/** Where the user and the workspace are. */
interface World {
  readonly home: string;
  readonly folder: string;
}

type Read = (world: World) => Promise<unknown>;

/** The kinds of files, with one of the workspace and one of the user, and all that their reader gives. */
const KINDS: readonly { readonly kind: string; readonly workspace?: string; readonly user?: string; readonly read: Read }[] = [
  ...['.claude/agents/a.md', '.gnomon/agents/a.md', '.cursor/agents/a.md'].map((path) => ({ kind: 'agents', workspace: path, user: path, read: agents })),
  { kind: 'agents of VS Code', workspace: '.github/agents/a.agent.md', user: '.copilot/agents/a.agent.md', read: agents },
  { kind: 'modes', workspace: '.roomodes', read: agents },
  ...['.claude/commands/git/a.md', '.gnomon/commands/a.md', '.cursor/commands/a.md', '.roo/commands/a.md'].map((path) => ({
    kind: 'commands',
    workspace: path,
    user: path,
    read: commands,
  })),
  { kind: 'prompts', workspace: '.github/prompts/a.prompt.md', read: commands },
  { kind: 'workflows', workspace: '.clinerules/workflows/a.md', read: commands },
  { kind: 'workflows', workspace: '.cline/workflows/a.md', user: '.cline/workflows/a.md', read: commands },
  { kind: 'skills for a mode', workspace: '.roo/skills-code/a/SKILL.md', user: '.roo/skills-code/a/SKILL.md', read: skills },
  ...['.claude/skills/a/SKILL.md', '.agents/skills/group/a/SKILL.md', '.cursor/skills/a/SKILL.md', '.roo/skills/a/SKILL.md'].map((path) => ({
    kind: 'skills',
    workspace: path,
    user: path,
    read: skills,
  })),
  { kind: 'skills of VS Code', workspace: '.github/skills/a/SKILL.md', user: '.copilot/skills/a/SKILL.md', read: skills },
  { kind: 'styles', workspace: '.claude/output-styles/a.md', user: '.claude/output-styles/a.md', read: styles },
  ...['.claude/settings.json', '.gnomon/settings.json', '.cursor/hooks.json'].map((path) => ({ kind: 'settings', workspace: path, user: path, read: layers })),
  { kind: 'settings of one user', workspace: '.claude/settings.local.json', read: layers },
  { kind: 'hooks of Copilot', workspace: '.github/hooks/a.json', user: '.copilot/hooks/a.json', read: layers },
  { kind: 'servers', workspace: '.mcp.json', user: '.claude.json', read: servers },
  { kind: 'servers of VS Code and Copilot', workspace: '.vscode/mcp.json', user: '.copilot/mcp-config.json', read: servers },
  { kind: 'instructions', workspace: '.claude/CLAUDE.md', user: '.claude/CLAUDE.md', read: instructions },
  { kind: 'instructions', workspace: 'AGENTS.md', user: '.config/gnomon/AGENTS.md', read: instructions },
  { kind: 'rules', workspace: '.claude/rules/sub/a.md', user: '.claude/rules/a.md', read: instructions },
  { kind: 'rules of Copilot', workspace: '.github/instructions/a.instructions.md', user: '.copilot/instructions/a.instructions.md', read: instructions },
  { kind: 'rules of Cline', workspace: '.clinerules/sub/a.md', read: instructions },
  { kind: 'rules of Roo Code', workspace: '.roo/rules/a.md', user: '.roo/rules/a.md', read: instructions },
];

/** A secret that only a file is: a folder of this name is an ordinary one. */
const FILE = 'a secret file inside';

/** What a link leads to: a folder or file with what is wanted, or with what nobody must see. */
const TARGETS: Readonly<Record<string, (owner: string, world: string) => string>> = {
  inside: (owner) => join(owner, 'shared', 'kept'),
  outside: (_owner, world) => join(world, 'elsewhere', 'kept'),
  [FILE]: (owner) => join(owner, '.env'),
  'a secret folder inside': (owner) => join(owner, '.ssh', 'id_rsa'),
  'a secret outside': (_owner, world) => join(world, 'elsewhere', '.aws', 'credentials'),
  'the folder of Git': (owner) => join(owner, '.git', 'config'),
  itself: () => '',
  nothing: (owner) => join(owner, 'shared', 'missing'),
};

interface Case {
  readonly kind: string;
  readonly owner: 'workspace' | 'user';
  readonly path: string;
  /** How many of its names are in place of the link; 0 for the folder of the owner. */
  readonly depth: number;
  readonly target: string;
  readonly read: Read;
}

const CASES: readonly Case[] = KINDS.flatMap(({ kind, read, ...paths }) =>
  (['workspace', 'user'] as const).flatMap((owner) => {
    const path = paths[owner];
    if (path === undefined) return [];
    const depths = path.split('/').map((_, index) => index + 1);
    return [
      { kind, owner, path, depth: 0, target: 'outside', read },
      ...depths.flatMap((depth) =>
        Object.keys(TARGETS)
          .filter((target) => target !== FILE || depth === depths.length)
          .map((target) => ({ kind, owner, path, depth, target, read })),
      ),
    ];
  }),
);

/** Makes the files and the link of a case. @param world an absolute path for all of it */
function build({ owner, path, depth, target }: Case, world: string): World {
  const at = { workspace: join(world, 'project'), user: join(world, 'home') };
  mkdirSync(join(world, 'home'), { recursive: true });
  const root = at[owner];
  const names = path.split('/');
  const link = join(root, ...names.slice(0, depth));
  mkdirSync(dirname(link), { recursive: true });
  if (depth > 0) mkdirSync(at.workspace, { recursive: true });
  const leadsTo = target === 'itself' ? link : (TARGETS[target]?.(root, world) ?? '');
  if (target !== 'itself' && target !== 'nothing') {
    const file = join(leadsTo, ...names.slice(depth));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, target === 'inside' || target === 'outside' ? `"${WANTED}"` : `"${CANARY}"`);
  }
  if (depth === 0) {
    // The folder of the owner itself is the link.
    if (owner === 'user') return { home: linked(leadsTo, join(world, 'linked-home')), folder: mkdirAt(at.workspace) };
    return { home: at.user, folder: linked(leadsTo, join(world, 'linked-project')) };
  }
  symlinkSync(leadsTo, link);
  return { home: at.user, folder: at.workspace };
}

function linked(target: string, path: string): string {
  symlinkSync(target, path);
  return path;
}

function mkdirAt(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

async function agents({ folder, home }: World): Promise<unknown> {
  return readAgentFiles({ folders: [folder], home, guards: NAMED_SECRETS }, signal);
}

async function commands({ folder, home }: World): Promise<unknown> {
  return readCommandFiles({ folders: [folder], home, guards: NAMED_SECRETS }, signal);
}

async function styles({ folder, home }: World): Promise<unknown> {
  return readStyleFiles({ folders: [folder], home, guards: NAMED_SECRETS }, signal);
}

async function skills({ folder, home }: World): Promise<unknown> {
  const { places, problems } = await findSkills({ folders: [folder], home, guards: NAMED_SECRETS }, signal);
  return [problems, await Promise.all(places.map((place) => readSkillFile(place, signal)))];
}

async function layers({ folder, home }: World): Promise<unknown> {
  return readLayerFiles({ folders: [folder], home, platform: 'linux', guards: NAMED_SECRETS }, signal);
}

async function servers({ folder, home }: World): Promise<unknown> {
  return readConfigFiles({ folders: [folder], home, guards: NAMED_SECRETS }, signal);
}

async function instructions({ folder, home }: World): Promise<unknown> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const consent = { allows: () => undefined, ask: () => undefined };
  const found = createInstructions({
    workspace: createWorkspace(() => [{ name: 'project', path: folder }], home),
    home,
    trusted: () => true,
    choices: () => ({ own: true, otherTools: true }),
    consent,
    guards: () => NAMED_SECRETS,
    log,
  });
  return found.ofWorkspace(signal);
}

/** Whether what a link leads to is read, by the rule: in a repository within it, of the user wherever it is, and no secret ever. */
function isRead({ owner, depth, target }: Case): boolean {
  return target === 'inside' || (target === 'outside' && (owner === 'user' || depth === 0));
}

describe('a link on the way to a file', () => {
  const groups = new Map<string, Case[]>();
  for (const each of CASES) {
    const name = `${each.kind} of the ${each.owner}, ${each.path}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }

  it.each([...groups])('%s: is followed, or refused in words for users', async (_name, cases) => {
    const folder = quickFolder();
    await Promise.all(
      cases.map(async (each, index) => {
        const shown = JSON.stringify(await each.read(build(each, join(folder, String(index)))));
        const name = `link ${each.depth} of ${each.path} to ${each.target}`;
        expect(shown, name).not.toContain(CANARY);
        expect(shown, name).not.toMatch(/Plan the call|Use list|Cannot find out/);
        expect(shown.includes(WANTED), `${name}: ${shown}`).toBe(isRead(each));
        // What is there and is not read is told; of a folder that is no place of any file yet, nothing is.
        const isTold = each.target.includes('secret') || each.target.includes('Git') || each.target === 'outside';
        if (!isRead(each) && isTold) expect(shown, name).toMatch(/outside the workspace|passwords or keys/);
      }),
    );
  });

  it('are many', () => {
    expect(CASES.length).toBeGreaterThan(1_000);
  });
});
