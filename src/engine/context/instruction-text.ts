import { changedInstructions } from '../../domain/session/attached.js';
import type { InstructionFile } from '../../domain/session/context.js';
import type { Message } from '../../domain/model/message.js';

/** The first line of the text for the model about one file: its display name, and whether the file is gone. */
const BEGINNING = /^\[Instructions of ([^\n]+?)(:| are gone\.\])$/gm;

/** The text for the model about a file with instructions: in the system prompt, after a result, or with a message. */
export function instructionText({ display, text, truncated }: InstructionFile): string {
  // What the file itself says does not begin another one.
  const words = text.replace(/^\[(?=Instructions of )/gm, '[ ');
  return `[Instructions of ${display}:\n${words}${truncated ? '\n[The file goes on; it was cut here.]' : ''}\n]`;
}

/** Takes back the instructions of a file. */
export function goneText(display: string): string {
  return `[Instructions of ${display} are gone.]`;
}

/**
 * The instructions that the model has: by display name, the last text of each file. Derived from the messages that are sent, so
 * that it is right also for a stored conversation, a branch, and behind a summary.
 * @param messages those that are sent
 */
export function toldInstructions(systemPrompt: string, messages: readonly Message[]): Map<string, string> {
  const told = new Map<string, string>();
  for (const text of [systemPrompt, ...messages.flatMap(textsOf)]) {
    const beginnings = [...text.matchAll(BEGINNING)];
    for (const [place, { index, 1: display = '' }] of beginnings.entries()) told.set(display, text.slice(index, beginnings[place + 1]?.index).trimEnd());
  }
  return told;
}

/** Parts of a message that can be instructions: its note, and text behind a result. */
function textsOf(message: Message): readonly string[] {
  if (message.role === 'user') return [changedInstructions(message)];
  if (message.role === 'assistant') return [];
  return message.content.slice(1).flatMap((block) => (block.type === 'text' ? [block.text] : []));
}
