import { join } from 'node:path';
import { errorMessage, isAbortError } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import type { Documents, FileChange, TextFile } from '../../domain/workspace/documents.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import { decodeText, type DecodedText } from '../../text/encoding.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import type { AppliedFile, BroughtChanges, FileConflict, LeftFile } from '../../elf/brought.js';
import { appliedStanding } from '../../worktree/applied.js';
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
  /** Whether that counts, too, which was applied before. */
  readonly again?: boolean;
}

/** What becomes of one change: a change of the checkout, nothing because that is so already, or why it stays where it is. */
type One =
  | { readonly kind: 'change'; readonly change: FileChange; readonly merged: boolean; readonly shown: BroughtChanges['shown'][number] }
  | { readonly kind: 'same' }
  | { readonly kind: 'left'; readonly why: LeftFile['why']; readonly conflict?: Omit<FileConflict, 'applied'> };

/**
 * What a worktree has changed, as changes of the checkout that it was made of, each made from the version that is there now. A file that both have changed
 * is merged as Git does it; where they changed the same lines, it is left out. Nothing is written.
 * @throws GitFailure when the worktree cannot be read; the reason of the signal
 */
export async function bring({ worktree, main, documents, again = false }: BringFrom, signal: AbortSignal): Promise<BroughtChanges> {
  const standing = again ? undefined : await appliedStanding(worktree, main, signal);
  const set = await changeSetOf(worktree, main, signal, standing?.base);
  const compared = await compareWithMain(set, { worktree, main }, signal);
  const changes: FileChange[] = [];
  const shown: BroughtChanges['shown'][number][] = [];
  const left: LeftFile[] = [...set.nested, ...set.refused].map((path) => ({ path, why: 'not_a_file' }));
  const conflicts: FileConflict[] = [];
  const applied = new Map<string, readonly AppliedFile[]>();
  let count = 0;
  for (const each of withoutHalves(await allOf(compared, { main, documents }, signal))) {
    const { change, one } = each;
    const { path } = change;
    if (one.kind !== 'left') applied.set(join(main.root, path), appliedFiles(each));
    if (one.kind === 'left') left.push({ path, why: one.why });
    if (one.kind === 'left' && one.conflict !== undefined) conflicts.push({ ...one.conflict, applied: appliedFiles(each) });
    if (one.kind !== 'change') continue;
    changes.push(one.change);
    shown.push(one.shown);
    if (hasOtherMode(change)) left.push({ path, why: 'mode' });
    if (one.merged) count += 1;
  }
  const undone = shown.flatMap(({ name }) => (standing?.undone.has(name) === true ? [name] : []));
  return { changes, shown, merged: count, undone, left, conflicts, applied };
}

interface Outcomes extends ComparedChange {
  readonly one: One;
}

/** What of a change counts as applied once it is here: its content, and its mode only where the file here has that as well. */
function appliedFiles({ change: { path, from, base, now }, fit, main, one }: Outcomes): readonly AppliedFile[] {
  // The path that is shown of a file whose name is not in UTF-8 is that of no file.
  if (now.kind === 'submodule' || [base, now].some((side) => side.kind === 'not_read' && side.why === 'name')) return [];
  const version = now.kind === 'absent' ? undefined : { id: now.id, mode: modeOf(fit === 'same' ? now : base) };
  const replaced = one.kind === 'same' ? undefined : idOf(main);
  return [{ path, ...present({ version, replaced }) }, ...(from === undefined ? [] : [{ path: from, ...present({ replaced: replaced && idOf(base) }) }])];
}

function idOf(side: Side): string {
  return side.kind === 'absent' ? 'absent' : side.id;
}

function modeOf(side: Side): string {
  return side.kind === 'link' ? '120000' : 'mode' in side ? side.mode : '100644';
}

async function allOf(compared: readonly ComparedChange[], from: Pick<BringFrom, 'main' | 'documents'>, signal: AbortSignal): Promise<readonly Outcomes[]> {
  const all: Outcomes[] = [];
  // One after the other: each is read and compared.
  for (const each of compared) all.push({ ...each, one: await oneOf(each, from, signal) });
  return all;
}

/** Leaves all of a folder that has become a file, or a file that has become a folder, where not all of it can be taken over. */
function withoutHalves(all: readonly Outcomes[]): readonly Outcomes[] {
  const halves = new Set<Outcomes>();
  for (const outer of all) {
    for (const path of pathsOf(outer.change)) {
      const within = all.filter(({ change }) => pathsOf(change).some((inner) => inner.startsWith(`${path}/`)));
      const members = [outer, ...within];
      if (within.length > 0 && (!canTakePlace(outer, path) || members.some(({ one }) => one.kind === 'left'))) for (const each of members) halves.add(each);
    }
  }
  return all.map((each) => (halves.has(each) && each.one.kind === 'change' ? { ...each, one: { kind: 'left', why: 'folder' } } : each));
}

