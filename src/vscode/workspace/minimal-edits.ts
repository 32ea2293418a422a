/** A range of a text, as offsets, and what it becomes. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** After this many milliseconds the search for the smallest difference ends; the edit is then one larger range. */
const PATIENCE_MS = 250;

/**
 * The few small edits that turn one text into another, in rising order and apart from each other, so that cursors,
 * markers and folds outside of them stay where they are. No edit begins or ends inside a character or a CRLF.
 */
export async function minimalEdits(before: string, after: string): Promise<readonly TextEdit[]> {
  if (before === after) return [];
  const { diffArrays } = await import('diff');
  const parts = diffArrays(linesOf(before), linesOf(after), { timeout: PATIENCE_MS });
  const edits = parts === undefined ? [{ start: 0, end: before.length, text: after }] : editsOf(parts);
  return edits.map((edit) => narrowed(before, edit)).filter((edit) => edit.start < edit.end || edit.text !== '');
}

interface Part {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

function editsOf(parts: readonly Part[]): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let offset = 0;
  let open: TextEdit | undefined;
  for (const part of parts) {
    const text = part.value.join('');
    if (part.added !== true && part.removed !== true) {
      if (open !== undefined) edits.push(open);
      open = undefined;
      offset += text.length;
      continue;
    }
    open ??= { start: offset, end: offset, text: '' };
    if (part.added === true) open = { ...open, text: open.text + text };
    else offset += text.length;
    open = { ...open, end: offset };
  }
  return open === undefined ? edits : [...edits, open];
}

/** The edit without what it leaves the same at both ends. */
function narrowed(before: string, edit: TextEdit): TextEdit {
  const old = before.slice(edit.start, edit.end);
  const most = Math.min(old.length, edit.text.length);
  let head = 0;
  while (head < most && old[head] === edit.text[head]) head += 1;
  if (divides(old, head) || divides(edit.text, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === edit.text[edit.text.length - 1 - tail]) tail += 1;
  if (divides(old, old.length - tail) || divides(edit.text, edit.text.length - tail)) tail -= 1;
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

/** Whether an offset lies inside a CRLF or a surrogate pair. */
function divides(text: string, offset: number): boolean {
  return /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(offset - 1, 0), offset + 1));
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
