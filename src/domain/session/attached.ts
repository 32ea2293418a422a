import { type ContentBlock, type TextBlock, text } from '../model/content.js';

/** Text attachment of a message. */
export interface Attached {
  /** Name in the list under the message, such as `src/a.ts:10-20` or `3 problems`. */
  readonly name: string;
  /** Content for the model. */
  readonly text: string;
}

/**
 * Frame notes that go with a message and are not shown: facts about where the agent works, instructions that have changed, which skills there are, and what
 * hooks say.
 */
const ENVIRONMENT = 'environment';
const INSTRUCTIONS = 'instructions';
const SKILLS = 'skills';
const HOOKS = 'hook-output';
/** A whole frame of such a note. */
const FRAMED_NOTE = /^<((?:environment|instructions|skills|hook-output)(?:-\d+)?)>\n([\s\S]*)\n<\/\1>$/;
/** Notes of one message at most: one of each kind. */
const MAX_NOTES = 4;
/** The text of a message that has attachments only. */
const NO_WORDS = 'See what is attached.';
/** A whole framed block. The tag is repeated at the end and cannot occur in between. A skill that the user activated is shown in the same way. */
const FRAMED = /^<((?:attached|skill)(?:-\d+)?) name="([^"\n<>]*)">\n[\s\S]*\n<\/\1>$/;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;', '\n': ' ', '\r': ' ' };

/**
 * Frames an attachment as a text block of its own. The content cannot close the frame early: where it contains the closing
 * tag, another tag is used.
 */
export function attachedBlock({ name, text: content }: Attached): TextBlock {
  const tag = tagFor('attached', content);
  return text(`<${tag} name="${name.replace(/[&"<>\n\r]/g, (character) => ESCAPES[character] ?? '')}">\n${content}\n</${tag}>`);
}

/** Frames facts about where the agent works as a text block, which is not shown and is no attachment. Notes come before all else of a message. */
export function environmentBlock(facts: string): TextBlock {
  return noteBlock(ENVIRONMENT, facts);
}

/** Frames instructions of the project that have changed, in the way of {@link environmentBlock}. */
export function instructionsBlock(instructions: string): TextBlock {
  return noteBlock(INSTRUCTIONS, instructions);
}

/** Frames which skills there are, in the way of {@link environmentBlock}. */
export function skillsBlock(skills: string): TextBlock {
  return noteBlock(SKILLS, skills);
}

/** Frames what hooks say to a message, in the way of {@link environmentBlock}. */
export function hookOutputBlock(output: string): TextBlock {
  return noteBlock(HOOKS, output);
}

function noteBlock(base: string, content: string): TextBlock {
  const tag = tagFor(base, content);
  return text(`<${tag}>\n${content}\n</${tag}>`);
}

/** Content of a message without notes. */
export function withoutNotes<Block extends ContentBlock>(content: readonly Block[]): readonly Block[] {
  return content.filter((_, index) => noteIn(content, index) === undefined);
}

/** The notes of a message that stay valid when its text changes: all except those of hooks on its text. */
export function lastingNotes<Block extends ContentBlock>(content: readonly Block[]): readonly Block[] {
  return content.filter((_, index) => noteIn(content, index)?.tag.startsWith(HOOKS) === false);
}

/** The instructions that have changed, of the note with a message; empty when it has none. */
export function changedInstructions(message: { readonly content: readonly ContentBlock[] }): string {
  return noteOf(message, INSTRUCTIONS);
}

/** The part of a message's note that lists skills; empty for none. */
export function skillsNote(message: { readonly content: readonly ContentBlock[] }): string {
  return noteOf(message, SKILLS);
}

function noteOf({ content }: { readonly content: readonly ContentBlock[] }, base: string): string {
  return (
    content
      .slice(0, MAX_NOTES)
      .map((_, index) => noteIn(content, index))
      .find((note) => note?.tag.startsWith(base))?.text ?? ''
  );
}

/** A user message: attachments first, then the text. Attached text is always followed by some text. */
export function withWords<Block extends ContentBlock>(attached: readonly Block[], words: string): readonly (Block | TextBlock)[] {
  if (words.trim() !== '') return [...attached, text(words)];
  const last = attached.at(-1);
  return last !== undefined && nameOf(last) !== undefined ? [...attached, text(NO_WORDS)] : attached;
}

/**
 * The user's own text: a message without attachments and notes. The last block of a message never counts as an
 * attachment, so that whatever a user types is shown.
 */
export function wordsOf({ content }: { readonly content: readonly ContentBlock[] }): string {
  return content
    .map((block, index) => (block.type === 'text' && attachedName(content, index) === undefined && noteIn(content, index) === undefined ? block.text : ''))
    .join('');
}

/** The attachments of a message: its images and attached text. */
export function attachedBlocks<Block extends ContentBlock>({ content }: { readonly content: readonly Block[] }): readonly Block[] {
  return content.filter((block, index) => block.type === 'image' || attachedName(content, index) !== undefined);
}

/** Names of attachments to list under a message: its images, numbered, and the names of all others. */
export function attachedNames({ content }: { readonly content: readonly ContentBlock[] }): readonly string[] {
  return namesOf(content, (_, index) => attachedName(content, index));
}

/** The display names of attachments of a message whose text is not known yet. */
export function namesOfAttached(attached: readonly ContentBlock[]): readonly string[] {
  return namesOf(attached, nameOf);
}

function namesOf(content: readonly ContentBlock[], nameOfText: (block: ContentBlock, index: number) => string | undefined): readonly string[] {
  let images = 0;
  return content.flatMap((block, index) => {
    const name = block.type === 'image' ? `Image ${(images += 1)}` : nameOfText(block, index);
    return name === undefined ? [] : [name];
  });
}

function attachedName(content: readonly ContentBlock[], index: number): string | undefined {
  const block = content[index];
  return block === undefined || index === content.length - 1 ? undefined : nameOf(block);
}

/** The note in a block of a message. Only the first blocks can be notes, never the last one: typed text is always shown. */
function noteIn(content: readonly ContentBlock[], index: number): { readonly tag: string; readonly text: string } | undefined {
  if (index >= MAX_NOTES || index >= content.length - 1) return undefined;
  const notes = content.slice(0, index + 1).map((block) => (block.type === 'text' ? FRAMED_NOTE.exec(block.text) : null));
  const [, tag, words] = notes.every((note) => note !== null) ? (notes[index] ?? []) : [];
  return tag === undefined || words === undefined ? undefined : { tag, text: words };
}

function nameOf(block: ContentBlock): string | undefined {
  const name = block.type === 'text' ? FRAMED.exec(block.text)?.[2] : undefined;
  return name?.replace(/&(?:amp|quot|lt|gt);/g, (escape) => Object.keys(ESCAPES).find((character) => ESCAPES[character] === escape) ?? escape);
}

/** A tag that the content cannot close. */
function tagFor(base: string, content: string): string {
  for (let number = 1; ; number += 1) {
    const tag = number === 1 ? base : `${base}-${number}`;
    if (!content.includes(`</${tag}`)) return tag;
  }
}
