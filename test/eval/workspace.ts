import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import type { CheckedWorkspace, CommandResult } from './tasks/checks.js';
import type { Changes, Files } from './tasks/files.js';
import type { EvalTask } from './tasks/task.js';

/** Runs a command line in a folder. */
export type RunIn = (command: string, folder: string) => Promise<CommandResult>;

/** Makes the workspace of a task. */
export async function makeWorkspace(folder: string, { files, uncommitted }: Pick<EvalTask, 'files' | 'uncommitted'>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFiles(folder, files);
  await makeOlder(folder, files);
  if (uncommitted === undefined) return;
  await commitAll(folder);
  await writeFiles(folder, uncommitted);
}

/** The files that the agent finds. */
export function startOf({ files, uncommitted }: Pick<EvalTask, 'files' | 'uncommitted'>): Files {
  return { ...files, ...uncommitted };
}

/** Writes files, and removes those without content. */
export async function writeFiles(folder: string, files: Changes): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await (text === undefined ? rm(target, { force: true }) : writeFile(target, text));
  }
}

/** Files get older from first to last, so that tools that sort by time always answer alike. */
async function makeOlder(folder: string, files: Files): Promise<void> {
  const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
  for (const [index, path] of Object.keys(files).entries()) await utimes(join(folder, path), start - index, start - index);
}

async function commitAll(folder: string): Promise<void> {
  const git = async (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=User', '-c', 'user.email=user@example.test', '-c', 'commit.gpgSign=false', '-c', 'core.hooksPath=', ...args], {
      cwd: folder,
    });
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'Begin');
}

/** Where checks put copies of a workspace: beside it. */
export function copiesOf(folder: string): string {
  return `${folder}-copies`;
}

/** What a check looks at. */
export function checkedWorkspace(folder: string, facts: { readonly said: string; readonly start: Files }, runIn: RunIn): CheckedWorkspace {
  return {
    ...facts,
    read: (path) => readFile(join(folder, path), 'utf8').catch(() => undefined),
    paths: () => pathsIn(folder),
    run: (command) => runIn(command, folder),
    async script(code) {
      const name = '.check-of-the-task.mjs';
      await writeFile(join(folder, name), code);
      const result = await runIn(`node ${name}`, folder);
      await rm(join(folder, name));
      return result;
    },
    async copyWith(changes) {
      const copy = join(copiesOf(folder), `copy-${performance.now()}`);
      await cp(folder, copy, { recursive: true });
      await writeFiles(copy, changes);
      return checkedWorkspace(copy, facts, runIn);
    },
  };
}

async function pathsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  return paths.filter((path) => !path.startsWith('.git/')).sort();
}
