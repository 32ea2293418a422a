import type { ContentBlock, TextBlock } from './content.js';
import { text } from './content.js';

/** What a person attached to a message, beside pictures. */
export interface Attached {
  /** How it is listed under the message, such as `src/a.ts:10-20` or `3 problems`. */
  readonly name: string;
  /** What the model gets of it. */
  readonly text: string;
}

/** What the model and the person read in place of words that were not written. */
const NO_WORDS = 'See what is attached.';
/** The whole of a framed block. The tag is repeated at the end, and cannot stand in between. */
const FRAMED = /^<(attached(?:-\d+)?) name="([^"\n<>]*)">\n[\s\S]*\n<\/\1>$/;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;', '\n': ' ', '\r': ' ' };

/**
 * Frames what was attached as a text block of its own. What is attached can end the frame nowhere but at its end: where it
 * holds the closing tag, another tag is taken.
 */
export function attachedBlock({ name, text: content }: Attached): TextBlock {
  const tag = tagFor(content);
  return text(`<${tag} name="${name.replace(/[&"<>\n\r]/g, (character) => ESCAPES[character] ?? '')}">\n${content}\n</${tag}>`);
}

/** A message of the person: what is attached stands before the words, and words there always are behind attached text. */
export function withWords<Block extends ContentBlock>(attached: readonly Block[], words: string): readonly (Block | TextBlock)[] {
  if (words.trim() !== '') return [...attached, text(words)];
  const last = attached.at(-1);
  return last !== undefined && isFramed(last) ? [...attached, text(NO_WORDS)] : attached;
}

/**
 * The words of the person: the text of a message without what is attached. The last block of a message is never taken for
 * something attached, so that whatever a person types is shown.
 */
export function wordsOf({ content }: { readonly content: readonly ContentBlock[] }): string {
  return content.map((block, index) => (block.type === 'text' && attachedName(content, index) === undefined ? block.text : '')).join('');
}

/** What is listed under a message of the person: its pictures, numbered, and the names of what else is attached. */
export function attachedNames({ content }: { readonly content: readonly ContentBlock[] }): readonly string[] {
  let images = 0;
  return content.flatMap((block, index) => {
    if (block.type === 'image') return [`Image ${(images += 1)}`];
    const name = attachedName(content, index);
    return name === undefined ? [] : [name];
  });
}

function attachedName(content: readonly ContentBlock[], index: number): string | undefined {
  const block = content[index];
  if (block?.type !== 'text' || index === content.length - 1) return undefined;
  const name = FRAMED.exec(block.text)?.[2];
  return name?.replace(/&(?:amp|quot|lt|gt);/g, (escape) => Object.keys(ESCAPES).find((character) => ESCAPES[character] === escape) ?? escape);
}

function isFramed(block: ContentBlock): boolean {
  return block.type === 'text' && FRAMED.test(block.text);
}

function tagFor(content: string): string {
  for (let number = 1; ; number += 1) {
    const tag = number === 1 ? 'attached' : `attached-${number}`;
    if (!content.includes(`</${tag}`)) return tag;
  }
}
