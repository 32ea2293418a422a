import type { Diagnostics } from '../../domain/workspace/diagnostics.js';
import type { Documents, FileChange, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { ToolContext } from '../../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';
import { fileAccess } from '../calls/access.js';
import type { Draft } from '../calls/define.js';
import type { FileVersions } from '../calls/file-versions.js';
import { newProblems, problemsOf } from './new-problems.js';
import { showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';

/** What the tools that write files work through. */
export interface WritePorts {
  readonly documents: Documents;
  readonly workspace: Workspace;
  readonly versions: FileVersions;
  /** Left out where nobody looks for problems. */
  readonly diagnostics?: Diagnostics;
}

/** A change in the making: where, from which version, to which text. */
export interface IntendedChange {
  readonly location: FileLocation;
  /** `undefined` for a new file. */
  readonly before: TextFile | undefined;
  readonly after: string;
  /** Whether the model gave the whole text, rather than a part. */
  readonly whole: boolean;
}

/** What `execute` of a writing tool needs beside the change itself. */
export interface WriteState {
  readonly location: FileLocation;
  readonly change: FileChange;
  readonly whole: boolean;
  /** What to tell the model when it worked. */
  readonly done: string;
  /** What the model proposed; absent where the person left it as it was. */
  readonly proposed?: ProposedText;
}

/** A proposal of the model, once the person has changed it. */
export interface ProposedText {
  readonly text: string;
  /** What the model was to be told of it. */
  readonly done: string;
  /** Whether the model is told all that the person changed. */
  readonly toldWhole: boolean;
}

/** As much of a file as a model has seen that was told only a part of what is new in it. */
const NOTHING_SEEN = { first: 1, last: 0, total: 1 };

/**
 * Refuses to change a version that the model has not seen (tool-08).
 * @throws ToolInputError when the file is no longer what the model last saw.
 */
export function checkUnchanged(file: TextFile, location: FileLocation, versions: FileVersions): void {
  const seen = versions.lastSeen(location.real);
  if (seen === undefined || seen === file.hash) return;
  throw new ToolInputError(`${showName(location.display)} has changed since it was read. Read it again, then change it.`);
}

/** The draft of a call that writes one file: its access, the whole diff to show, and the change itself. */
export async function draftChange(intended: IntendedChange, done: string, signal: AbortSignal): Promise<Draft<WriteState>> {
  const { location, before, after, whole } = intended;
  const name = showName(location.display);
  const diff = await unifiedDiff(name, { before: before?.text, after }, signal);
  const change: FileChange = { path: location.real, baseHash: before?.hash, text: after };
  return {
    subject: name,
    accesses: fileAccess('write', location),
    preview: { kind: 'diff', path: location.path, diff, created: before === undefined },
    changes: [change],
    state: { location, change, whole, done },
  };
}

/**
 * Writes a planned change and says what became of it, including what the editor did to the file on saving (tool-09) and
 * what problems it brought.
 */
export async function applyChange(ports: WritePorts, state: WriteState, context: ToolContext): Promise<string> {
  const { change, location, whole } = state;
  const before = problemsOf(ports.diagnostics, location.path);
  const applied = await ports.documents.apply(change, context.signal);
  if (state.proposed?.toldWhole === false) ports.versions.saw(location.real, applied.hash, NOTHING_SEEN);
  else if (whole) ports.versions.saw(location.real, applied.hash);
  else ports.versions.edited(location.real, applied.hash);
  const notes = [state.done];
  if (applied.where === 'editor') {
    notes.push('The file is open with unsaved changes of the person; the change is in the editor and not saved to disk yet.');
  }
  if (applied.formatted === true) {
    notes.push('While saving, the editor changed the file further (a formatter, for instance). Read it before the next edit.');
  }
  const problems = ports.diagnostics && (await newProblems(ports.diagnostics, { path: location.path, before }, context.signal));
  return [...notes, ...(problems === undefined ? [] : [problems])].join('\n');
}
