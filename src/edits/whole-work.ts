import { type Contents, type FileVersion, type FileSnapshot, sameContent, versionOf } from '../domain/workspace/changes.js';
import { t } from '../domain/l10n.js';
import { hashOf } from './blob-folder.js';
import { type FileReview, type LedgerEntry, type MadeChange, type Makers, stayingOf, type Undone, type WholeEntry } from './ledger-entry.js';
import type { EntryDeps } from './ledger-store.js';
import { moveOf, type Returning } from './move-back.js';
import { linesOf } from './differing-lines.js';
import { reviewText } from './text-review.js';
import type { MovingChange } from './text-work.js';
import { inSlices } from '../concurrency/steps.js';
import { cellText } from '../text/notebook/cell-text.js';
import { isNotebookPath, parseNotebook } from '../text/notebook/notebook.js';
import { withRuns } from '../text/notebook/rewrite-notebook.js';

/** Reviews and changes files that can only be kept or undone as a whole. */
export class WholeWork {
  constructor(private readonly deps: EntryDeps) {}

  /** The entry of a file after a call changed it. */
  async noted(known: LedgerEntry | undefined, makers: Makers, { path, before, after }: MadeChange): Promise<WholeEntry> {
    const entry = { kind: 'whole' as const, path, ...stayingOf(makers), before: await this.first(known, before), after: versionOf(after) };
    return { ...entry, ...moveOf(known?.movedFrom, path), ...(await this.cellsIn(path, after)) };
  }

  /** The entry of a file after a call moved it. @param known the entry of where it was */
  async moved(known: LedgerEntry | undefined, makers: Makers, { path, after, from }: MovingChange): Promise<WholeEntry> {
    const before = await this.first(known, from.snapshot);
    const origin = before.kind === 'absent' ? undefined : (known?.movedFrom ?? from.path);
    return { kind: 'whole', path, ...stayingOf(makers), before, after: versionOf(after), ...moveOf(origin, path), ...(await this.cellsIn(path, after)) };
  }

  private async cellsIn(path: string, snapshot: FileSnapshot): Promise<Pick<WholeEntry, 'cells'>> {
    const cells = await this.cellsOf(path, snapshot);
    return cells === undefined ? {} : { cells };
  }

  /**
   * Takes in what the user did before the agent continues, or undoes: cells that were only run stay so. `undefined` when
   * the file is not as the agent left it; what the user made of it since is theirs now.
   */
  async settled(entry: WholeEntry, snapshot: FileSnapshot): Promise<WholeEntry | undefined> {
    const { path, before, after, cells } = entry;
    const now = versionOf(snapshot);
    if (sameContent(now, after)) return entry;
    if (snapshot.kind !== 'file' || cells === undefined || (await this.cellsOf(path, snapshot)) !== cells) return undefined;
    const bytes = before.kind === 'file' ? await this.deps.store.content(before.hash) : undefined;
    const merged = bytes === undefined ? undefined : await this.withRuns(bytes, snapshot.bytes);
    if (before.kind !== 'file' || merged === undefined) return { ...entry, after: now };
    const hash = hashOf(merged);
    await this.deps.store.keep(hash, merged);
    return { ...entry, before: { ...before, hash }, after: now };
  }

  private async cellsOf(path: string, snapshot: FileSnapshot): Promise<string | undefined> {
    if (!isNotebookPath(path) || snapshot.kind !== 'file') return undefined;
    const text = await this.shown(path, snapshot.bytes);
    return text === undefined ? undefined : hashOf(Buffer.from(text));
  }

  /** A notebook with the outputs of a later one; `undefined` where one of them cannot be parsed. */
  private async withRuns(earlier: Uint8Array, later: Uint8Array): Promise<Uint8Array | undefined> {
    const [old, now] = [this.deps.codec.decode(earlier), this.deps.codec.decode(later)];
    if (old === undefined || now === undefined) return undefined;
    const [before, run] = [await inSlices(parseNotebook(old.text)), await inSlices(parseNotebook(now.text))];
    return 'problem' in before || 'problem' in run ? undefined : this.deps.codec.encode(withRuns(before, run), old.encoding);
  }

