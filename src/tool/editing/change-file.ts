import { present } from '../../domain/present.js';
import type { Diagnostics, Diagnostic } from '../../domain/workspace/code-intelligence.js';
import type { Documents, FileStat, TextChange, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { Access } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { checkPlaces, fileAccess, type FileDeps, named, removalAccess } from '../calls/places.js';
import type { Draft, Unsettled } from '../calls/define.js';
import type { FileVersions } from '../calls/file-versions.js';
import type { SharedWrites } from '../calls/shared-writes.js';
import type { RunContext, Sealed } from '../calls/sealed.js';
import { showName, count, cutLine } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import { checkCells } from '../../text/notebook/rewrite-notebook.js';
import { inSlices } from '../../concurrency/steps.js';

/** What the tools that write files work through. */
export interface WriteDeps extends FileDeps {
  readonly versions: FileVersions;
  /** What all sessions have written. Left out: of what changed a file, nothing is said. */
  readonly writes?: SharedWrites;
  /** Left out where problems are not checked. */
  readonly diagnostics?: Sealed<Diagnostics>;
}

/** A change in the making: where, from which version, to which text. */
export interface IntendedChange {
  readonly location: FileLocation;
  /** `undefined` for a new file. */
  readonly before: TextFile | undefined;
  readonly after: string;
  /** Whether the model gave the whole text, rather than a part. */
  readonly whole: boolean;
  /** Where the file is that is moved to `location`; absent: it stays where it is. */
  readonly from?: FileLocation;
  /** For a new file, or a new place, that was not looked for yet: the reading that this takes. */
  readonly presence?: readonly Access[];
}

/** What `execute` of a writing tool needs beside the change itself. */
export interface WriteState {
  readonly location: FileLocation;
  readonly change: TextChange;
  readonly whole: boolean;
  /** As {@link IntendedChange} has it. */
  readonly from?: FileLocation;
  /** As {@link IntendedChange} has it. */
  readonly presence?: readonly Access[];
  /** What to tell the model when it worked. */
  readonly done: string;
  /** How the file is changed: a unified diff. */
  readonly diff: string;
  /** What the changed lines are then, as long as nothing else changes them; left out: they are not shown. */
  readonly shown?: readonly string[];
  /** What the model proposed; absent where the user left it as it was. */
  readonly proposed?: ProposedText;
}

/** A proposal of the model, once the user has changed it. */
export interface ProposedText {
  readonly text: string;
  /** The result text planned for the model. */
  readonly done: string;
  /** Whether the model gets all of the user's changes. */
  readonly toldWhole: boolean;
}

/** Range seen by a model that got only a part of what is new in a file: none of it. */
const NOTHING_SEEN = { first: 1, last: 0, total: 1 };

/**
 * Refuses to change a version that the model has not seen.
 * @throws ToolInputError when the file is no longer what the model last saw.
 */
export function checkUnchanged({ versions, writes }: Pick<WriteDeps, 'versions' | 'writes'>, file: TextFile, location: FileLocation): void {
  const seen = versions.lastSeen(location.real);
  if (seen === undefined || seen === file.hash) return;
  const detail = writes?.wordsSince(location.real, seen, file.hash) ?? '';
  throw new ToolInputError({ kind: 'changed_meanwhile', file: showName(location.display), noticed: 'planning' }, { detail });
}

/** The draft of a call that writes one file: its access, the whole diff to show, and the change itself. */
export async function draftChange(intended: IntendedChange, done: string, signal: AbortSignal): Promise<Draft<WriteState>> {
  const { location, before, after, whole, presence, from } = intended;
  const name = showName(location.display);
  const place = from === undefined ? {} : { from: from.real };
  if (isNotebookPath(location.real) && (before === undefined || before.notebook !== undefined)) await inSlices(checkCells(before?.text, after), signal);
  const nameBefore = from === undefined ? name : showName(from.display);
  const diff = from !== undefined && before?.text === after ? '' : await unifiedDiff(name, { before: before?.text, after, nameBefore }, signal);
  const change: TextChange =
    before === undefined
      ? { action: 'create', path: location.real, text: after }
      : { action: 'modify', path: location.real, ...place, baseHash: before.hash, text: after };
  return {
    subject: from === undefined ? name : moveSubject(from, location),
    accesses: [...(from === undefined ? [] : leavingAccess(from)), ...(presence ?? []), ...fileAccess('write', location)],
    preview: { kind: 'diff', path: location.path, diff, created: before === undefined, ...present({ from: from?.path }) },
    changes: [change],
    state: { location, change, whole, done, diff, ...present({ from, presence }) },
  };
}

/** The title of a call that moves a file. */
export function moveSubject(from: FileLocation, to: FileLocation): string {
  return `${showName(from.display)} → ${showName(to.display)}`;
}

/** What moving takes of the source. Reading counts, since what is in a file can be read in its new place. */
function leavingAccess(from: FileLocation): readonly Access[] {
  return [...fileAccess('read', from), ...removalAccess(from, 'moved')];
}

/**
 * Writes a planned change and reports the result, including what the editor did to the file on saving and
 * what problems it brought.
 */
export async function applyChange(deps: WriteDeps, state: WriteState, context: RunContext): Promise<string> {
  const { change, location, whole, from = location } = state;
  const [documents, diagnostics] = [deps.documents.for(context), deps.diagnostics?.for(context)];
  if (state.presence !== undefined) {
    await checkPlaces(deps.workspace, from === location ? [location] : [from, location]);
    await checkAbsent(documents, state, context.signal);
  }
  const before = problemsOf(diagnostics, from.path);
  const applied = await named(from, named(location, documents.apply(change, context.signal)));
  if (change.action === 'modify' && from === location)
    deps.writes?.note(location.real, context.sessionId, { from: change.baseHash, to: applied.hash, diff: state.diff });
  if (from !== location) deps.versions.moved(from.real, location.real);
  // Cells that a model calls by old names could be mistaken for others.
  if (state.proposed?.toldWhole === false || applied.renamed === true) deps.versions.saw(location.real, applied.hash, NOTHING_SEEN);
  else if (whole) deps.versions.saw(location.real, applied.hash);
  else deps.versions.edited(location.real, applied.hash);
  const notes = [state.done];
  if (applied.where === 'editor') {
    notes.push('The file is open with unsaved changes of the user; the change is in the editor and not saved to disk yet.');
  }
  if (applied.formatted === true) {
    notes.push('While saving, the editor changed the file further (a formatter, for instance). Read it before the next edit.');
  } else if (state.shown !== undefined && state.shown.length > 0) notes.push('It now reads:', ...state.shown);
  if (applied.renamed === true) notes.push('Cells are named anew. Read the notebook before you change lines that begin with %% cell.');
  const problems = diagnostics && (await newProblems(diagnostics, { path: location.path, before }, context.signal));
  return [...notes, ...(problems === undefined ? [] : [problems])].join('\n');
}

/** A call that changes a file that the session has read: reading it again takes no more than that nothing forbids it. */
export function changeOfKnown(location: FileLocation, open: Unsettled<WriteState>['open']): Unsettled<WriteState> {
  return { subject: showName(location.display), reads: [], accesses: [...fileAccess('read', location), ...fileAccess('write', location)], open };
}

/** Why nothing new can be written where something is that the model has not read. */
export function presentProblem({ display }: FileLocation, { type }: FileStat): ToolInputError {
  const name = showName(display);
  if (type === 'directory') return new ToolInputError({ kind: 'is_folder', file: name, wanted: 'file' });
  return new ToolInputError(type === 'file' ? { kind: 'not_read', file: name, why: 'exists' } : `${name} is a device, not a file.`);
}

/** Why nothing can be moved to where something is. */
export function occupiedProblem(from: FileLocation, to: FileLocation): ToolInputError {
  return new ToolInputError(
    `${showName(to.display)} exists, so ${showName(from.display)} was not moved; nothing was changed. Choose another name, or delete that file first.`,
  );
}

/** @throws ToolInputError when something is where a new file is to be. */
async function checkAbsent(documents: Documents, { location, from }: Pick<WriteState, 'location' | 'from'>, signal: AbortSignal): Promise<void> {
  const stat = await named(location, documents.stat(location.real, signal));
  if (stat !== undefined) throw from === undefined ? presentProblem(location, stat) : occupiedProblem(from, location);
}

/** Problems that are reported one by one; the rest is counted. */
const SHOWN_PROBLEMS = 10;
/** Characters of one message. */
const MESSAGE_CHARACTERS = 300;

/** The problems of a file. */
interface FileProblems {
  /** Absolute, as the editor names it. */
  readonly path: string;
  readonly before: readonly Diagnostic[];
}

/** Errors and warnings of a file before a change; none without a language server. */
function problemsOf(diagnostics: Diagnostics | undefined, path: string): readonly Diagnostic[] {
  const all = diagnostics?.current(path) ?? [];
  return all.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

/** Reports problems that a change introduced to the model; `undefined` when there are none. */
async function newProblems(diagnostics: Diagnostics, { path, before }: FileProblems, signal: AbortSignal): Promise<string | undefined> {
  try {
    await diagnostics.settled(path, signal);
  } catch {
    // Stopped. The file is written all the same, and that is what the result must say.
    return undefined;
  }
  const fresh = without(problemsOf(diagnostics, path), before);
  if (fresh.length === 0) return undefined;
  const shown = fresh.slice(0, SHOWN_PROBLEMS).map(problemLine);
  const more = fresh.length > shown.length ? [`and ${fresh.length - shown.length} more`] : [];
  return [`${count(fresh.length, 'new problem')}:`, ...shown, ...more].join('\n');
}

/** Problems that were not there before. Lines move with a change, so where a problem is does not count. */
function without(problems: readonly Diagnostic[], before: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map<string, number>();
  for (const problem of before) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return problems.filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function keyOf({ severity, message, source, code }: Diagnostic): string {
  return JSON.stringify([severity, message, source, code]);
}

function problemLine({ line, severity, message, source }: Diagnostic): string {
  const by = source === undefined ? '' : ` (${showName(source)})`;
  return `line ${line}: ${severity}: ${cutLine(message.trim().replace(/\s*\n\s*/g, ' '), MESSAGE_CHARACTERS)}${by}`;
}
