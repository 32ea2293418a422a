import type { UserContent } from '../../domain/model/content.js';
import { text } from '../../domain/model/content.js';
import { shortened } from './shortened.js';

/** The most characters of one tool result that go to a model, some 25,000 to 30,000 tokens; whatever the tool allows itself. */
export const RESULT_CHARACTERS = 100_000;

/** Results that were cut, by what they were: the history is sent anew each round, and results never change. */
const cut = new WeakMap<readonly UserContent[], readonly UserContent[]>();

/** A tool result as it goes to a model: of too long a text only beginning and end. Pictures stay. */
export function cappedResult(content: readonly UserContent[]): readonly UserContent[] {
  const known = cut.get(content);
  if (known !== undefined) return known;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.reduce((total, each) => total + each.length, 0) <= RESULT_CHARACTERS) return content;
  const words = shortened(texts.join('\n'), RESULT_CHARACTERS, (left) => `[${left} characters of this result were left out here. Ask for a smaller part.]`);
  const capped = [text(words), ...content.filter((block) => block.type === 'image')];
  cut.set(content, capped);
  return capped;
}
