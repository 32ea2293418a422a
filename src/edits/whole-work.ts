import { type FileVersion, type Sighting, sameContent, versionOf } from '../domain/workspace/changes.js';
import { t } from '../domain/l10n.js';
import { hashOf } from './blob-folder.js';
import type { FileReview, LedgerEntry, MadeChange, Undone, WholeEntry } from './ledger-entry.js';
import type { EntryDeps } from './ledger-store.js';
import { linesOf } from './text-review.js';

/** Reviews and changes files that can only be kept or undone as a whole. */
export class WholeWork {
  private readonly deps: EntryDeps;

  constructor(deps: EntryDeps) {
    this.deps = deps;
  }

  /** The entry of a file after a call changed it. */
  async noted(known: LedgerEntry | undefined, sessions: readonly string[], { path, before, after }: MadeChange): Promise<WholeEntry> {
    return { kind: 'whole', path, sessions, before: await this.first(known, before), after: versionOf(after) };
  }

  /** The file as it is now; `undefined` when it is as it was before the agent. */
  async look({ path, sessions, before, after }: WholeEntry): Promise<FileReview | undefined> {
    if (sameContent(versionOf(await this.deps.files.look(path)), before)) return undefined;
    const bytes = before.kind === 'file' ? await this.deps.store.content(before.hash) : undefined;
    const baseline = bytes === undefined ? undefined : this.deps.codec.decode(bytes)?.text;
    const deleted = after.kind === 'absent';
    const lines = deleted && baseline !== undefined ? { added: 0, removed: linesOf(baseline).length } : undefined;
    return { path, sessions, created: before.kind === 'absent', deleted, hunks: [], lines, baseline };
  }

  /** Puts the file back, when it is as the agent left it. */
  async undo(entry: WholeEntry): Promise<Undone> {
    const { path, before, after } = entry;
    if (before.kind === 'skipped') return { entry, refused: t('Its earlier content is unknown, so it cannot be restored.') };
    const now = versionOf(await this.deps.files.look(path));
    if (!sameContent(now, after)) return { entry, refused: t('You have since changed it, so it was left unchanged.') };
    if (before.kind === 'absent') {
      await this.deps.files.put(path, now, undefined);
      return { entry: undefined };
    }
    const bytes = await this.deps.store.content(before.hash);
    if (bytes === undefined) return { entry, refused: t('Its earlier content is no longer available.') };
    await this.deps.files.put(path, now, { bytes, mode: before.mode });
    return { entry: undefined };
  }

  /** The file before the agent's first change, its content kept. */
  private async first(known: LedgerEntry | undefined, before: Sighting): Promise<FileVersion> {
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
