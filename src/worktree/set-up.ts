import { chmod, lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { errorMessage, ToolInputError } from '../domain/errors.js';
import { createFile } from '../node/files/replace-file.js';
import { readRegularFile } from '../node/files/regular-file.js';
import { listedFiles } from './listed-files.js';
import { ownPlace, type Worktree, writeRecord } from './record.js';
import type { MainRepository } from './repository.js';
import type { SetUpPlan } from './set-up-plan.js';

/** How a command of the set-up ended, by who runs it. */
export interface CommandEnd {
  /** `undefined` when it was ended. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** Runs a command of the set-up, as whoever gives this decides. */
export type SetUpRunner = (command: string, signal: AbortSignal) => Promise<CommandEnd>;

/** A command that was run. */
export interface SetUpStep extends CommandEnd {
  readonly command: string;
  readonly durationMs: number;
}

/** A file that was not copied. */
interface NotCopied {
  readonly path: string;
  readonly detail: string;
}

/** What became of a set-up. The last step of one that failed is the one that did. */
export interface SetUpOutcome {
  readonly kind: 'done' | 'failed';
  readonly steps: readonly SetUpStep[];
  readonly copied: readonly string[];
  readonly notCopied: readonly NotCopied[];
}

/** Paths of the files that a plan copies: those of the main checkout that Git ignores, and that the plan lists. */
export async function filesToCopy(plan: SetUpPlan, worktree: Worktree, main: MainRepository, signal: AbortSignal): Promise<readonly string[]> {
  const place = { gitFolder: main.gitFolder, workTree: main.root };
  return listedFiles(place, { patterns: plan.copy, scratch: ownPlace(worktree.unit) }, signal);
}

/**
 * Copies the listed files and runs the commands, one after the other. The first that fails ends it.
 * Whether a command may run is up to who runs it.
 */
export async function setUp(
  plan: SetUpPlan,
  { worktree, main, run }: { worktree: Worktree; main: MainRepository; run: SetUpRunner },
  signal: AbortSignal,
): Promise<SetUpOutcome> {
  // From here on, these files count as work.
  const { tree } = await writeRecord(worktree.unit, { ...worktree.record, listed: [...plan.copy] });
  const paths = await filesToCopy(plan, worktree, main, signal);
  const copied: string[] = [];
  const notCopied: NotCopied[] = [];
  for (const path of paths) {
    const problem = await copyOne(path, { from: main.root, to: tree }, signal);
    if (problem === undefined) copied.push(path);
    else notCopied.push({ path, detail: problem });
  }
  const steps: SetUpStep[] = [];
  for (const command of plan.commands) {
    signal.throwIfAborted();
    const began = performance.now();
    const end = await run(command, signal);
    steps.push({ ...end, command, durationMs: performance.now() - began });
    if (end.exitCode !== 0) return { kind: 'failed', steps, copied, notCopied };
  }
  return { kind: 'done', steps, copied, notCopied };
}

/** Copies a file with its mode. Links are not followed at either end, and nothing is overwritten. @returns why it was not copied */
async function copyOne(path: string, { from, to }: { readonly from: string; readonly to: string }, signal: AbortSignal): Promise<string | undefined> {
  const target = join(to, path);
  try {
    // Git’s own names; a list of files could have any.
    if (
      relative(to, target)
        .split(sep)
        .some((name) => name === '..' || name.toLowerCase() === '.git')
    )
      return path;
    const { bytes } = await readRegularFile(join(from, path), signal);
    const { mode } = await lstat(join(from, path));
    await createFile(target, bytes);
    await chmod(target, mode & 0o777);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolInputError)) throw error;
    return errorMessage(error);
  }
}
