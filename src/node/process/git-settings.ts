import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program.js';

/** A setting of Git, as `name` and value. */
export type GitSetting = readonly [name: string, value: string];

/** With these git starts no monitor, hook or checker of signatures while it reads, and writes nothing. Names: git-config(1). */
export const READS_ONLY: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['log.showSignature', 'false'],
  ['diff.autoRefreshIndex', 'false'],
  // Another object in the place of one has no name of its own by which it could be judged.
  ['core.useReplaceRefs', 'false'],
];

/**
 * Variables with which Git fetches nothing that is missing in a repository, as in one that is only a part of another (`GIT_NO_LAZY_FETCH`, from
 * Git 2.44 on), and knows no protocol by which it could: for some of them, the repository’s settings name a program. Names: git(1).
 */
export const OFFLINE: Readonly<Record<string, string>> = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** How long reading the settings may take, in milliseconds. */
const TIMEOUT_MS = 5_000;
const DRIVERS = String.raw`^(filter\..*\.(clean|smudge|process)|diff\..*\.(textconv|command)|diff\.external)$`;
/** A program for differences that shows them as git does; git gives it the path, then file, id and mode of both sides (git(1), GIT_EXTERNAL_DIFF). */
const PLAIN_DIFFERENCE =
  'plain() { test $# -lt 7 && echo "* Unmerged path $1" && return; diff -u --label "a/$1" --label "b/$1" "$2" "$5" || return 0; }; plain';
/** Settings of the repository itself; others are the user's own. */
const OF_REPOSITORY: ReadonlySet<string | undefined> = new Set(['local', 'worktree']);

/** How git ends where there are no such settings, where there is no repository, and where it does not know an option; the last where there is no folder. */
const NOTHING_THERE: ReadonlySet<unknown> = new Set([1, 128, 129, 'ENOENT']);

const run = promisify(execFile);

/**
 * Settings that switch off the filters, converters and programs for differences which the repository around a folder brings along. Git
 * runs these on files whose attributes name them, also when it only compares. The user's own, such as those of Git LFS, stay.
 * @returns nothing where there is no repository, and where git is missing or older than 2.26.
 * @throws Error where they cannot be found out, so that nothing runs that should not.
 */
export async function driverSettings(folder: string, environment: NodeJS.ProcessEnv): Promise<readonly GitSetting[]> {
  const program = await findProgram('git', environment);
  if (program === undefined) return [];
  const args = ['-c', 'core.fsmonitor=false', 'config', '--show-scope', '--includes', '-z', '--name-only', '--get-regexp', DRIVERS];
  const { stdout } = await run(program, args, { cwd: folder, env: environment, timeout: TIMEOUT_MS, windowsHide: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(error.code)) return { stdout: '' };
    throw error;
  });
  const parts = stdout.split('\0');
  return parts.flatMap((name, index) => (index % 2 === 1 && OF_REPOSITORY.has(parts[index - 1]) ? offSettings(name) : []));
}

/** Those for differences cannot be left out, so they are ones that do nothing special. A filter that is missing counts as failed only where it is required. */
function offSettings(name: string): readonly GitSetting[] {
  if (name.endsWith('.textconv')) return [[name, 'cat']];
  if (name.startsWith('diff.')) return [[name, PLAIN_DIFFERENCE]];
  return [
    [name, ''],
    [name.replace(/\.[^.]+$/, '.required'), 'false'],
  ];
}

/** Variables with which git takes settings over those of all files (Git 2.31 or later). */
export function settingVariables(settings: readonly GitSetting[]): Readonly<Record<string, string>> {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...(Object.fromEntries(pairs) as Record<string, string>) };
}
