import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfRun } from '../../support/program-build.js';
import { quickFolder } from '../../support/temporary-folder.js';
import { createWorktree, type WantedBase } from '../../../src/worktree/create.js';
import { chooseHome, type WorktreeHome } from '../../../src/worktree/home.js';
import type { Worktree } from '../../../src/worktree/record.js';
import { createProcessProbe } from '../../../src/session/lock/process-probe.js';
import { type MainRepository, openRepository } from '../../../src/worktree/repository.js';

/** A signal that nothing stops. */
export const going = new AbortController().signal;

/** Looks at the processes of this machine. */
export const probe = createProcessProbe();

/** A repository of a user, and where its worktrees are. */
export interface Rig {
  /** Folder around the repository. */
  readonly around: string;
  readonly main: MainRepository;
  readonly home: WorktreeHome;
  /** Git as a user has it, in the main repository. @returns what it wrote */
  git(...args: readonly string[]): string;
}

/** Git as a user has it, in a folder. @returns what it wrote */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const user = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...user, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

/** A shell as an agent has it, in a folder, with an identity for Git. @returns what it wrote */
export function shellIn(folder: string, script: string): string {
  const identity = { GIT_AUTHOR_NAME: 'Elf', GIT_AUTHOR_EMAIL: 'elf@example.com', GIT_COMMITTER_NAME: 'Elf', GIT_COMMITTER_EMAIL: 'elf@example.com' };
  return execFileSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...identity } });
}

/** Repositories by the script that has made them: most of the time of a test with one is the time of the processes of Git. */
const templates = new Map<string, string>();

/** Makes a repository by a copy of one that a script has made once. @param root absolute path of a folder that is not there @param script run by a shell in it */
export function copyRepository(root: string, script: string): void {
  let from = templates.get(script);
  if (from === undefined) {
    const template = mkdtempSync(join(folderOfRun(), 'repository-'));
    gitIn(template, 'init', '-q', '--template=');
    for (const folder of ['hooks', 'info']) mkdirSync(join(template, '.git', folder));
    if (script !== '') shellIn(template, script);
    templates.set(script, (from = template));
  }
  cpSync(from, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** A repository with what a script commits in it. @param script run by a shell in the new repository */
export async function rigWith(script = 'echo one > a.txt; git add .; git commit -qm one'): Promise<Rig> {
  const around = quickFolder();
  copyRepository(join(around, 'project'), script);
  return rigAt(around);
}

/** The repository `project` in a folder. */
export async function rigAt(around: string): Promise<Rig> {
  const main = await openRepository(join(around, 'project'));
  if ('kind' in main) throw new Error(`${main.kind}: ${main.detail}`);
  const home = await chooseHome(main, { workspaceFolders: [main.root] });
  if (typeof home === 'string') throw new Error(home);
  return { around, main, home, git: (...args) => gitIn(main.root, ...args) };
}

/** Makes a worktree that has to be made. */
export async function made({ main, home }: Rig, base: WantedBase = { branch: 'main' }, name = 'work'): Promise<Worktree> {
  const outcome = await createWorktree({ main, home, name, base, probe, signal: going });
  if (outcome.kind === 'failed') throw new Error(`${outcome.why}: ${outcome.detail}`);
  await outcome.hold.release();
  return outcome.worktree;
}
