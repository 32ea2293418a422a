import type { Request } from '../../domain/model/provider.js';
import { textContent } from '../../domain/model/message-helpers.js';

/** What the script says when it is asked to summarise a conversation, which comes as JSON, one message a line. */
export function summaryStep({ messages }: Pick<Request, 'messages'>): string {
  const last = messages.at(-1);
  const lines = last === undefined ? [] : textContent(last).split('\n');
  const asked = lines.flatMap(requestIn).map((text) => `- ${text.replaceAll('\n', ' ')}`);
  return ['This is the scripted demo model. It keeps what was asked for and forgets the rest.', '## Request', ...asked].join('\n');
}

/** What the person said, in a line that holds a message of theirs. */
function requestIn(line: string): readonly string[] {
  if (!line.startsWith('{')) return [];
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // A line that is no message, such as one of the instructions around them.
    return [];
  }
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'role') !== 'user') return [];
  const said: unknown = Reflect.get(message, 'text');
  return typeof said === 'string' ? [said] : [];
}
