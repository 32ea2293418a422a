import { present } from '../domain/present.js';
import type { GateRequest, PermissionRule } from '../domain/tool/permission.js';
import type { CommandAnalyzer, CommandAnalysis, FileUse } from '../domain/tool/command-analysis.js';
import type { BoundPlaces } from '../domain/workspace/binding.js';
import type { FileStat } from '../domain/workspace/documents.js';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { SandboxChoices } from '../domain/workspace/sandbox.js';
import type { Plan } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { filesOfCommand } from './files/files-of-command.js';
import { doubtLocalRemotes, doubtStrangeRepository } from './files/own-repository.js';
import { isSecretFile } from './files/sensitive-paths.js';
import { workInClosed } from './files/closed-folders.js';
import { type CleanedFiles, cleanedFiles } from './files/cleaned-files.js';
import { type StoredFiles, storedFiles } from './files/stored-files.js';
import { type Bases, type Spellings, pathInFolder } from './rules/path-pattern.js';
import type { RuleSet } from './rules/rule-set.js';
import type { ReadableSkills, Surroundings } from './surroundings.js';

/** One aspect of a tool call that requires approval by a rule, a mode or the user. */
export interface Need {
  /** `safety` applies in every mode. `secret` is about what can contain passwords or keys. All else is `ordinary`. */
  readonly kind: 'safety' | 'secret' | 'ordinary';
  /** Why approval is needed, as a sentence. */
  readonly reason: string;
  /** Whether the reason says nothing that the call does not show itself. */
  readonly plain?: true;
  /** The allow rule that grants it. */
  readonly by?: PermissionRule;
  /** The rule that would grant it, as written; left out where none could. */
  readonly proposal?: string;
  /** The rule for all of the folder in which the file lies. */
  readonly wider?: string;
}

/** A file or folder that a call touches. */
export interface LocatedUse {
  readonly kind: 'read' | 'write';
  /** Absolute path as it was given. */
  readonly target: string;
  /** As the access has it: of a read that only reveals whether something exists. */
  readonly only?: 'presence';
  /** As the access has it: of a write after which no file is at the path. Unknown of what commands do. */
  readonly removal?: 'deleted' | 'moved';
  /** Source of the path: the plan, the plan as the folder that a command runs in, or the text of the command. */
  readonly by: 'plan' | 'place' | FileUse['by'];
  /** Left out where it could not be found out; then `problem` says why. */
  readonly location?: FileLocation;
  readonly problem?: string;
  /** Whether its folder is known only at run time. */
  readonly unplaced?: true;
  /** Whether it is a folder, or may be one. Known only of what is read. */
  readonly folder: boolean;
  /** Whether something is there, or may be. Known only of what is read. */
  readonly there?: boolean;
  /** Whether the file has other names, which can lie anywhere. Known only of what is written. */
  readonly shared?: boolean;
  /** Why an edit of it asks where edits are accepted, as a sentence. Known only of what is written. */
  readonly loads?: string;
  /** Rules that match a file below the folder, with the file; absent where not known. */
  readonly below?: ReadonlyMap<PermissionRule, string>;
}

/** A command line and what it would do. */
export interface CommandFacts {
  readonly text: string;
  /** The text as rules for exactly one line know it: behind a `cd` where it does not run in a workspace folder. */
  readonly line: string;
  readonly shell: CommandAnalyzer['shell'];
  readonly analysis: CommandAnalysis;
  /** Stored files that its Git commands show; absent when nothing was run to find that out. */
  readonly stored?: StoredFiles;
  /** What each `git clean` of it would remove, by its place in the line; absent when nothing was run to find that out. */
  readonly cleaned?: ReadonlyMap<number, CleanedFiles>;
  /** Why the sandbox would not confine it, as a sentence; absent when it would. */
  readonly unheld?: string;
  /** The user's settings for the sandbox that would confine it; absent when none would. */
  readonly choices?: SandboxChoices;
}

