import type { ContentBlock } from '../model/content.js';
import { attachedBlocks } from './attached.js';

/** A command of a file, as its message describes it. */
export interface RanCommand {
  /** With its slash. */
  readonly name: string;
  /** Its file, as users know it. */
  readonly file: string;
  /** Argument text, as typed; empty for none. */
  readonly argument: string;
}

/** Pattern of {@link ranCommandText} in its attachment frame, which is named as the command was typed. */
const FRAMED = new RegExp(
  String.raw`^<(attached(?:-\d+)?) name="\/[^"\n]*">\nThe user ran the slash command (\/\S+) \((.*?)\)` +
    String.raw`(?: without arguments| with the arguments: ([^]*))\.\nIts text follows\.\n<\/\1>$`,
);

/** The text for the model about the command that a message comes from; it goes into an attachment with the name of the command as it was typed. */
export function ranCommandText({ name, file, argument }: RanCommand): string {
  return `The user ran the slash command ${name} (${file})${argument === '' ? ' without arguments' : ` with the arguments: ${argument}`}.\nIts text follows.`;
}

/** The command of a file that a message comes from; `undefined` for any other message. */
export function ranCommandIn(message: { readonly content: readonly ContentBlock[] }): RanCommand | undefined {
  for (const block of attachedBlocks(message)) {
    const [, , name, file = '', argument = ''] = (block.type === 'text' ? FRAMED.exec(block.text) : null) ?? [];
    if (name !== undefined) return { name, file, argument };
  }
  return undefined;
}
