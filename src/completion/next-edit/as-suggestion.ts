import type { Suggestion } from '../suggestion.js';
import type { LineReplacement } from './line-replacement.js';
import type { TextPosition } from '../../text/text-edit.js';

/**
 * A change as text behind the cursor.
 * @param line that of the cursor, as it is now
 * @returns `undefined` when it is not one that only adds there.
 */
export function asSuggestion({ first, before, after }: LineReplacement, cursor: TextPosition, line: string): Suggestion | undefined {
  const [head, tail] = [line.slice(0, cursor.character), line.slice(cursor.character)];
  if (before.length === 0 && first === cursor.line + 1 && tail === '') return { text: `\n${after.join('\n')}`, replaces: 0 };
  if (before.length !== 1 || before[0] !== line || first !== cursor.line) return undefined;
  const next = after.join('\n');
  const fits = next.length > line.length && next.startsWith(head) && next.endsWith(tail) && (tail === '' || after.length === 1);
  return fits ? { text: next.slice(head.length, next.length - tail.length), replaces: 0 } : undefined;
}
