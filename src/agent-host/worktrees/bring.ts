import { join } from 'node:path';
import { errorMessage, isAbortError } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import type { Documents, FileChange, TextFile } from '../../domain/workspace/documents.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import { decodeText } from '../../text/encoding.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { BroughtChanges, LeftFile } from '../../elf/brought.js';
import { changeSetOf, type FileChange as WorktreeChange, type Side } from '../../worktree/change-set.js';
import { compareWithMain, type ComparedChange } from '../../worktree/compare.js';
import { mergeVersions } from '../../worktree/merge-file.js';
import type { Worktree } from '../../worktree/record.js';
import type { MainRepository } from '../../worktree/repository.js';

/** A worktree, and how files of the checkout are read. */
export interface BringFrom {
  readonly worktree: Worktree;
  readonly main: MainRepository;
  readonly documents: Pick<Documents, 'read'>;
}

/** What becomes of one change: a change of the checkout, nothing because that is so already, or why it stays where it is. */
type One =
  | { readonly kind: 'change'; readonly change: FileChange; readonly merged: boolean; readonly shown: BroughtChanges['shown'][number] }
  | { readonly kind: 'same' }
  | { readonly kind: 'left'; readonly why: LeftFile['why'] };

/**
 * What a worktree has changed, as changes of the checkout that it was made of, each made from the version that is there now. A file that both have changed
 * is merged as Git does it; where they changed the same lines, it is left out. Nothing is written.
 * @throws GitFailure when the worktree cannot be read; the reason of the signal
 */
export async function bring({ worktree, main, documents }: BringFrom, signal: AbortSignal): Promise<BroughtChanges> {
  const set = await changeSetOf(worktree, main, signal);
  const compared = await compareWithMain(set, { worktree, main }, signal);
  const changes: FileChange[] = [];
  const shown: BroughtChanges['shown'][number][] = [];
  const left: LeftFile[] = [...set.nested, ...set.refused].map((path) => ({ path, why: 'not_a_file' }));
  let merged = 0;
  for (const each of compared) {
    const one = await oneOf(each, { main, documents }, signal);
    if (one.kind === 'left') left.push({ path: each.change.path, why: one.why });
    if (one.kind !== 'change') continue;
    changes.push(one.change);
    shown.push(one.shown);
    if (one.merged) merged += 1;
  }
  return { changes, shown, merged, left };
}

async function oneOf({ change, fit, main: there }: ComparedChange, from: Pick<BringFrom, 'main' | 'documents'>, signal: AbortSignal): Promise<One> {
  if (fit === 'same') return { kind: 'same' };
  const wanted = wantedText(change);
  if ('why' in wanted) return { kind: 'left', why: wanted.why };
  const path = join(from.main.root, change.path);
  const source = change.from === undefined ? path : join(from.main.root, change.from);
  if (change.base.kind === 'absent') {
    if (fit === 'conflict' || wanted.text === undefined) return { kind: 'left', why: 'conflict' };
    return made(change, { action: 'create', path, text: wanted.text }, { before: undefined, after: wanted.text, merged: false }, signal);
  }
  const before = await textAt(source, from.documents, signal);
  if (before === undefined) return { kind: 'left', why: fit === 'conflict' ? 'conflict' : 'not_text' };
  if (before.unsaved) return { kind: 'left', why: 'unsaved' };
  if (fit === 'clean') return changed(change, { path, source, before, after: wanted.text, merged: false }, signal);
  const after = change.from === undefined ? await mergedText(change, there, signal) : undefined;
  return after === undefined ? { kind: 'left', why: 'conflict' } : changed(change, { path, source, before, after, merged: true }, signal);
}

interface Changed {
  readonly path: string;
  readonly source: string;
  readonly before: TextFile;
  /** `undefined` for a file that is deleted. */
  readonly after: string | undefined;
  readonly merged: boolean;
}

async function changed(of: WorktreeChange, { path, source, before, after, merged }: Changed, signal: AbortSignal): Promise<One> {
  const base = { baseHash: before.hash };
  const versions = { before: before.text, after, merged };
  if (after === undefined) return made(of, { action: 'delete', path, ...base }, versions, signal);
  return made(of, { action: 'modify', path, text: after, ...base, ...(source === path ? {} : { from: source }) }, versions, signal);
}

interface Versions {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly merged: boolean;
}

async function made(
  { path: name, from: nameBefore }: WorktreeChange,
  change: FileChange,
  { before, after, merged }: Versions,
  signal: AbortSignal,
): Promise<One> {
  const diff = before === after ? '' : await unifiedDiff(name, { before, after, ...present({ nameBefore }) }, signal);
  const { path } = change;
  const from = change.action === 'modify' ? change.from : undefined;
  const shown = {
    kind: 'diff',
    name,
    path,
    diff,
    created: before === undefined,
    ...present({ from }),
    ...(after === undefined ? { deleted: true as const } : {}),
  } as const;
  return { kind: 'change', change, merged, shown };
}

/** The text that a worktree has of a file, none where it has deleted it; or why it is nothing that is written as text. */
function wantedText({ path, kind, base, now }: WorktreeChange): { readonly text: string | undefined } | { readonly why: LeftFile['why'] } {
  if (kind === 'mode') return { why: 'mode' };
  if (isNotebookPath(path)) return { why: 'notebook' };
  if (base.kind !== 'absent' && textOf(base) === undefined) return { why: whyNoText(base) };
  if (now.kind === 'absent') return { text: undefined };
  const text = textOf(now, base.kind === 'absent');
  return text === undefined ? { why: whyNoText(now) } : { text };
}

function whyNoText({ kind }: Side): LeftFile['why'] {
  return kind === 'file' || kind === 'not_read' ? 'not_text' : 'not_a_file';
}

/** @param asNew whether it is written as a new file, which is in UTF-8 */
function textOf(side: Side, asNew = false): string | undefined {
  const decoded = side.kind === 'file' ? decodeText(side.bytes) : undefined;
  return decoded === undefined || (asNew && decoded.encoding !== 'utf8') ? undefined : decoded.text;
}

async function textAt(path: string, documents: BringFrom['documents'], signal: AbortSignal): Promise<TextFile | undefined> {
  try {
    const file = await documents.read(path, signal);
    return file.kind === 'text' ? file : undefined;
  } catch (error) {
    if (isAbortError(error)) throw error;
    // It is not there, or is no file: then both have changed it.
    return undefined;
  }
}

async function mergedText({ base, now }: WorktreeChange, there: Side, signal: AbortSignal): Promise<string | undefined> {
  if (base.kind !== 'file' || now.kind !== 'file' || there.kind !== 'file') return undefined;
  const result = await mergeVersions({ base: base.bytes, main: there.bytes, worktree: now.bytes }, ['yours', 'base', 'worktree'], signal);
  return result.kind === 'merged' && result.conflicts === 0 ? decodeText(result.bytes)?.text : undefined;
}

/**
 * Writes changes, each where its file is still as it was when they were made.
 * @param documents which writes them
 * @returns those that could not be written, with why
 */
export async function write(
  changes: readonly FileChange[],
  documents: Pick<Documents, 'apply' | 'delete'>,
  signal: AbortSignal,
): Promise<readonly { readonly path: string; readonly problem: string }[]> {
  const failed: { readonly path: string; readonly problem: string }[] = [];
  for (const change of changes) {
    try {
      if (change.action === 'delete') await documents.delete(change, signal);
      else await documents.apply(change, signal);
    } catch (error) {
      signal.throwIfAborted();
      failed.push({ path: change.path, problem: errorMessage(error) });
    }
  }
  return failed;
}
