import { type Asked, type PromptParts, withData, type Written } from './prompt-text.js';

/**
 * Makes a message of what a user has written, as the message box of the window does: a command at its start is carried out, and what is mentioned behind `@`
 * is attached.
 * @throws Error with a sentence for the user for what cannot be sent; AbortError
 */
export async function askedFor(written: Written, parts: PromptParts): Promise<Asked> {
  const { words, mentioning = words, linked = [], attached = [], data } = written;
  // What looks for commands and mentions is large, and most prompts have none.
  if (words.startsWith('/') || mentioning.includes('@') || linked.length > 0) return (await import('./prompt-expansion.js')).expanded(written, parts);
  return { kind: 'message', content: withData(attached, words, data), options: {}, notes: [] };
}