/** Whether a file can make room for a folder: it is deleted, or moved elsewhere. A folder is never deleted here. */
function canTakePlace({ change }: Outcomes, path: string): boolean {
  const goes = change.now.kind === 'absent' || (change.from === path && change.path !== path);
  return goes && !change.path.startsWith(`${path}/`);
}

function pathsOf({ path, from }: WorktreeChange): readonly string[] {
  return from === undefined ? [path] : [from, path];
}

async function oneOf({ change, fit, main: there }: ComparedChange, from: Pick<BringFrom, 'main' | 'documents'>, signal: AbortSignal): Promise<One> {
  if (fit === 'same') return { kind: 'same' };
  const wanted = wantedText(change);
  if ('why' in wanted) return { kind: 'left', why: wanted.why };
  const path = join(from.main.root, change.path);
  const source = change.from === undefined ? path : join(from.main.root, change.from);
  if (change.base.kind === 'absent') {
    if (fit === 'conflict' || wanted.text === undefined) {
      if (isOnlyMode(change.now, there)) return { kind: 'left', why: 'mode' };
      const own = there.kind === 'file' ? await textAt(path, from.documents, signal) : undefined;
      return left(change, { base: '', wanted: wanted.text, before: own }, signal);
    }
    return made(
      change,
      { action: 'create', path, text: wanted.text, encoding: wanted.encoding },
      { before: undefined, after: wanted.text, merged: false },
      signal,
    );
  }
  const before = await textAt(source, from.documents, signal);
  if (before === undefined) return { kind: 'left', why: fit === 'conflict' ? 'conflict' : 'not_text' };
  if (before.unsaved) return { kind: 'left', why: 'unsaved' };
  const versions = { base: textOf(change.base), wanted: wanted.text, before: before.text };
  if (fit === 'conflict' && (change.from !== undefined || there.kind !== 'file')) return { kind: 'left', why: 'conflict' };
  const outcome = fit === 'clean' ? rebased(versions) : await merged(versions, signal);
  if (outcome === undefined) return { kind: 'left', why: 'conflict' };
  if (outcome.conflicts === true) return left(change, { ...versions, before }, signal);
  const { text: after } = outcome;
  // Taken over but for its mode, or in another encoding.
  if (after === before.text && source === path) return hasOtherMode(change) ? { kind: 'left', why: 'mode' } : { kind: 'same' };
  return changed(change, { path, source, before, after, merged: fit === 'conflict' }, signal);
}

/** Texts of a file: that with which the worktree began and that which it has, each none where there is none, and that of the checkout. */
interface Versions {
  readonly base: string | undefined;
  readonly wanted: string | undefined;
  readonly before: string;
}

/** A text; none for a file that is deleted. */
interface Outcome {
  readonly text: string | undefined;
  /** Whether it has the marks of Git where both have changed the same lines. */
  readonly conflicts?: true;
}

/**
 * What becomes of a file that for Git is the one with which the worktree began. It can have other ends of lines all the same, and keeps them.
 * @returns `undefined` where more differs: a filter has not run, or the file was changed just now
 */
function rebased({ base, wanted, before }: Versions): Outcome | undefined {
  if (base === before) return { text: wanted };
  const ends = endsOf(before);
  if (base === undefined || ends === undefined || withEnds(base, ends) !== before) return undefined;
  return { text: wanted === undefined ? undefined : withEnds(wanted, ends) };
}

/** What stands in marks of conflicts. */
const MARKS: Parameters<typeof mergeVersions>[1] = ['yours', 'base', 'worktree'];

/** Merges what both have made of a file, from the text that is there now. @returns `undefined` where one of them is no text */
async function merged({ base, wanted, before }: Versions, signal: AbortSignal, names = MARKS): Promise<Outcome | undefined> {
  if (base === undefined || wanted === undefined) return undefined;
  const ends = endsOf(before);
  const [of, mine, theirs] = [base, before, wanted].map((text) => Buffer.from(ends === undefined ? text : withEnds(text, ends), 'utf8'));
  if (of === undefined || mine === undefined || theirs === undefined) return undefined;
  const result = await mergeVersions({ base: of, main: mine, worktree: theirs }, names, signal);
  if (result.kind !== 'merged') return undefined;
  const text = Buffer.from(result.bytes).toString('utf8');
  return result.conflicts === 0 ? { text } : { text, conflicts: true };
}

