import { present } from '../../domain/present.js';
import { execFile } from 'node:child_process';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { errorCode } from '../files/file-errors.js';
import { isWithin } from '../files/within.js';
import { findProgram } from '../process/find-program.js';

/** A name at the top of a workspace folder that programs outside of the sandbox follow, and how it is guarded. */
interface GuardedNames {
  readonly names: readonly string[];
  /** Whether what is there may not be changed either. Instructions may: they come and go with branches, and are text. */
  readonly fixed: boolean;
}

/**
 * Below a workspace folder: what Git, an editor, or an agent runs or follows later, outside of any sandbox. Where it is missing, it cannot
 * come into being: an empty folder stands in for it, which Git does not list and no program reads. So what package managers and build tools
 * themselves read is not here (`package.json`, `.npmrc`, `conftest.py`): for them, a folder in place of a file is an error.
 */
export const GUARDED: readonly GuardedNames[] = [
  {
    fixed: true,
    names: [
      ...['.git', '.githooks', '.husky', '.vscode', '.idea', '.zed', '.fleet', '.vs', '.vscode-server', '.devcontainer', '.devcontainer.json'],
      ...['.envrc', '.exrc', '.nvimrc', '.nvim.lua', '.vimrc', '.lvimrc', '.dir-locals.el', '.clangd'],
    ],
  },
  {
    fixed: true,
    names: [
      ...['.claude', '.gnomon', '.cursor', '.gemini', '.codex', '.windsurf', '.roo', '.continue', '.agents', '.cline', '.clinerules', '.kiro', '.qwen'],
      ...['.opencode', '.amazonq', '.junie', '.trae', '.augment', '.goose', '.crush', '.factory', '.copilot', '.codeium'],
      ...['.mcp.json', 'mcp.json', '.aider.conf.yml', 'opencode.json', 'opencode.jsonc', '.claude.json'],
    ],
  },
  {
    fixed: false,
    names: [
      // Repositories of other systems: the settings of new ones name programs, as those of Git do.
      ...['.hg', '.jj', '.svn', '.bzr'],
      ...['AGENTS.md', 'AGENTS.local.md', 'AGENTS.override.md', 'AGENT.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', 'QWEN.md'],
      ...['.cursorrules', '.windsurfrules', '.roorules', '.roomodes', '.goosehints'],
      ...['copilot-instructions.md', 'instructions', 'prompts', 'agents', 'chatmodes', 'hooks', 'skills'].map((name) => `.github/${name}`),
    ],
  },
];
/** The same in a folder of Git: where it looks for its settings, and for what they run. Source: gitrepository-layout(5). */
const OF_GIT_FOLDER = [
  ...['hooks', 'config', 'config.worktree', 'commondir', 'info/attributes', 'info/grafts', 'modules', 'remotes', 'branches'],
  ...['objects/info/alternates', 'objects/info/http-alternates'],
] as const;
/** Of these, what cannot come into being, with what stands in for it. Git must not find a folder in place of a file. */
const STAND_INS: ReadonlyMap<string, string | undefined> = new Map([
  ...([
    ['hooks', undefined],
    ['config', ''],
    ['config.worktree', ''],
    ['info/attributes', ''],
  ] as const),
  // The repository itself, as if there were none. Source: gitrepository-layout(5), commondir
  ['commondir', '.'],
]);
/** In the folder of each linked worktree: where it leads to, and its settings. */
const OF_WORKTREE = ['commondir', 'gitdir', 'config.worktree'] as const;
/** In the folder of another system: its settings, in which hooks are. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = { '.hg': ['hgrc'], '.jj': ['repo/config.toml'], '.bzr': ['branch/branch.conf'] };

/** Something that is not there, with what stands in for it: a file with this text, or an empty folder. */
export interface StandIn {
  readonly path: string;
  readonly text?: string;
}

/** What a command that may change the workspace cannot change of it. All paths are absolute. */
export interface GuardedPlaces {
  /** Folders that cannot be renamed or removed, outer ones first: else others could be put in the place of what they have. */
  readonly pinned: readonly string[];
  /** What is there and cannot be changed, links resolved. */
  readonly fixed: readonly string[];
  /** What is missing and cannot come into being. */
  readonly absent: readonly StandIn[];
}