/** A planned call with everything that a decision about it needs to know. */
export interface Call {
  readonly plan: Plan;
  readonly files: readonly LocatedUse[];
  /** Its command; absent for calls that run nothing. */
  readonly command?: CommandFacts;
  /** The open folders and the home directory, as named and as they lead. */
  readonly bases: Bases;
  /** Where the folder with outputs of commands leads. */
  readonly output?: string;
  /** Skill files that may be read. */
  readonly skills?: ReadableSkills;
  /** Files that models get as instructions, by where they lead. */
  readonly instructions: ReadonlySet<string>;
  /** Files that hooks and approved servers run; absent where the call writes nothing. */
  readonly bound?: BoundPlaces;
  /** Folders in which nothing may be written, by where they lead. */
  readonly closed: readonly string[];
  /** Where in these its command would do something that no name of a file shows. */
  readonly inClosed?: FileLocation;
}

/** Finds out what there is to know about a call; touches nothing. */
export async function lookUp(
  { plan, sessionId }: Pick<GateRequest, 'plan' | 'sessionId'>,
  rules: RuleSet,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Call> {
  const { workspace, home, outputFolder, skills } = surroundings;
  const folders = await Promise.all(workspace.folders().map((folder) => spellings(folder.path, workspace)));
  const bases = { folders, home: await spellings(home, workspace), ...settingsOf(workspace) };
  const read = await readCommand(plan, bases, surroundings, signal);
  const command = read && { ...read, analysis: await filesOfCommand(read.analysis, { rules, bases, surroundings }, signal) };
  const places = { workspace, documents: plan.unopened === undefined ? surroundings.documents : undefined, bases };
  const unseen = new Set(plan.accesses.flatMap(({ only, target }) => (only === 'presence' ? [target] : [])));
  // What a call may only put where nothing is has no other names, and whether something is there is found out when it runs.
  const placesOf = (use: NamedUse): LookUp => (use.kind === 'write' && unseen.has(use.target) ? { ...places, documents: undefined } : places);
  const uses = await Promise.all(usesOf(plan, command).map((use) => locate(use, placesOf(use), signal)));
  const bound = uses.some(({ kind }) => kind === 'write') ? await surroundings.boundPlaces?.() : undefined;
  const inClosed = command && plan.preview.kind === 'command' ? await workInClosed(command.analysis, plan.preview.cwd, surroundings) : undefined;
  return {
    plan,
    files: uses.filter(canBeThere),
    ...present({ command }),
    bases,
    instructions: surroundings.instructionFiles?.() ?? new Set(),
    ...present({ bound }),
    closed: surroundings.closed ?? [],
    ...present({ inClosed }),
    ...(skills === undefined ? {} : { skills: skills(sessionId) }),
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

/** The part of {@link Bases} that says which files are settings of repositories, and which stand for others. */
export function settingsOf(workspace: Workspace): Pick<Bases, 'isSettings' | 'standIns'> {
  return present({ isSettings: workspace.repositorySettings?.(), standIns: workspace.standIns });
}

async function readCommand(plan: Plan, bases: Bases, surroundings: Surroundings, signal: AbortSignal): Promise<CommandFacts | undefined> {
  const { analyzer, home } = surroundings;
  const runs = plan.accesses.filter(({ kind }) => kind === 'execute');
  const { preview } = plan;
  if (preview.kind !== 'command' && runs.length === 0) return undefined;
  // What is judged must be what the prompt shows and what runs.
  if (preview.kind !== 'command' || runs.length === 0 || runs.some(({ target }) => target !== preview.command)) {
    return unread('', t('It runs a different command than the one shown.'));
  }
  const text = preview.command;
  try {
    const reader = await analyzer();
    const known = await doubtStrangeRepository(reader.analyze(text, { cwd: preview.cwd, home }), preview.cwd, surroundings, signal);
    const analysis = await doubtLocalRemotes(known, preview.cwd, surroundings, signal);
    const [stored, cleaned, held] = await Promise.all([
      storedFiles(analysis, preview.cwd, surroundings, signal),
      cleanedFiles(analysis, preview.cwd, surroundings, signal),
      heldBySandbox(plan, surroundings),
    ]);
    return { text, line: lineOf(preview, bases), shell: reader.shell, analysis, stored, cleaned, ...held };
  } catch (error) {
    signal.throwIfAborted();
    return unread(text, t('Command lines cannot be analyzed: {0}', errorMessage(error)));
  }
}

/** Whether a use of a file counts: a word that may name a file only reads it if there is one. */
function canBeThere({ by, kind, there, unplaced }: LocatedUse): boolean {
  return by !== 'word' || kind === 'write' || there !== false || unplaced === true;
}

/** Whether the sandbox would confine a command, and the user's settings for it. */
async function heldBySandbox({ unconfined }: Plan, { sandbox }: Surroundings): Promise<Pick<CommandFacts, 'unheld' | 'choices'>> {
  if (unconfined === true) return { unheld: t('It would run outside the sandbox.') };
  const state = await sandbox.state();
  return state.available ? { choices: sandbox.choices() } : { unheld: t('No sandbox is available. {0}', state.reason) };
}

function unread(text: string, unreadable: string): CommandFacts {
  return { text, line: text, shell: 'bash', analysis: { commands: [], files: [], unreadable } };
}

function lineOf({ command, cwd }: { readonly command: string; readonly cwd: string }, bases: Bases): string {
  const folder = pathInFolder(cwd, bases);
  if (folder === '') return command;
  return `cd ${/^[\w./@%+:,-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`} && ${command.trim()}`;
}

/** A use that is not looked up yet. */
type NamedUse = Omit<LocatedUse, 'folder'> & Pick<FileUse, 'opens'>;

function usesOf(plan: Plan, command: CommandFacts | undefined): readonly NamedUse[] {
  const by = command === undefined ? 'plan' : 'place';
  const planned = plan.accesses.flatMap(({ kind, target, only, removal }) => {
    if (kind !== 'read' && kind !== 'write') return [];
    return [{ kind, target, by, ...present({ only, removal }) } as const];
  });
  return [
    ...planned,
    ...(command?.analysis.files ?? []).map(({ kind, path, by: named, opens, unplaced }) => ({
      kind,
      target: path,
      by: named,
      ...(opens === true ? { opens } : {}),
      ...(unplaced === true ? { unplaced } : {}),
    })),
  ];
}

/** Services that look up a file. `documents` is absent for a plan that is unopened: it is judged again when its files may be opened. */
interface LookUp extends Pick<Surroundings, 'workspace'> {
  readonly documents: Surroundings['documents'] | undefined;
  readonly bases: Bases;
}

async function locate({ opens, ...use }: NamedUse, { workspace, documents, bases }: LookUp, signal: AbortSignal): Promise<LocatedUse> {
  try {
    const location = await workspace.locate(use.target);
    // What can hold passwords or keys is known by its name: whether it is there does not matter.
    const isPlanned = use.by === 'plan' || use.by === 'place';
    if (use.kind === 'read' && isPlanned && isSecretFile(location, bases)) return { ...use, location, folder: false, there: true };
    if (use.kind === 'write') return { ...use, location, folder: false, shared: await isShared(location.real, documents, signal) };
    const type = await typeOf(location.real, documents, signal);
    return {
      ...use,
      ...(opens === true && type === 'file' ? { by: 'operand' } : {}),
      location,
      folder: type === 'directory' || type === 'unknown',
      there: type !== 'nothing',
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...use, problem: errorMessage(error), folder: true };
  }
}

async function isShared(path: string, documents: Surroundings['documents'], signal: AbortSignal): Promise<boolean> {
  if (documents === undefined) return false;
  return documents.stat(path, signal).then(
    (stat) => stat?.shared === true,
    // What cannot be looked at cannot be written either.
    () => false,
  );
}

/** Type of the file at a path. An unreadable one may be anything. */
async function typeOf(path: string, documents: Surroundings['documents'], signal: AbortSignal): Promise<FileStat['type'] | 'nothing' | 'unknown'> {
  if (documents === undefined) return 'file';
  return documents.stat(path, signal).then(
    (stat) => stat?.type ?? 'nothing',
    () => 'unknown',
  );
}
