import { present } from '../domain/present.js';
import { type FileSnapshot, versionOf } from '../domain/workspace/changes.js';
import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import { t } from '../domain/l10n.js';
import {
  type ChangeChoice,
  type FileReview,
  type LedgerEntry,
  type MadeChange,
  type Makers,
  stayingOf,
  type TextCodec,
  type TextEntry,
  type Undone,
} from './ledger-entry.js';
import type { EntryDeps } from './ledger-store.js';
import { moveOf, type Returning } from './move-back.js';
import type { DiffArrays } from '../text/line-diff.js';
import { type Hunk, type TextPair, type TextReview, reviewText, type UndoneText } from './text-review.js';
import { type Passage, restored, untouched, written } from './authored-lines.js';
import { linesOf } from './differing-lines.js';
import { isNotebookPath } from '../text/notebook/notebook.js';
import { decodeText, encodeText, ENCODINGS } from '../text/encoding.js';

/** Texts with more characters are reviewed as a whole: comparing them would keep the host waiting. */
const MAX_TEXT = 2_000_000;

/** Reviews and changes text files. */
export class TextWork {
  constructor(
    private readonly deps: EntryDeps,
    private readonly diff: DiffArrays,
  ) {}

  /** The text of a file; `undefined` when it is not text, or too long. */
  textOf(snapshot: FileSnapshot): ReturnType<TextCodec['decode']> {
    const text = snapshot.kind === 'file' ? this.deps.codec.decode(snapshot.bytes) : undefined;
    return text === undefined || text.text.length > MAX_TEXT ? undefined : text;
  }

  /** The entry of a file after a call changed it; `undefined` when it cannot be reviewed as text. */
  noted(known: LedgerEntry | undefined, makers: Makers, { path, before, after }: MadeChange): TextEntry | undefined {
    // Lines of its JSON alone mean nothing.
    const now = isNotebookPath(path) ? undefined : this.textOf(after);
    if (now === undefined || after.kind !== 'file' || known?.kind === 'whole') return undefined;
    if (known !== undefined) return { ...known, ...this.withMakers(known, makers, now.text), encoding: now.encoding };
    const then = before.kind === 'absent' ? '' : this.textOf(before)?.text;
    if (then === undefined) return undefined;
    const mode = before.kind === 'file' ? before.mode : after.mode;
    const made = this.withMakers({ baseline: then, agent: then }, makers, now.text);
    return { kind: 'text', path, existed: before.kind === 'file', encoding: now.encoding, mode, baseline: then, ...made };
  }

  /** The entry of a file after a call moved it; `undefined` when it cannot be reviewed as text. @param known the entry of where it was */
  moved(known: LedgerEntry | undefined, makers: Makers, { path, after, from }: MovingChange): TextEntry | undefined {
    const now = isNotebookPath(path) ? undefined : this.textOf(after);
    if (now === undefined || after.kind !== 'file' || known?.kind === 'whole') return undefined;
    const here = { path, encoding: now.encoding };
    if (known !== undefined) {
      const { movedFrom = known.path, ...entry } = known;
      return { ...entry, ...this.withMakers(known, makers, now.text), ...here, ...moveOf(known.existed ? movedFrom : undefined, path) };
    }
    const then = this.textOf(from.snapshot)?.text;
    if (then === undefined) return undefined;
    const mode = from.snapshot.kind === 'file' ? from.snapshot.mode : after.mode;
    const made = this.withMakers({ baseline: then, agent: then }, makers, now.text);
    return { kind: 'text', ...here, existed: true, mode, baseline: then, ...made, ...moveOf(from.path, path) };
  }

  /** What of an entry is other when its file is changed, with who changed which lines where that is not always the chat. */
  private withMakers(known: TextPair, makers: Makers, agent: string): Pick<TextEntry, 'sessions' | 'authors' | 'passages' | 'agent'> {
    const made = { ...stayingOf(makers), agent };
    // Those of an entry whose agents are all gone from it still tell what its text was made from.
    const isChats = makers.authors === undefined && known.passages === undefined;
    return isChats ? made : { ...made, passages: written(this.passagesOf(known), linesOf(agent), makers.by, this.diff) };
  }

  private passagesOf({ baseline, agent, passages }: TextPair): readonly Passage[] {
    return passages ?? written([untouched(linesOf(baseline))], linesOf(agent), CHAT_AUTHOR, this.diff);
  }

  /** The entry after the user has restored its file to an earlier state. */
  restored(entry: TextEntry, agent: string): TextEntry {
    const { passages } = entry;
    return { ...entry, agent, ...(passages === undefined ? {} : { passages: restored(passages, linesOf(agent), this.diff) }) };
  }

  /** Takes in what the user did before the agent continues. Lines of the agent that they have changed are theirs now. */
  settled(entry: TextEntry, snapshot: FileSnapshot): TextEntry | undefined {
    const present = this.textOf(snapshot);
    return present === undefined ? undefined : { ...entry, ...reviewText(entry, present.text, this.diff).keep(({ edited }) => edited) };
  }

  /** The file as it is now; `undefined` when it is not there as a text. Without a review nothing of the agent is left. */
  async look(entry: TextEntry): Promise<{ readonly entry: TextEntry; readonly review: FileReview | undefined } | undefined> {
    const found = await this.reviewNow(entry);
    if (found === undefined) return undefined;
    const { hunks, pair } = found;
    const emptyNew = !entry.existed && pair.agent === '' && pair.baseline === '';
    const fresh = pair.baseline === entry.baseline && pair.agent === entry.agent ? entry : { ...entry, ...pair };
    return { entry: fresh, review: hunks.length > 0 || emptyNew || entry.movedFrom !== undefined ? reviewOf(fresh, hunks) : undefined };
  }

