import type { UserContent } from '../../domain/content.js';
import { text } from '../../domain/content.js';
import { shortened } from './shortened.js';

/** The most characters of one tool result that go to a model, some 25,000 to 30,000 tokens; whatever the tool allows itself. */
export const RESULT_CHARACTERS = 100_000;

/** A tool result as it goes to a model: of too long a text only beginning and end. Pictures stay. */
export function cappedResult(content: readonly UserContent[]): readonly UserContent[] {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.reduce((total, each) => total + each.length, 0) <= RESULT_CHARACTERS) return content;
  const words = shortened(texts.join('\n'), RESULT_CHARACTERS, (left) => `[${left} characters of this result were left out here. Ask for a smaller part.]`);
  return [text(words), ...content.filter((block) => block.type === 'image')];
}
