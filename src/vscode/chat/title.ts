import type { Message } from '../../domain/message.js';
import { textContent } from '../../domain/message-helpers.js';

/** Characters of a title. */
const MAX_TITLE = 60;

/** A title for a conversation: the first line of the person's first message; `undefined` without one. */
export function titleOf(messages: readonly Message[]): string | undefined {
  const first = messages.find((message) => message.role === 'user');
  const line = first === undefined ? '' : textContent(first).trim().split(/\s*\n/, 1)[0];
  if (line === undefined || line === '') return undefined;
  const characters = [...new Intl.Segmenter().segment(line)].map((part) => part.segment);
  return characters.length <= MAX_TITLE ? line : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}
