import { ToolInputError } from '../domain/errors.js';
import { type FileSnapshot, sameContent, versionOf } from '../domain/workspace/changes.js';
import type { FileChange } from '../domain/workspace/documents.js';
import type { Plan } from '../domain/tool/tool.js';
import { type Encoding, decodeText, encodeText } from '../text/encoding.js';
import { isNotebookPath } from '../text/notebook/notebook.js';
import { hashOf } from './blob-folder.js';
import type { MadeChange, Seen } from './ledger-entry.js';

/** Compares two snapshots of files. Both ends of a planned move are one change where it was made. */
export function changesOf(before: readonly Seen[], after: readonly Seen[], moves: readonly PlannedMove[]): readonly MadeChange[] {
  const all = before.flatMap(({ path, snapshot }, index): readonly MadeChange[] => {
    const now = after[index]?.snapshot ?? snapshot;
    return sameContent(versionOf(snapshot), versionOf(now)) ? [] : [{ path, before: snapshot, after: now }];
  });
  return moves.reduce(withMove, all);
}

function withMove(changes: readonly MadeChange[], { from, to }: PlannedMove): readonly MadeChange[] {
  const [gone, made] = [from, to].map((path) => changes.find((change) => change.path === path));
  if (gone?.before.kind !== 'file' || gone.after.kind !== 'absent' || made?.before.kind !== 'absent' || made.after.kind !== 'file') return changes;
  const moved: MadeChange = { ...made, from: { path: from, snapshot: gone.before } };
  return changes.flatMap((change) => (change === gone ? [] : [change === made ? moved : change]));
}

/** Both ends of a move, as real paths. */
export interface PlannedMove {
  readonly from: string;
  readonly to: string;
}

/** The moves that a plan names. */
export function movesOf({ changes }: Plan): readonly PlannedMove[] {
  return changes.flatMap((change) => (change.action === 'modify' && change.from !== undefined ? [{ from: change.from, to: change.path }] : []));
}

/** Permission bits of a file that is gone again before it was looked at. */
const NEW_MODE = 0o644;

/**
 * A call's files as the call itself left them, when someone else may have changed them since: the text that it was to write, where it wrote it.
 * @param before the files before the call
 * @param now the files as they were found after it
 * @param failed whether the call failed: then it is taken to have written only what is there as it was to be
 */
export function leftByCall(
  { changes }: Plan,
  { before, now, failed }: { readonly before: readonly Seen[]; readonly now: readonly Seen[]; readonly failed: boolean },
): readonly Seen[] {
  const planned = new Map(changes.flatMap((change) => plannedFiles(change, before)).map(({ path, snapshot }) => [path, snapshot]));
  return now.map((seen, index) => {
    const wanted = planned.get(seen.path);
    // Of a notebook the plan has the text of the cells only.
    if (wanted === undefined || sameContent(versionOf(seen.snapshot), versionOf(wanted))) return seen;
    const was = before[index]?.snapshot ?? seen.snapshot;
    return { path: seen.path, snapshot: failed ? was : withModeOf(wanted, seen.snapshot, was) };
  });
}

function plannedFiles(change: FileChange, before: readonly Seen[]): readonly Seen[] {
  const { path } = change;
  if (change.action === 'delete') return [{ path, snapshot: { kind: 'absent' } }];
  const from = change.action === 'modify' ? (change.from ?? path) : path;
  const gone: readonly Seen[] = from === path ? [] : [{ path: from, snapshot: { kind: 'absent' } }];
  if (isNotebookPath(path)) return gone;
  const was = before.find((seen) => seen.path === from)?.snapshot;
  const encoding = was?.kind === 'file' && change.action === 'modify' ? decodeText(was.bytes)?.encoding : undefined;
  const bytes = encoded(change.text, encoding ?? 'utf8');
  // A text that its encoding does not have was not written.
  if (bytes === undefined) return gone;
  const mode = was?.kind === 'file' ? was.mode : NEW_MODE;
  return [...gone, { path, snapshot: { kind: 'file', hash: hashOf(bytes), mode, bytes, unsaved: false } }];
}

function encoded(text: string, encoding: Encoding): Uint8Array | undefined {
  try {
    return encodeText(text, encoding);
  } catch (error) {
    if (error instanceof ToolInputError) return undefined;
    throw error;
  }
}

/** The mode is no part of a plan: it is that of the file. */
function withModeOf(wanted: FileSnapshot, now: FileSnapshot, was: FileSnapshot): FileSnapshot {
  const file = [now, was].find((snapshot) => snapshot.kind === 'file');
  return wanted.kind === 'file' && file?.kind === 'file' ? { ...wanted, mode: file.mode } : wanted;
}