/** What else says what is guarded. */
interface GuardedMore {
  /** Absolute paths below the top of the folders, every link resolved. */
  readonly nested: readonly string[];
  /** With which Git runs for the user. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How long git may take, in milliseconds, and the most that it may answer, in bytes. */
const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
/** What of a file with settings decides more than the file itself says. */
const LEADS_ON = /hookspath|\[\s*include/i;

type Env = Readonly<Record<string, string | undefined>>;

/** Where the settings in effect in a repository lead: absolute paths. */
interface LedTo {
  /** Files with settings that others include. */
  readonly files: readonly string[];
  /** Folders in which hooks are looked for, or were by settings that others replace. */
  readonly hooks: readonly string[];
}

/** Finds out where settings of Git lead, for several repositories; those of the user are read once. */
class SettingsInEffect {
  private ofUser: Promise<readonly Listed[]> | undefined;

  constructor(private readonly env: Env) {}

  /** @param repository absolute path of a folder of Git @throws Error where git does not answer */
  async in(repository: string): Promise<LedTo> {
    const listed = await (this.ofUser ??= this.list('/dev/null', '/'));
    const texts = await Promise.all(['config', 'config.worktree'].map((name) => readFile(join(repository, name), 'utf8').catch(() => '')));
    const place = dirname(repository);
    const isAsked = texts.some((text) => LEADS_ON.test(text)) || listed.some(({ key }) => key.startsWith('includeif.'));
    const all = isAsked ? await this.list(repository, place) : listed;
    const home = this.env['HOME'] ?? homedir();
    return {
      files: all.map(({ file }) => resolve(place, file)),
      hooks: all.flatMap(({ key, value }) => (key === 'core.hookspath' && value !== '' ? [resolve(place, value.replace(/^~(?=\/|$)/, home))] : [])),
    };
  }

  private async list(repository: string, folder: string): Promise<readonly Listed[]> {
    const program = await findProgram('git', this.env);
    if (program === undefined) return [];
    const env = {
      ...Object.fromEntries(Object.entries(this.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))),
      GIT_DIR: repository,
      LC_ALL: 'C',
    };
    const output = await new Promise<string>((done, failed) => {
      const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, encoding: 'utf8' as const };
      execFile(program, ['config', '--list', '--includes', '--show-origin', '-z'], options, (error, stdout) => {
        if (error === null) done(stdout);
        // With settings that cannot be read, Git does nothing at all.
        else if (typeof error.code === 'number') done('');
        else failed(new Error(`git config failed: ${error.message}`));
      });
    });
    const parts = output.split('\0');
    return parts.flatMap((origin, index) => {
      if (index % 2 === 1 || !origin.startsWith('file:')) return [];
      const [key = '', ...value] = (parts[index + 1] ?? '').split('\n');
      return [{ file: origin.slice('file:'.length), key: key.toLowerCase(), value: value.join('\n') }];
    });
  }
}

/** One setting, with the file that has it, relative to the folder of the question. */
interface Listed {
  readonly file: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Looks what there is to guard.
 * @param folders the workspace folders @param repositories folders of repositories in them; all absolute, every link resolved
 * @throws Error where a repository is found through a link, which a command could lead elsewhere.
 */
export async function guardedPlaces(folders: readonly string[], repositories: readonly string[], { nested, env }: GuardedMore): Promise<GuardedPlaces> {
  const own = repositories.filter((path) => folders.some((folder) => isWithin(folder, path)));
  const settings = new SettingsInEffect(env);
  const parts = await Promise.all([...folders.map(topOf), ...own.map(inRepository), ...own.map((path) => ledTo(path, folders, settings))]);
  const fixed = [...parts.flatMap((part) => part.fixed), ...nested];
  const absent = parts.flatMap((part) => part.absent);
  const guarded = [...fixed, ...absent.map(({ path }) => path), ...own.flatMap((path) => [path, join(path, 'x')])];
  const pinned = new Set(guarded.flatMap((path) => foldersAbove(path, folders)));
  return { pinned: [...pinned].sort((one, other) => one.length - other.length), fixed: [...new Set(fixed)], absent };
}

type Guarded = Pick<GuardedPlaces, 'fixed' | 'absent'>;

async function topOf(folder: string): Promise<Guarded> {
  const names = GUARDED.flatMap((group) => group.names);
  const there = new Set(await namesThere(folder, names));
  const paths = (names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));
  const fixed = GUARDED.flatMap((group) => (group.fixed ? group.names.filter((name) => name !== '.git' && there.has(name)) : []));
  const absent = GUARDED.flatMap(({ names }) => names.filter((name) => !there.has(name)));
  return { fixed: await resolved(paths(fixed)), absent: paths(absent).map((path) => ({ path })) };
}

