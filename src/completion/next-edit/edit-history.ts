import type { TextEdit } from '../../text/text-edit.js';
import { type LineReplacement, replaced, smallest } from './line-replacement.js';

/** Edits that are remembered, and documents whose text is. */
const MAX_EDITS = 6;
const MAX_DOCUMENTS = 8;
/** Lines of an edit from which on it says nothing any more. */
const MAX_LINES = 200;
/** After a pause of this length an edit at the same place is another one, in milliseconds. */
const PAUSE_MS = 10_000;

/** Change of some lines of a document by the user's edits. */
export interface Edit extends LineReplacement {
  /** Names the document. */
  readonly document: string;
}

/**
 * The user's recent edits, as lines before and after. Editors do not say what was there before a change, so the lines of some
 * documents are kept.
 */
export class EditHistory {
  private readonly texts = new Map<string, readonly string[]>();
  private closed: readonly Edit[] = [];
  private open: (Edit & { readonly at: number }) | undefined;

  /** The edits, the latest last. Their line numbers are up to date for {@link latest} only. */
  get all(): readonly Edit[] {
    return this.latest === undefined ? this.closed : [...this.closed, this.latest];
  }

  /** The edit that the user is at; `undefined` when nothing is different from before it. */
  get latest(): Edit | undefined {
    return this.open;
  }

  /** Keeps the lines of a document, so that what is edited in it is known from now on. */
  follow(document: string, lines: readonly string[]): void {
    this.texts.delete(document);
    this.texts.set(document, lines);
    const [oldest] = this.texts.keys();
    if (this.texts.size > MAX_DOCUMENTS && oldest !== undefined) this.texts.delete(oldest);
  }

  /** The lines of a document that is followed. */
  linesOf(document: string): readonly string[] | undefined {
    return this.texts.get(document);
  }

  /**
   * Notes a change.
   * @param now in milliseconds
   * @returns what it did; `undefined` in a document that is not followed.
   */
  note(document: string, change: TextEdit, now: number): LineReplacement | undefined {
    const lines = this.texts.get(document);
    const done = lines === undefined ? undefined : replacementOf(change, lines);
    if (lines === undefined || done === undefined) return undefined;
    const isSameEdit = this.open?.document === document && now - this.open.at < PAUSE_MS && touches(this.open, done);
    const joined = smallest(isSameEdit && this.open !== undefined ? join(this.open, done, lines) : done);
    if (!isSameEdit) this.close();
    this.texts.set(document, replaced(lines, done));
    const isTelling = joined !== undefined && joined.before.length + joined.after.length <= MAX_LINES;
    this.open = isTelling ? { document, ...joined, at: now } : undefined;
    return done;
  }

  /** Forgets a document. */
  forget(document: string): void {
    this.texts.delete(document);
    this.closed = this.closed.filter((edit) => edit.document !== document);
    if (this.open?.document === document) this.open = undefined;
  }

  private close(): void {
    this.closed = this.all.slice(-MAX_EDITS);
    this.open = undefined;
  }
}

function replacementOf({ start, end, text }: TextEdit, lines: readonly string[]): LineReplacement | undefined {
  const [head, tail] = [lines[start.line], lines[end.line]];
  if (head === undefined || tail === undefined || end.line < start.line) return undefined;
  const after = `${head.slice(0, start.character)}${text}${tail.slice(end.character)}`.split(/\r\n|\r|\n/);
  return { first: start.line, before: lines.slice(start.line, end.line + 1), after };
}

/** Whether a change continues where an edit was, or on a line next to it. */
function touches(edit: LineReplacement, change: LineReplacement): boolean {
  return change.first <= edit.first + edit.after.length && edit.first <= change.first + change.before.length;
}

/** An edit and a change after it as one. @param lines those between the two */
function join(edit: LineReplacement, change: LineReplacement, lines: readonly string[]): LineReplacement {
  const [editEnd, changeEnd] = [edit.first + edit.after.length, change.first + change.before.length];
  const [from, to] = [Math.min(edit.first, change.first), Math.max(editEnd, changeEnd)];
  return {
    first: from,
    before: [...lines.slice(from, edit.first), ...edit.before, ...lines.slice(editEnd, to)],
    after: [...lines.slice(from, change.first), ...change.after, ...lines.slice(changeEnd, to)],
  };
}
