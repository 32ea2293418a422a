import { resolve } from 'node:path';
import type { CommandAnalysis, SimpleCommand } from '../../domain/tool/command-analysis.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import type { Surroundings } from '../surroundings.js';
import { namesBelow } from '../rules/path-pattern.js';

/** Options of Git before its command that say where it works; git(1). */
const PLACED = ['-C', '--git-dir', '--work-tree'];
/** Those of them, and others, whose value is a word of its own. */
const WITH_VALUE: ReadonlySet<string | undefined> = new Set([...PLACED, '-c', '--namespace', '--config-env']);
/** Variables that say the same. */
const VARIABLES = /\bGIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY)=['"]?([^\s'"]+)/g;
/** Commands of Git that change no more than what an index knows of the times of files. */
const READING: ReadonlySet<string | undefined> = new Set([
  ...['status', 'log', 'show', 'diff', 'blame', 'grep', 'cat-file', 'rev-parse', 'rev-list', 'ls-files', 'ls-tree', 'describe', 'shortlog'],
]);
/** Commands of Git that change what their operands name. */
const CHANGES_NAMED: ReadonlySet<string | undefined> = new Set(['push', 'init', 'worktree']);

/**
 * Where a command line would do something in a closed folder that no name of a file in it shows: with Git or `find`, which are given the folder, or with a
 * program that runs there.
 * @param cwd absolute path of the folder in which the line starts
 */
export async function workInClosed(
  { commands }: CommandAnalysis,
  cwd: string,
  { closed = [], workspace }: Pick<Surroundings, 'closed' | 'workspace'>,
): Promise<FileLocation | undefined> {
  if (closed.length === 0) return undefined;
  const places = new Set(commands.filter(({ readsOnly }) => !readsOnly).flatMap((command) => placesOf(command, cwd)));
  for (const place of places) {
    // What cannot be located is asked about.
    const location = await workspace.locate(place).catch(() => undefined);
    if (location !== undefined && isIn(closed, location)) return location;
  }
  return undefined;
}

/** Whether a path leads into one of some folders, or to it. */
export function isIn(folders: readonly string[], { real }: FileLocation): boolean {
  return folders.some((folder) => namesBelow(folder, real) !== undefined);
}

/** Absolute paths of the folders in which a command may change something. */
function placesOf(command: SimpleCommand, cwd: string): readonly string[] {
  const { words, files = [], folders = [cwd] } = command;
  const name = words[0]?.split('/').at(-1);
  const named = name === 'git' ? namedByGit(command) : name === 'find' ? words.slice(1).filter((word) => word !== undefined) : [];
  if (named === undefined) return [];
  // What is known to write is judged by the files.
  const around = files.some(({ kind }) => kind === 'write') ? [] : folders;
  return [...around, ...folders.flatMap((folder) => named.map((word) => resolve(folder, word)))];
}

/** The paths where a command of Git changes something, as its text has them; `undefined` for one that only reads. */
function namedByGit({ words, source }: SimpleCommand): readonly string[] | undefined {
  const named = [...source.matchAll(VARIABLES)].map(([, value = '']) => value);
  let at = 1;
  for (; words[at]?.startsWith('-') === true; at += WITH_VALUE.has(words[at]) ? 2 : 1) {
    const [option = '', value = words[at + 1]] = words[at]?.split('=', 2) ?? [];
    if (PLACED.includes(option) && value !== undefined) named.push(value);
  }
  if (READING.has(words[at])) return undefined;
  const operands = CHANGES_NAMED.has(words[at]) ? words.slice(at + 1).filter((word) => word?.startsWith('-') === false) : [];
  return [...named, ...operands.filter((word) => word !== undefined)];
}
