import type { SessionMeta } from '../../../domain/session-store.js';
import type { Session } from '../../../domain/session.js';
import { textContent } from '../../../domain/message-helpers.js';

/** A conversation as Markdown. */
export function exportMarkdown(session: Session, meta: SessionMeta): string {
  return [`# ${meta.title ?? ''}`, ...session.messages.map((message) => `## ${message.role}\n\n${textContent(message)}`)].join('\n\n');
}

/** A conversation as a v1 file. */
export function exportJson(session: Session): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(session));
}
