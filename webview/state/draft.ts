/** A message on its way to the host. */
export interface PendingSend {
  readonly sendId: string;
  readonly text: string;
}

/** The text that stays in the composer when the host took a message: what was written since. */
export function textAfterSend(current: string, sent: string): string {
  if (current === sent) return '';
  return current.startsWith(sent) ? current.slice(sent.length).trimStart() : current;
}

/** The draft that the page stored before it was closed; empty when there is none. */
export function storedDraft(stored: unknown): string {
  if (typeof stored !== 'object' || stored === null || !('draft' in stored)) return '';
  return typeof stored.draft === 'string' ? stored.draft : '';
}