  /** The file as it is now; `undefined` when it is as it was before the agent. */
  async look(entry: WholeEntry): Promise<FileReview | undefined> {
    const { path, sessions, authors, before, after, movedFrom } = entry;
    const now = await this.deps.files.look(path);
    if (movedFrom === undefined && sameContent(versionOf(now), before)) return undefined;
    const bytes = before.kind === 'file' ? await this.deps.store.content(before.hash) : undefined;
    const baseline = bytes === undefined ? undefined : await this.shown(path, bytes);
    const deleted = after.kind === 'absent';
    const makers = { sessions, ...(authors === undefined ? {} : { authors }) };
    const about = { path, ...makers, created: before.kind === 'absent', deleted, ...moveOf(movedFrom, path), hunks: [], baseline };
    const present = isNotebookPath(path) && now.kind === 'file' ? await this.shown(path, now.bytes) : undefined;
    if (present !== undefined) return { ...about, present, lines: before.kind === 'skipped' ? undefined : await changedLines(baseline ?? '', present) };
    return { ...about, lines: deleted && baseline !== undefined ? { added: 0, removed: linesOf(baseline).length } : undefined };
  }

  /** A content as it is shown, notebooks as the text of their cells; `undefined` for what is no text. */
  private async shown(path: string, bytes: Uint8Array): Promise<string | undefined> {
    const text = this.deps.codec.decode(bytes)?.text;
    if (text === undefined || !isNotebookPath(path)) return text;
    const notebook = await inSlices(parseNotebook(text));
    return 'problem' in notebook ? text : (await inSlices(cellText(notebook))).text;
  }

  /** Puts the file back, when it is as the agent left it. */
  async undo(entry: WholeEntry): Promise<Undone> {
    const earlier = await this.earlier(entry);
    if ('refused' in earlier) return { entry, ...earlier };
    await this.deps.files.put(entry.path, versionOf(earlier.snapshot), earlier.contents);
    return { entry: undefined };
  }

  /** A file that was moved, to go back as it was before the agent. */
  async returning(entry: WholeEntry, movedFrom: string): Promise<Returning> {
    const earlier = await this.earlier(entry);
    if ('refused' in earlier) return earlier;
    const { snapshot, contents } = earlier;
    return contents === undefined ? { refused: lostWords() } : { moved: { path: entry.path, movedFrom, snapshot }, contents };
  }

  /** The file as it is now, which is as the agent left it, and as it was before. */
  private async earlier(entry: WholeEntry): Promise<Earlier> {
    const { path, movedFrom, after } = entry;
    if (entry.before.kind === 'skipped') return { refused: unknownWords() };
    // What is where the agent moved it and then deleted it is another file by now, whatever it is.
    const snapshot: FileSnapshot = movedFrom !== undefined && after.kind === 'absent' ? after : await this.deps.files.look(path);
    const settled = await this.settled(entry, snapshot);
    if (settled === undefined) return { refused: t('You have since changed it, so it was left unchanged.') };
    const { before } = settled;
    if (before.kind === 'skipped') return { refused: unknownWords() };
    if (before.kind === 'absent') return { snapshot, contents: undefined };
    const bytes = await this.deps.store.content(before.hash);
    return bytes === undefined ? { refused: lostWords() } : { snapshot, contents: { bytes, mode: before.mode } };
  }

  /** The file before the agent's first change, its content kept. */
  private async first(known: LedgerEntry | undefined, before: FileSnapshot): Promise<FileVersion> {
    if (known?.kind === 'whole') return known.before;
    if (known?.kind === 'text') {
      if (!known.existed && known.baseline === '') return { kind: 'absent' };
      const bytes = this.deps.codec.encode(known.baseline, known.encoding);
      const hash = hashOf(bytes);
      await this.deps.store.keep(hash, bytes);
      return { kind: 'file', hash, mode: known.mode };
    }
    if (before.kind === 'file') await this.deps.store.keep(before.hash, before.bytes);
    return versionOf(before);
  }
}

type Earlier = { readonly snapshot: FileSnapshot; readonly contents: Contents | undefined } | { readonly refused: string };

function unknownWords(): string {
  return t('Its earlier content is unknown, so it cannot be restored.');
}

function lostWords(): string {
  return t('Its earlier content is no longer available.');
}

async function changedLines(baseline: string, present: string): Promise<FileReview['lines']> {
  const { diffArrays } = await import('../text/diffs.js');
  const { hunks } = reviewText({ baseline, agent: present }, present, diffArrays);
  return { added: hunks.reduce((sum, { count }) => sum + count, 0), removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0) };
}
