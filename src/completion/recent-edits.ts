/** Edits that are remembered. */
const MAX_EDITS = 8;
/** Lines of an edit at most. */
const MAX_LINES = 12;
/** Lines between two edits that count as one. */
const NEAR_LINES = 3;

/** Lines of a document that the user changed lately. */
export interface RecentEdit {
  /** Names the document. */
  readonly document: string;
  /** Number of the first changed line and of the one behind the last, counted from 0. */
  readonly first: number;
  readonly end: number;
}

/** A change of some lines into some lines. */
export interface LineChange {
  readonly document: string;
  readonly first: number;
  /** Number of lines before and after. */
  readonly before: number;
  readonly after: number;
}

/** Where the user worked lately: lines that were changed, the latest last. Their text is read when it is needed. */
export class RecentEdits {
  private edits: readonly RecentEdit[] = [];

  /** The edits, the latest last. */
  get all(): readonly RecentEdit[] {
    return this.edits;
  }

  /** Notes a change. One next to an earlier edit makes that larger. */
  note({ document, first, before, after }: LineChange): void {
    const moved = this.edits.map((edit) => (edit.document === document && edit.first >= first + before ? shifted(edit, after - before) : edit));
    const near = moved.find((edit) => edit.document === document && first <= edit.end + NEAR_LINES && first + after >= edit.first - NEAR_LINES);
    const end = first + after;
    const edit = near === undefined ? { document, first, end } : { document, first: Math.min(first, near.first), end: Math.max(end, near.end) };
    const clipped = edit.end - edit.first > MAX_LINES ? { document, first, end: Math.min(end, first + MAX_LINES) } : edit;
    this.edits = [...moved.filter((each) => each !== near), clipped].slice(-MAX_EDITS);
  }

  /** Forgets a document. */
  forget(document: string): void {
    this.edits = this.edits.filter((edit) => edit.document !== document);
  }
}

function shifted(edit: RecentEdit, lines: number): RecentEdit {
  return { ...edit, first: edit.first + lines, end: edit.end + lines };
}
