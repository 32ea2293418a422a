import { wordsOf } from '../../domain/session/attached.js';
import { ranCommandIn } from '../../domain/session/ran-command.js';
import type { Message } from '../../domain/model/message.js';

/** Messages that can be gone back to. */
const MAX_TEXTS = 200;
/** Characters of all of them. */
const MAX_CHARACTERS = 500_000;

/**
 * The user's messages in a conversation, oldest first, without repetitions. For a command, the typed text, not the expanded one.
 */
export function saidIn(messages: readonly Message[]): readonly string[] {
  const texts: string[] = [];
  let room = MAX_CHARACTERS;
  for (const message of messages.toReversed()) {
    const words = message.role === 'user' ? typedIn(message) : '';
    if (words.trim() === '' || words === texts.at(-1)) continue;
    room -= words.length;
    if (room < 0 || texts.length === MAX_TEXTS) break;
    texts.push(words);
  }
  return texts.reverse();
}

/** The words of a message; of a command of a file, as it was typed. */
function typedIn(message: Message): string {
  const command = ranCommandIn(message);
  if (command === undefined) return wordsOf(message);
  return command.argument === '' ? command.name : `${command.name} ${command.argument}`;
}
