import type { UserContent } from '../../domain/content.js';

/**
 * What the person asks of a summary, when they typed `/compact`; empty when nothing in particular, `undefined` when the
 * message is another.
 * @throws Error when something is attached, which a summary has no use for.
 */
export function compactCommand(content: readonly UserContent[]): string | undefined {
  const last = content.at(-1);
  const match = last?.type === 'text' ? /^\s*\/compact(?:\s+([\s\S]*))?$/.exec(last.text) : null;
  if (match === null) return undefined;
  if (content.length > 1) throw new Error('/compact takes no attachments. Remove them, and send it again.');
  return match[1]?.trim() ?? '';
}
