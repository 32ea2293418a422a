/** Lines of a text, from `start` up to but without `end`, that become others. Lines are counted from 0 and have no endings. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** The lines with an edit applied. */
export function withEdit(text: readonly string[], { start, end, lines }: LineEdit): readonly string[] {
  return [...text.slice(0, start), ...lines, ...text.slice(end)];
}

/** Number of lines that an edit adds; negative if it removes some. */
export function growthOf({ start, end, lines }: LineEdit): number {
  return lines.length - (end - start);
}

/** A change of a text by its lines: those from `start` up to `end` became `count` others. */
export interface LineShift {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** A change as editors report it: a range of characters and the text in its place. */
export interface TypedChange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly text: string;
}

/** The lines that a change affects. One that adds or removes whole lines affects no other line. */
export function shiftOf({ start, end, text }: TypedChange): LineShift {
  const breaks = text.split(/\r\n|\r|\n/).length - 1;
  const whole = start.character === 0 && end.character === 0 && (text === '' || /[\r\n]$/.test(text));
  if (whole) return { start: start.line, end: end.line, count: breaks };
  return { start: start.line, end: end.line + 1, count: breaks + 1 };
}

/** Where a line is after a change; one within the change comes to its beginning. */
export function movedLine(line: number, { start, end, count }: LineShift): number {
  if (line >= end) return line + count - (end - start);
  return Math.min(line, start);
}

/** Lines of a text, from `start` up to but without `end`. */
export interface LineRegion {
  readonly start: number;
  readonly end: number;
}

/** Where lines are after a change that the user made; what is added right before or after them is not among them. */
export function movedRegion({ start, end }: LineRegion, shift: LineShift): LineRegion {
  const first = movedLine(start, shift);
  const behind = shift.start >= end ? end : movedLine(Math.max(end, shift.end), shift);
  return { start: first, end: Math.max(first, behind) };
}

/** Where the lines of a finding are after an edit. When all are deleted, lines inserted in their place count as them. */
export function followed(region: LineRegion, shift: LineShift): LineRegion {
  const refilled = region.start === region.end && shift.start === region.start && shift.end === region.end;
  return refilled ? { start: region.start, end: region.end + shift.count } : movedRegion(region, shift);
}
