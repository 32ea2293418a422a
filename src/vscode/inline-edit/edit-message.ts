import { attachedBlock } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { text } from '../../domain/model/content.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';

/** Lines of the file before and after the code that go with it. */
const CONTEXT_LINES = 150;
/** Characters of them at most, on each side. */
const MAX_CONTEXT = 12_000;

/** The code that a message asks to change. */
export interface CodeInFile {
  /** Path as people read it. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly region: LineRegion;
}

/** What is said to the model: the code, what stands around it, and the person's words. */
export function editMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const code = lines.slice(region.start, region.end);
  const before = lines.slice(Math.max(0, region.start - CONTEXT_LINES), region.start).join('\n').slice(-MAX_CONTEXT);
  const after = lines.slice(region.end, region.end + CONTEXT_LINES).join('\n').slice(0, MAX_CONTEXT);
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [
    attachedBlock({ name: `edit of ${place}`, text: `${taskOf(place, code)}\n\nBefore it:\n${before}\n\nBehind it:\n${after}` }),
    attachedBlock({ name: place, text: code.join('\n') }),
    text(words),
  ];
}

/** What is said when the person wants the change to be another one. */
export function followUpMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [attachedBlock({ name: place, text: lines.slice(region.start, region.end).join('\n') }), text(words)];
}

function taskOf(place: string, code: readonly string[]): string {
  const what = code.every((line) => line.trim() === '')
    ? `The person wants code written at ${place}, which is blank now.`
    : `The person wants the code at ${place} changed; it is attached whole.`;
  return `${what} Call edit_selection once with the whole new text of those lines, and say nothing beside it. Lines that stay must stay as they are, character by character. Read other files only where the change depends on them.`;
}
