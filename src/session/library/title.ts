import { wordsOf } from '../../domain/session/attached.js';
import { t } from '../../domain/l10n.js';
import type { Message } from '../../domain/model/message.js';

/** The most graphemes of a title in the history. */
const MAX_GRAPHEMES = 80;
/** Only so much of a text is looked at. */
const MAX_LOOKED_AT = 2_000;

/** The title of a conversation that says nothing. */
export function untitled(): string {
  return t('Untitled Chat');
}

/** One line of at most 80 visible characters, none of them cut in half. Empty text gives `undefined`. */
export function shortTitle(text: string): string | undefined {
  const line = text
    .slice(0, MAX_LOOKED_AT)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, (match) => (/^\u200d+$/.test(match) ? match : ' '))
    .trim();
  if (line === '') return undefined;
  const graphemes = firstGraphemes(line, MAX_GRAPHEMES + 1);
  if (graphemes.length <= MAX_GRAPHEMES && text.length <= MAX_LOOKED_AT) return wellFormedEnd(line);
  return `${wellFormedEnd(
    graphemes
      .slice(0, MAX_GRAPHEMES - 1)
      .join('')
      .trimEnd(),
  )}…`;
}

let segmenter: Intl.Segmenter | undefined;

/** A segmenter takes long to make, and plain text needs none. */
function firstGraphemes(line: string, count: number): readonly string[] {
  if (/^[ -~]*$/.test(line)) return Array.from(line.slice(0, count));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const graphemes: string[] = [];
  for (const { segment } of segmenter.segment(line)) {
    graphemes.push(segment);
    if (graphemes.length === count) break;
  }
  return graphemes;
}

/** The title from the user's first text; `undefined` when there is none. */
export function titleOf(messages: Iterable<Message>): string | undefined {
  for (const message of messages) {
    const title = message.role === 'user' ? shortTitle(wordsOf(message)) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Half a surrogate pair, where the text was cut to look at, becomes nothing. */
function wellFormedEnd(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '');
}
