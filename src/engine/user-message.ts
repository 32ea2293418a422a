import { InvalidDataError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { UserContent } from '../domain/model/content.js';
import type { Timestamp, UserMessage } from '../domain/model/message.js';
import { validateMessage } from '../domain/model/validate.js';

/**
 * Makes a user message.
 * @throws InvalidDataError when it is invalid or empty.
 */
export function userMessage(content: readonly UserContent[], timestamp: Timestamp): UserMessage {
  const message: UserMessage = { role: 'user', content: [...content], timestamp };
  validateMessage(message);
  if (content.every((block) => block.type === 'text' && block.text.trim() === '')) {
    throw new InvalidDataError('message.content', t('The message is empty. Write something or attach a file.'));
  }
  return message;
}