/** A file that stays in the worktree, with what the user needs to merge it where it can be. */
async function left(
  { path: name }: WorktreeChange,
  { base, wanted, before }: { readonly base: string | undefined; readonly wanted: string | undefined; readonly before: TextFile | undefined },
  signal: AbortSignal,
): Promise<One> {
  if (before?.unsaved === true) return { kind: 'left', why: 'unsaved' };
  if (base === undefined || wanted === undefined || before === undefined) return { kind: 'left', why: 'conflict' };
  const { path, hash, text: here } = before;
  const marked = (await merged({ base, wanted, before: here }, signal))?.text;
  const theirs = (await merged({ base, wanted, before: here }, signal, 'worktree'))?.text;
  if (marked === undefined || theirs === undefined) return { kind: 'left', why: 'conflict' };
  return { kind: 'left', why: 'conflict', conflict: { path, name, hash, base, here, there: wanted, marked, theirs } };
}

/** The only ends of lines of a text; `undefined` where it has several kinds. */
function endsOf(text: string): '\n' | '\r\n' | undefined {
  const lines = text.split('\n');
  const returns = lines.slice(0, -1).filter((line) => line.endsWith('\r')).length;
  return returns === 0 ? '\n' : returns === lines.length - 1 ? '\r\n' : undefined;
}

function withEnds(text: string, ends: '\n' | '\r\n'): string {
  return text.replaceAll(/\r?\n/g, ends);
}

/** Whether a file can be run now and could not before, or the other way round. */
function hasOtherMode({ base, now }: WorktreeChange): boolean {
  if (process.platform === 'win32' || now.kind !== 'file') return false;
  return base.kind === 'file' ? base.mode !== now.mode : base.kind === 'absent' && now.mode === '100755';
}

function isOnlyMode(one: Side, other: Side): boolean {
  return one.kind === 'file' && 'id' in other && 'mode' in other && one.id === other.id && one.mode !== other.mode;
}

interface Changed {
  readonly path: string;
  readonly source: string;
  readonly before: TextFile;
  /** `undefined` for a file that is deleted. */
  readonly after: string | undefined;
  readonly merged: boolean;
}

async function changed(of: WorktreeChange, { path, source, before, after, merged: isMerged }: Changed, signal: AbortSignal): Promise<One> {
  const base = { baseHash: before.hash };
  const versions = { before: before.text, after, merged: isMerged };
  if (after === undefined) return made(of, { action: 'delete', path, ...base }, versions, signal);
  return made(of, { action: 'modify', path, text: after, ...base, ...(source === path ? {} : { from: source }) }, versions, signal);
}

interface ShownVersions {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly merged: boolean;
}

async function made(
  { path: name, from: nameBefore }: WorktreeChange,
  change: FileChange,
  { before, after, merged: isMerged }: ShownVersions,
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
  return { kind: 'change', change, merged: isMerged, shown };
}

/** What a worktree has of a file: no text where it has deleted it. */
type WantedText = { readonly text: string; readonly encoding: DecodedText['encoding'] } | { readonly text: undefined };

/** What a worktree has of a file, or why it is nothing that is written as text. */
function wantedText({ path, kind, base, now }: WorktreeChange): WantedText | { readonly why: LeftFile['why'] } {
  if (kind === 'mode') return { why: 'mode' };
  if (isNotebookPath(path)) return { why: 'notebook' };
  if (base.kind !== 'absent' && textOf(base) === undefined) return { why: whyNoText(base) };
  if (now.kind === 'absent') return { text: undefined };
  return decoded(now) ?? { why: whyNoText(now) };
}

function whyNoText(side: Side): LeftFile['why'] {
  const { kind } = side;
  if (kind === 'not_read' && side.why === 'name') return 'name';
  if (kind === 'not_read' && side.why === 'filter_failed') return 'filter';
  return kind === 'file' || kind === 'not_read' ? 'not_text' : 'not_a_file';
}

function textOf(side: Side): string | undefined {
  return decoded(side)?.text;
}

function decoded(side: Side): DecodedText | undefined {
  return side.kind === 'file' ? decodeText(side.bytes) : undefined;
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

/** Writes a change where its file is still as it was when it was made. @returns why it could not be written. @throws the reason of the signal */
export async function write(change: FileChange, documents: Pick<Documents, 'apply' | 'delete'>, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (change.action === 'delete') await documents.delete(change, signal);
    else await documents.apply(change, signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return errorMessage(error);
  }
}