/**
 * Those of some names that are there. The folders that they would be in are listed, as most are missing, and looking for each takes many times longer. What
 * is spelled in another way is looked for by its name: some disks find it by that.
 */
async function namesThere(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const parents = [...new Set(names.map((name) => dirname(name)))];
  const listed = await Promise.all(
    parents.map(async (parent) => {
      // What cannot be listed may still have what is looked for.
      const entries = await readdir(join(folder, parent)).catch((error: unknown) => (errorCode(error) === 'ENOENT' ? [] : undefined));
      return [parent, entries === undefined ? undefined : new Set(entries.map((entry) => entry.toLowerCase()))] as const;
    }),
  );
  const entriesOf = new Map(listed);
  const possible = names.filter((name) => entriesOf.get(dirname(name))?.has(basename(name).toLowerCase()) !== false);
  const found = await Promise.all(
    possible.map((name) =>
      lstat(join(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}

async function inRepository(path: string): Promise<Guarded> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink() === true) throw new Error(`${path} is a link, so the sandbox cannot keep commands from leading it to another repository.`);
  // The file of a linked worktree or a submodule says where its repository is.
  if (stats?.isDirectory() !== true) return { fixed: stats === undefined ? [] : [path], absent: [] };
  const others = OF_OTHERS[basename(path)];
  const ofOther = (name: string): Promise<Guarded> => partOf(join(path, name), { path: join(path, name), text: '' });
  const parts = await Promise.all(others === undefined ? await partsOfGit(path) : others.map(ofOther));
  return { fixed: parts.flatMap((part) => part.fixed), absent: parts.flatMap((part) => part.absent) };
}

async function partsOfGit(folder: string): Promise<readonly Promise<Guarded>[]> {
  const worktrees = await readdir(join(folder, 'worktrees')).catch(() => []);
  const partIn = (place: string, name: string): Promise<Guarded> => partOf(join(place, name), standIn(join(place, name), name));
  return [
    ...OF_GIT_FOLDER.map((name) => partIn(folder, name)),
    ...worktrees.flatMap((tree) => OF_WORKTREE.map((name) => partIn(join(folder, 'worktrees', tree), name))),
  ];
}

/** What lies in the workspace folders of what the settings in effect lead to: git-config(1), core.hooksPath and INCLUDES. */
async function ledTo(repository: string, folders: readonly string[], settings: SettingsInEffect): Promise<Guarded> {
  const stats = await lstat(repository).catch(() => undefined);
  if (stats?.isDirectory() !== true || Object.hasOwn(OF_OTHERS, basename(repository))) return { fixed: [], absent: [] };
  const { files, hooks } = await settings.in(repository);
  const inside = (paths: readonly string[]): readonly string[] =>
    [...new Set(paths)].filter((path) => folders.some((folder) => path !== folder && isWithin(folder, path)));
  const parts = await Promise.all([
    ...inside(files).map((path) => partOf(path, undefined)),
    // A folder that would have to be made first for a missing one would be in the way of others.
    ...inside(hooks).map(async (path) => partOf(path, (await lstat(dirname(path)).catch(() => undefined)) === undefined ? undefined : { path })),
  ]);
  return { fixed: parts.flatMap((part) => part.fixed), absent: parts.flatMap((part) => part.absent) };
}

function standIn(path: string, name: string): StandIn | undefined {
  const text = STAND_INS.get(name);
  return STAND_INS.has(name) ? { path, ...present({ text }) } : undefined;
}

/** What is guarded at a path: what is there, or that nothing comes there. */
async function partOf(path: string, missing: StandIn | undefined): Promise<Guarded> {
  const fixed = await resolved([path]);
  return { fixed, absent: fixed.length > 0 || missing === undefined ? [] : [missing] };
}

async function resolved(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      realpath(path).then(
        (real) => [real],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** The folders between a workspace folder and a path in it. */
function foldersAbove(path: string, folders: readonly string[]): readonly string[] {
  const roots = folders.filter((folder) => isWithin(folder, path) && folder !== path);
  return roots.flatMap((root) => {
    const names = dirname(relative(root, path)).split('/');
    return names[0] === '.' ? [] : names.map((_, index) => join(root, ...names.slice(0, index + 1)));
  });
}
