import type { Session } from '../../domain/session/session.js';
import { encodeSession } from '../codec/encode.js';

/** A conversation as the bytes of a v1 file, which other programs and {@link SessionLibrary.import} take. */
export function exportJson({ id, systemPrompt, createdAt, updatedAt, messages }: Session): Uint8Array {
  return encodeSession({ id, systemPrompt, createdAt, updatedAt }, messages.map((message) => ({ message })));
}