  /** The entry with some hunks kept; `undefined` when nothing is left to keep. */
  async kept(entry: TextEntry, chosen: ChangeChoice): Promise<TextEntry | undefined> {
    const review = await this.reviewNow(entry);
    return review === undefined ? undefined : { ...entry, existed: true, ...keptIn(review, chosen), ...remaining(entry, chosen) };
  }

  /** Undoes some hunks in the file. */
  async undo(entry: TextEntry, chosen: ChangeChoice): Promise<Undone> {
    const snapshot = await this.deps.files.look(entry.path);
    const present = this.textOf(snapshot);
    if (present === undefined) return { entry, refused: goneWords() };
    const review = reviewText(entry, present.text, this.diff);
    const { text, pair, left: edited } = undoneIn(review, chosen);
    const others = remaining(entry, chosen);
    const gone = text === '' && !entry.existed && pair.agent === '' && pair.baseline === '' && (others.authors ?? []).length === 0;
    if (gone || text !== present.text) {
      const mode = snapshot.kind === 'file' ? snapshot.mode : entry.mode;
      const wanted = gone ? undefined : { bytes: this.deps.codec.encode(text, present.encoding), mode };
      await this.deps.files.put(entry.path, versionOf(snapshot), wanted);
    }
    const left = gone ? undefined : { ...entry, ...pair, ...others };
    if (edited) return { entry: left, refused: keptLines() };
    return entry.movedFrom !== undefined && typeof chosen === 'object' ? { entry: left, refused: staysMoved() } : { entry: left };
  }

  /** A file that was moved, to go back with nothing undone but what the user has changed. */
  async returning(entry: TextEntry, movedFrom: string): Promise<Returning> {
    const { path } = entry;
    const snapshot = await this.deps.files.look(path);
    const present = this.textOf(snapshot);
    if (present === undefined || snapshot.kind !== 'file') return { refused: goneWords() };
    const review = reviewText(entry, present.text, this.diff);
    const { text } = review.undoAll();
    const bytes = text === present.text ? snapshot.bytes : this.deps.codec.encode(text, present.encoding);
    const back = { moved: { path, movedFrom, snapshot }, contents: { bytes, mode: snapshot.mode } };
    return review.hunks.some(({ edited }) => edited) ? { ...back, left: keptLines() } : back;
  }

  private async reviewNow(entry: TextEntry): Promise<TextReview | undefined> {
    const present = this.textOf(await this.deps.files.look(entry.path));
    return present === undefined ? undefined : reviewText(entry, present.text, this.diff);
  }
}

function keptIn(review: TextReview, chosen: ChangeChoice): TextPair {
  if (typeof chosen === 'function') return review.keep(chosen);
  return chosen === 'all' ? review.keep(() => true) : review.keepOf(chosen.author);
}

function undoneIn(review: TextReview, chosen: ChangeChoice): UndoneText {
  if (typeof chosen === 'function') return review.undo(chosen);
  return chosen === 'all' ? review.undoAll() : review.undoOf(chosen.author);
}

/** Those of whom something can be left when all of one was kept or undone. */
function remaining({ authors, movedFrom }: TextEntry, chosen: ChangeChoice): Pick<TextEntry, 'authors'> {
  if (authors === undefined || typeof chosen !== 'object') return {};
  // One of them has moved it.
  return { authors: movedFrom === undefined ? authors.filter(({ id }) => id !== chosen.author) : authors };
}

function staysMoved(): string {
  return t('The file stays where it is, as others have changed it, too. Undo all of its changes to move it back.');
}

/** A change that moved a file. */
export type MovingChange = MadeChange & Required<Pick<MadeChange, 'from'>>;

function goneWords(): string {
  return t('The file no longer exists or is no longer a text file.');
}

function keptLines(): string {
  return t('You have since changed some of the lines, so those were left unchanged.');
}

function reviewOf({ path, sessions, authors, existed, baseline, movedFrom }: TextEntry, hunks: readonly Hunk[]): FileReview {
  const added = hunks.reduce((sum, { count }) => sum + count, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  const moved = movedFrom === undefined ? {} : { movedFrom };
  // Of those that have moved or created it, none may have a hunk.
  const named = hunks.length === 0 || movedFrom !== undefined ? authors : authorsOfHunks(hunks);
  return { path, sessions, ...present({ authors: named }), created: !existed, deleted: false, ...moved, hunks, lines: { added, removed }, baseline };
}

function authorsOfHunks(hunks: readonly Hunk[]): readonly ChangeAuthor[] | undefined {
  const authors = new Map(hunks.map(({ by = CHAT_AUTHOR }) => [by.id, by]));
  return authors.size === 1 && authors.has(CHAT_AUTHOR.id) ? undefined : [...authors.values()];
}

/** Texts as the agent's tools read and write them. */
export const textCodec: TextCodec = {
  decode: decodeText,
  encode: (text, encoding) => {
    const known = ENCODINGS.find((name) => name === encoding);
    if (known === undefined) throw new Error(`Texts cannot be written as ${encoding}.`);
    return encodeText(text, known);
  },
};
