import { formatNumber, t } from '../../../src/protocol/l10n.js';
import { visibleText } from '../approval/visible-text.js';
import type { ViewChangeAuthor, ViewChangedFile } from '../../../src/protocol/view-state.js';

/** Lines added and removed. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** The lines of one file; `undefined` for one that is no text. */
export function countsOf({ added, removed }: Pick<ViewChangedFile, 'added' | 'removed'>): LineCounts | undefined {
  return added === undefined && removed === undefined ? undefined : { added: added ?? 0, removed: removed ?? 0 };
}

/** The lines of all files together; `undefined` when none of them is text. */
export function totalOf(files: readonly Pick<ViewChangedFile, 'added' | 'removed'>[]): LineCounts | undefined {
  const known = files.flatMap((file) => countsOf(file) ?? []);
  if (known.length === 0) return undefined;
  return known.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }));
}

/** A row of the list of files: an agent or the chat, with its files below, or a file. */
export type ChangeRow =
  | { readonly kind: 'author'; readonly author: ViewChangeAuthor; readonly files: number; readonly counts: LineCounts | undefined }
  /** `author`: whose part of it the row is about; absent where nobody but the chat has changed anything. */
  | { readonly kind: 'file'; readonly file: ViewChangedFile; readonly author?: ViewChangeAuthor };

const CHAT: ViewChangeAuthor = { id: '', name: '' };

/** The rows of the list: by who made the changes, as soon as an agent has made any. A file that several have changed is below each of them. */
export function changeRows(files: readonly ViewChangedFile[]): readonly ChangeRow[] {
  if (files.every(({ authors }) => authors === undefined)) return files.map((file) => ({ kind: 'file', file }));
  const groups = new Map<
    string,
    { readonly author: ViewChangeAuthor; readonly rows: { readonly file: ViewChangedFile; readonly author: ViewChangeAuthor }[] }
  >();
  for (const file of files) {
    for (const author of file.authors ?? [{ ...CHAT, ...countsOf(file) }]) {
      const group = groups.get(author.id) ?? { author, rows: [] };
      group.rows.push({ file, author });
      groups.set(author.id, group);
    }
  }
  return [...groups.values()].flatMap(({ author, rows }): readonly ChangeRow[] => [
    { kind: 'author', author, files: rows.length, counts: totalOf(rows.map((row) => row.author)) },
    ...rows.map((row): ChangeRow => ({ kind: 'file', ...row })),
  ]);
}

/** Who has made changes, in words. Hidden characters are visible. */
export function authorText({ id, name }: Pick<ViewChangeAuthor, 'id' | 'name'>): string {
  return id === CHAT.id ? t('This chat') : visibleText(name);
}

/** Such as "3 files". */
export function filesText(count: number): string {
  return count === 1 ? t('1 file') : t('{0} files', formatNumber(count));
}

/** Screen reader announcement when changes begin to wait. */
export function waitingText(count: number): string {
  return count === 1
    ? t('1 changed file is pending. Keep or undo its changes.')
    : t('{0} changed files are pending. Keep or undo their changes.', formatNumber(count));
}

/** A path as its folder, with the separator, and the name in it, so that the folder can be cut where there is little room. */
export function splitPath(display: string): { readonly folder: string; readonly name: string } {
  // A separator at the very end belongs to the name: there is always one.
  const inner = display.slice(0, -1);
  const end = Math.max(inner.lastIndexOf('/'), inner.lastIndexOf('\\')) + 1;
  return { folder: display.slice(0, end), name: display.slice(end) };
}
