import type { Plan } from '../domain/tool/tool.js';

/** The most characters of a document that VS Code shares with extensions (TextModel, _MODEL_SYNC_LIMIT). */
export const MAX_EDITOR_CHARACTERS = 50 * 1024 * 1024;

/** Whether an editor can show a text as what it is. */
export function fitsEditor(text: string): boolean {
  return text.length <= MAX_EDITOR_CHARACTERS && !text.includes('\0');
}

/** The part of a call that the user can edit before they allow it; `undefined` for none, such as when a file is moved or deleted. */
export function editableOf({ preview, changes: [change, ...more] }: Plan): 'command' | 'content' | undefined {
  if (preview.kind === 'command') return 'command';
  if (preview.kind !== 'diff' || preview.from !== undefined || change === undefined || more.length > 0) return undefined;
  return change.action !== 'delete' && fitsEditor(change.text) ? 'content' : undefined;
}
