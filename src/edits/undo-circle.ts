import { basename, dirname, extname, join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { type ChangedFiles, versionOf } from '../domain/workspace/changes.js';
import { hashOf } from './blob-folder.js';
import type { LedgerEntry, Refusal } from './ledger-entry.js';
import { isUnsaved, moveBack, type Return, type Returning, unsavedWords } from './move-back.js';

/** Notes that a file under review is elsewhere from now on; `undefined`: it is back, and nothing of it is under review. */
export type NoteMoved = (from: string, to: string | undefined) => Promise<void>;

/** The files of a circle when all of them can be moved, else why not. */
export async function wholeCircle(
  entries: readonly LedgerEntry[],
  returning: (entry: LedgerEntry) => Promise<Returning>,
): Promise<{ readonly all: readonly Return[] } | { readonly refused: readonly Refusal[] }> {
  const all: Return[] = [];
  const causes: Refusal[] = [];
  for (const entry of entries) {
    const found = await returning(entry).catch((error: unknown) => ({ refused: errorMessage(error) }));
    const { path } = entry;
    if ('refused' in found) causes.push({ path, why: found.refused });
    else if (isUnsaved(found.moved.snapshot)) causes.push({ path, why: unsavedWords() });
    else all.push(found);
  }
  if (causes.length === 0) return { all };
  const names = causes.map(({ path }) => path).join(', ');
  const why = t('The file can only be moved back together with {0}, so it was left where it is.', names);
  return { refused: [...causes, ...all.map(({ moved }) => ({ path: moved.path, why }))] };
}

/**
 * Undoes the moves of files that have changed places: one steps aside, so that each of the others finds its place free. Every file is always
 * at a path that is noted as its own, so that what could not be finished stays under review, and can be undone later.
 * @param circle each was where the next one is now
 */
export async function undoCircle(circle: readonly Return[], files: ChangedFiles, note: NoteMoved): Promise<readonly Refusal[]> {
  const [first, ...others] = circle;
  if (first === undefined) return [];
  let at = first.moved.path;
  const refused: Refusal[] = [];
  try {
    at = await stepAside(first, files, note);
    for (const { moved, contents, left } of [...others.reverse(), { ...first, moved: { ...first.moved, path: at } }]) {
      const why = await tried(() => moveBack(files, moved, contents));
      if (why !== undefined) return [...refused, { path: moved.path, why }, ...(await backInPlace(first, at, files, note))];
      await note(moved.path, undefined);
      if (left !== undefined) refused.push({ path: moved.movedFrom, why: left });
    }
    return refused;
  } catch (error) {
    return [...refused, { path: at, why: errorMessage(error) }];
  }
}

/** Moves a file to a name of its own beside where it is, which is returned. It is noted there before it is gone from here. */
async function stepAside({ moved: { path, snapshot } }: Return, files: ChangedFiles, note: NoteMoved): Promise<string> {
  if (snapshot.kind !== 'file') throw new Error(t('The file changed in the meantime and was skipped.'));
  const aside = await freeBeside(path, files);
  await files.put(aside, { kind: 'absent' }, { bytes: snapshot.bytes, mode: snapshot.mode });
  try {
    await note(path, aside);
    await files.put(path, versionOf(snapshot), undefined);
  } catch (error) {
    await files.put(aside, versionOf(snapshot), undefined);
    await note(aside, path);
    throw error;
  }
  return aside;
}

/** Puts the file that stepped aside back when its place is still free, else says where it is. */
async function backInPlace({ moved: { path, snapshot } }: Return, aside: string, files: ChangedFiles, note: NoteMoved): Promise<readonly Refusal[]> {
  const now = await files.look(aside);
  if (now.kind === 'absent' || snapshot.kind !== 'file') return [];
  const contents = { bytes: snapshot.bytes, mode: snapshot.mode };
  const same = now.kind === 'file' && now.hash === hashOf(snapshot.bytes);
  if (same && (await tried(() => moveBack(files, { path: aside, movedFrom: path, snapshot: now }, contents))) === undefined) {
    await note(aside, path);
    return [];
  }
  return [{ path: aside, why: t('This file was at {0} and is here for now. Undo it again to move it back.', path) }];
}

async function tried(move: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await move();
  } catch (error) {
    return errorMessage(error);
  }
}

/** A path beside a file at which nothing is, with the same extension: the kind of the file stays known. */
async function freeBeside(path: string, files: ChangedFiles): Promise<string> {
  const extension = extname(path);
  const stem = join(dirname(path), basename(path, extension));
  for (let count = 1; ; count += 1) {
    const free = `${stem}.undo${count === 1 ? '' : `-${count}`}${extension}`;
    if ((await files.look(free)).kind === 'absent') return free;
  }
}
