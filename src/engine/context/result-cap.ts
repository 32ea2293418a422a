import { type UserContent, text } from '../../domain/model/content.js';

/** The most characters of one tool result that go to a model, some 25,000 to 30,000 tokens; whatever the tool allows itself. */
export const RESULT_CHARACTERS = 100_000;

/** Results that were cut, by what they were: the history is sent anew each round, and results never change. */
const capped = new WeakMap<readonly UserContent[], readonly UserContent[]>();

/** A tool result as it goes to a model: of too long a text only beginning and end. Images stay. */
export function cappedResult(content: readonly UserContent[]): readonly UserContent[] {
  const known = capped.get(content);
  if (known !== undefined) return known;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.reduce((total, each) => total + each.length, 0) <= RESULT_CHARACTERS) return content;
  const words = shortened(texts.join('\n'), RESULT_CHARACTERS, (left) => `[${left} characters of this result were left out here. Ask for a smaller part.]`);
  const result = [text(words), ...content.filter((block) => block.type === 'image')];
  capped.set(content, result);
  return result;
}

/// <reference lib="es2024.string" />

/**
 * Shortens a text to at most `characters` characters, plus the notice: keeps its beginning and end.
 * @param notice makes the text in place of what is left out; gets the number of omitted characters, with thousands marked.
 */
function shortened(text: string, characters: number, notice: (left: string) => string): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  const left = notice((text.length - 2 * half).toLocaleString('en-US'));
  // A cut may fall between the halves of a surrogate pair.
  return `${text.slice(0, half)}\n${left}\n${text.slice(text.length - half)}`.toWellFormed();
}

/** Without a notice of its own. */
export function cut(text: string, characters: number): string {
  return shortened(text, characters, (left) => `[${left} characters left out]`);
}
