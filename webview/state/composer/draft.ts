/** A message that is being sent to the host. */
export interface PendingSend {
  readonly sendId: string;
  readonly text: string;
}

/** Draft text of a conversation. */
export interface WrittenDraft {
  /** Id of the conversation; empty while it is not known. */
  readonly session: string;
  readonly text: string;
  /** When it was written, in milliseconds since 1970; 0 when that is not known. */
  readonly at: number;
}

/** The text that stays in the composer when the host took a message: what was written since. */
export function textAfterSend(current: string, sent: string): string {
  if (current === sent) return '';
  return current.startsWith(sent) ? current.slice(sent.length).trimStart() : current;
}

/** Text that was added since an earlier version. */
export function textSince(current: string, before: string): string {
  return current.startsWith(before) ? current.slice(before.length) : current;
}

/** The draft that the page stored before it was closed; empty when there is none. */
export function storedDraft(stored: unknown): WrittenDraft {
  const fields: Readonly<Record<string, unknown>> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { draft, session, at } = { draft: fields['draft'], session: fields['draftSession'], at: fields['draftAt'] };
  if (typeof draft !== 'string') return { session: '', text: '', at: 0 };
  return { session: typeof session === 'string' ? session : '', text: draft, at: typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 ? at : 0 };
}

/** A text that comes back to the composer, in front of what is there. */
export function inFront(text: string, current: string): string {
  return current.trim() === '' || current === text ? text : `${text}\n\n${current}`;
}
