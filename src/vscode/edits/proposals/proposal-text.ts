import type { Plan } from '../../../domain/tool/tool.js';
import { replaceAll } from '../../../tool/editing/replace.js';
import { inSlices } from '../../../concurrency/steps.js';
import { lineEndingsOf, withLineEndings } from '../../../text/line-endings.js';

/** The most characters of a document that VS Code shares with extensions (TextModel, _MODEL_SYNC_LIMIT). */
export const MAX_EDITOR_CHARACTERS = 50 * 1024 * 1024;

/** Whether an editor can show a text as what it is. */
export function fitsEditor(text: string): boolean {
  return text.length <= MAX_EDITOR_CHARACTERS && !text.includes('\0');
}

/** What of a call the user can change before they allow it; `undefined` when nothing: where a file is moved or deleted, that is not in its text. */
export function editableOf({ preview, changes: [change, ...more] }: Plan): 'command' | 'content' | undefined {
  if (preview.kind === 'command') return 'command';
  if (preview.kind !== 'diff' || preview.from !== undefined || change === undefined || more.length > 0) return undefined;
  return change.action !== 'delete' && fitsEditor(change.text) ? 'content' : undefined;
}

/**
 * What the user meant to write, given what an editor saved. An editor normalizes line endings and may put a byte-order mark
 * in front: where the proposal has mixed line endings, each line keeps its ending, and new lines get those of their
 * neighbors.
 */
export async function textOfSave(saved: string, proposed: string, signal: AbortSignal): Promise<string> {
  const text = saved.startsWith('\uFEFF') && !proposed.startsWith('\uFEFF') ? saved.slice(1) : saved;
  if (!['mixed', '\r'].includes(lineEndingsOf(proposed))) return text;
  // Only line endings that an editor changed on its own are no change of the user's.
  if (withLineEndings(text, '\n') === withLineEndings(proposed, '\n')) return proposed;
  const whole = { start: 0, end: proposed.length, text: withLineEndings(text, '\n') };
  return (await inSlices(replaceAll(proposed, [whole]), signal)).text;
}
