import type { CommandAnalyser, CommandAnalysis, FileUse } from '../domain/command-analysis.js';
import type { Documents } from '../domain/documents.js';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { PermissionRule } from '../domain/permission.js';
import type { Plan } from '../domain/tool.js';
import type { SandboxPort } from '../domain/sandbox.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { doubtStrangeRepository } from './own-repository.js';
import type { Bases, Spellings } from './path-pattern.js';

/** What calls are looked up in. */
export interface Surroundings {
  readonly workspace: Workspace;
  /** Tells folders from files. Left out: commands that search folders are not held back by rules about files in them. */
  readonly documents?: Pick<Documents, 'stat'>;
  /** Looks at what is below a folder. Left out: a rule about files that could lie in it is one that may be about it. */
  readonly walk?: WalkFolder;
  /** Absolute path of the home directory. */
  readonly home: string;
  /** Absolute path of the folder with the full outputs of commands, which the model may page through. */
  readonly outputFolder?: string;
  /** Holds the commands that run unasked. */
  readonly sandbox: SandboxPort;
  /** Reads command lines; called for each. */
  readonly analyser: () => Promise<CommandAnalyser>;
}

/** What lies below a folder. */
export interface FolderEntry {
  /** Names from the folder on, joined by `/`. */
  readonly path: string;
  /** For a link that leads to something: the absolute path of that, and whether it is a folder. */
  readonly leadsTo?: { readonly real: string; readonly folder: boolean };
}

/**
 * Shows everything below a folder, hidden and ignored files too; follows no link.
 * @param visit ends it with `false`.
 * @returns whether all was seen: `false` when it was ended, when there is too much, and when something cannot be looked at.
 */
export type WalkFolder = (folder: string, visit: (entry: FolderEntry) => boolean, signal: AbortSignal) => Promise<boolean>;

/** A file or folder that a call touches. */
export interface LocatedUse {
  readonly kind: 'read' | 'write';
  /** Absolute path as it was given. */
  readonly target: string;
  /** Who names it: the plan, the plan as the folder that a command runs in, or the text of the command. */
  readonly by: 'plan' | 'place' | FileUse['by'];
  /** Left out where it could not be found out; then `problem` says why. */
  readonly location?: FileLocation;
  readonly problem?: string;
  /** Whether it is a folder, or may be one. Only told of what is read. */
  readonly folder: boolean;
  /** Which rules are about a file below the folder, and about which; left out where that is not known. */
  readonly below?: ReadonlyMap<PermissionRule, string>;
}

/** A command line and what it would do. */
export interface CommandFacts {
  readonly text: string;
  readonly shell: CommandAnalyser['shell'];
  readonly analysis: CommandAnalysis;
  /** Why the sandbox would not hold it, as a sentence; absent when it would. */
  readonly unheld?: string;
}

/** A planned call with everything that a decision about it needs to know. */
export interface Call {
  readonly plan: Plan;
  readonly files: readonly LocatedUse[];
  /** What of it runs; absent for calls that run nothing. */
  readonly command?: CommandFacts;
  /** The open folders and the home directory, as named and as they lead. */
  readonly bases: Bases;
  /** Where the folder with outputs of commands leads. */
  readonly output?: string;
}

/** Files that the text of one command may name; looking up more would keep the person waiting. */
const MAX_FILES = 200;

/** Finds out what there is to know about a call; touches nothing. */
export async function lookUp(plan: Plan, surroundings: Surroundings, signal: AbortSignal): Promise<Call> {
  const { workspace, home, outputFolder } = surroundings;
  const folders = await Promise.all(workspace.folders().map((folder) => spellings(folder.path, workspace)));
  const command = await readCommand(plan, surroundings, signal);
  const files = await Promise.all(usesOf(plan, command).map((use) => locate(use, surroundings, signal)));
  return {
    plan,
    files,
    ...(command === undefined ? {} : { command }),
    bases: { folders, home: await spellings(home, workspace) },
    ...(outputFolder === undefined ? {} : { output: (await spellings(outputFolder, workspace)).at(-1) ?? outputFolder }),
  };
}

/** A folder as it is named and as it leads. One whose links cannot be followed is known by its name alone. */
async function spellings(path: string, workspace: Workspace): Promise<Spellings> {
  return workspace.locate(path).then(
    ({ real }) => [path, real],
    // Nothing in it can be located either, so all of it is asked about.
    () => [path],
  );
}

async function readCommand(plan: Plan, surroundings: Surroundings, signal: AbortSignal): Promise<CommandFacts | undefined> {
  const { analyser, home } = surroundings;
  const runs = plan.accesses.filter(({ kind }) => kind === 'execute');
  const { preview } = plan;
  if (preview.kind !== 'command' && runs.length === 0) return undefined;
  // What is judged must be what the prompt shows and what runs.
  if (preview.kind !== 'command' || runs.length === 0 || runs.some(({ target }) => target !== preview.command)) {
    return unread('', t('It runs a command other than the one that is shown.'));
  }
  const text = preview.command;
  try {
    const reader = await analyser();
    const analysis = await doubtStrangeRepository(reader.analyse(text, { cwd: preview.cwd, home }), preview.cwd, surroundings, signal);
    const tooMany = analysis.files.length > MAX_FILES;
    const bounded = { ...analysis, files: analysis.files.slice(0, MAX_FILES), unreadable: t('It names more than {0} files.', MAX_FILES) };
    return { text, shell: reader.shell, analysis: tooMany ? bounded : analysis, ...(await unheld(plan, surroundings)) };
  } catch (error) {
    signal.throwIfAborted();
    return unread(text, t('Command lines cannot be read: {0}', errorMessage(error)));
  }
}

/** Whether the sandbox would hold a command. */
async function unheld({ unconfined }: Plan, { sandbox }: Surroundings): Promise<Pick<CommandFacts, 'unheld'>> {
  if (unconfined === true) return { unheld: t('It is to run outside of the sandbox.') };
  const state = await sandbox.state();
  return state.available ? {} : { unheld: t('There is no sandbox to hold it. {0}', state.reason) };
}

function unread(text: string, unreadable: string): CommandFacts {
  return { text, shell: 'bash', analysis: { commands: [], files: [], unreadable } };
}

function usesOf(plan: Plan, command: CommandFacts | undefined): readonly Omit<LocatedUse, 'folder'>[] {
  const by = command === undefined ? 'plan' : 'place';
  const planned = plan.accesses.flatMap(({ kind, target }) => (kind === 'read' || kind === 'write' ? [{ kind, target, by } as const] : []));
  return [...planned, ...(command?.analysis.files ?? []).map(({ kind, path, by: named }) => ({ kind, target: path, by: named }))];
}

async function locate(use: Omit<LocatedUse, 'folder'>, { workspace, documents }: Surroundings, signal: AbortSignal): Promise<LocatedUse> {
  try {
    const location = await workspace.locate(use.target);
    return { ...use, location, folder: use.kind === 'read' && (await isFolder(location.real, documents, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...use, problem: errorMessage(error), folder: true };
  }
}

async function isFolder(path: string, documents: Surroundings['documents'], signal: AbortSignal): Promise<boolean> {
  if (documents === undefined) return false;
  return documents.stat(path, signal).then(
    (stat) => stat?.type === 'directory',
    // What cannot be looked at may be one.
    () => true,
  );
}
