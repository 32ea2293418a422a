import { randomBytes } from 'node:crypto';
import { lstat, readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { bytesOf, exactParts } from './exact-names.js';
import type { Worktree } from './record.js';
import { lineOf } from './run-git.js';
import { copyIndex, seeFiles, type SeenTree, type ViewRun } from './view.js';

/** Where files are looked for: what {@link withIndex} gives. */
interface Looking {
  readonly run: ViewRun;
  /** Absolute path of the index. */
  readonly index: string;
}

/** A file with ignore rules in a tree, as `git ls-tree` lists it: a link is none for Git. */
const IGNORE_FILE = /^(100\d{3}) blob ([0-9a-f]+)\t((?:.*\/)?)\.gitignore$/s;

/**
 * Brings the index of a view up to date with all that counts as work in a worktree. Left out is only what was ignored when the worktree began, by the ignore
 * files of that time and the user’s own rules as they are, and is still ignored now: an agent that writes an ignore file does not decide what may be lost.
 */
export async function seeWork(worktree: Worktree, looking: Looking): Promise<SeenTree> {
  return seeFiles(looking.run, await othersAsBegun(worktree, looking));
}

/**
 * Files that the index does not have, but for those that were ignored when the worktree began, as exact names. Git reads the ignore files of that time as
 * files of another name, which are in an index only: git-ls-files(1), `--exclude-per-directory`, and git-update-index(1), "Skip-worktree bit".
 */
async function othersAsBegun(worktree: Worktree, { run, index }: Looking): Promise<readonly string[]> {
  // Nobody has a file of this name.
  const name = `.gnomon-ignore-${randomBytes(16).toString('hex')}`;
  const listing = `${index}.begun`;
  const variables = { GIT_INDEX_FILE: listing };
  try {
    await copyIndex(index, listing);
    const [rules, own] = await Promise.all([rulesAsBegun(worktree, run), ownRules(worktree, run)]);
    const files = rules.map(({ folder, mode, id }) => ({ path: `${folder}${name}`, mode, id }));
    if (files.length > 0) {
      const lines = files.map(({ path, mode, id }) => `${mode} ${id}\t${path}\0`).join('');
      await run(['update-index', '--replace', '-z', '--index-info'], { input: bytesOf(lines), variables });
      await run(['update-index', '--skip-worktree', '-z', '--stdin'], { input: bytesOf(files.map(({ path }) => `${path}\0`).join('')), variables });
    }
    // The last of the options says what the files are named.
    const { output } = await run([...own, 'ls-files', '-z', '--others', '--exclude-standard', `--exclude-per-directory=${name}`], { variables });
    return await withoutCaches(worktree, run, exactParts(output));
  } finally {
    await rm(listing, { force: true });
    await rm(`${listing}.lock`, { force: true });
  }
}

const OWN_IGNORE_FILE = '/.gitignore';
/** Bytes of an ignore file that says no more than that. */
const FEW_BYTES = 1_000;

/**
 * Without what tools keep for themselves, as pytest, Ruff, mypy, and uv do: a new folder with an ignore file of its own, which says that nothing in it counts.
 * @param others exact names of files
 */
async function withoutCaches({ tree }: Worktree, run: ViewRun, others: readonly string[]): Promise<readonly string[]> {
  const caches: string[] = [];
  for (const path of others) {
    if (!path.endsWith(OWN_IGNORE_FILE) || caches.some((cache) => path.startsWith(cache)) || !(await ignoresAll(join(tree, path)))) continue;
    const folder = path.slice(0, 1 - OWN_IGNORE_FILE.length);
    const { output } = await run(['--literal-pathspecs', 'ls-files', '-z', '--', folder]);
    if (output.length === 0) caches.push(folder);
  }
  return caches.length === 0 ? others : others.filter((path) => !caches.some((cache) => path.startsWith(cache)));
}

async function ignoresAll(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > FEW_BYTES) return false;
    const rules = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    return rules.length === 1 && rules[0]?.trim() === '*';
  } catch {
    // What cannot be read counts as work.
    return false;
  }
}

/** An ignore file in a tree. Its folder is an exact name that ends with a `/`, or is empty. */
interface IgnoreFile {
  readonly folder: string;
  readonly mode: string;
  readonly id: string;
}

/** How many commits are kept with their ignore files. */
const MAX_COMMITS = 50;
/** The ignore files of the commits that worktrees began with: worktrees are looked at often, a commit never changes, and can have very many files. */
const rulesOfCommits = new Map<string, readonly IgnoreFile[]>();

/** The ignore files that a worktree began with. */
async function rulesAsBegun({ record }: Worktree, run: ViewRun): Promise<readonly IgnoreFile[]> {
  const { commit } = record.base;
  const known = rulesOfCommits.get(commit);
  if (known !== undefined) return known;
  const { output } = await run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const rules = exactParts(output).flatMap((entry) => {
    const [, mode, id, folder] = IGNORE_FILE.exec(entry) ?? [];
    return mode === undefined || id === undefined || folder === undefined ? [] : [{ folder, mode, id }];
  });
  const [oldest] = rulesOfCommits.keys();
  if (rulesOfCommits.size >= MAX_COMMITS && oldest !== undefined) rulesOfCommits.delete(oldest);
  rulesOfCommits.set(commit, rules);
  return rules;
}

/** Has a relative path in the settings of the user mean a file of the user, and not one in the worktree. */
async function ownRules({ record }: Worktree, run: ViewRun): Promise<readonly string[]> {
  const path = lineOf(await run(['config', '--path', '--get', 'core.excludesFile'], { answers: [1] }));
  return path === '' || isAbsolute(path) ? [] : ['-c', `core.excludesFile=${join(record.root, path)}`];
}
