import type { AssistantContent } from '../../domain/model/content.js';
import type { AssistantMessage } from '../../domain/model/message.js';
import { list, parsed, record, text } from './json.js';

/**
 * What has to go back with the next request, kept as the signature of a thinking block: so it is stored with the
 * message, goes only to the model that made it, and is dropped where thinking is dropped.
 *
 * Servers of this kind sign nothing themselves, but three of them refuse a conversation with tools in which their
 * reasoning is missing: as a field of the message, as a list of blocks, or beside each call.
 */
export type ReplayNote =
  /** The text of this block goes back in a field of the message. */
  | { readonly kind: 'field' }
  /** These blocks go back as `reasoning_details`. */
  | { readonly kind: 'details'; readonly details: readonly unknown[] }
  /** These go back as `extra_content` of the calls, by the place of the call among the calls of the message. */
  | { readonly kind: 'calls'; readonly extras: Readonly<Record<string, unknown>> }
  /** This reasoning item of Responses goes back in front of what followed it. */
  | ReasoningNote
  /** These go back as `phase` of the texts of the message, by their place among them; `''` for one without. */
  | { readonly kind: 'phases'; readonly phases: readonly string[] };

/** What of a reasoning item goes back; the summary is kept in its parts, which the text of the block no longer shows. */
export interface ReasoningNote {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly summary: readonly unknown[];
  readonly encrypted: string;
}

const bytes = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The note as the bytes of a signature. */
export function noteBytes(note: ReplayNote): Uint8Array {
  return bytes.encode(JSON.stringify(note));
}

/** A note with the text of its block. */
interface FoundNote {
  readonly note: ReplayNote;
  readonly thinking: string;
}

/** The notes of a message, in order. Thinking without a signature, or signed by another provider, has no note. */
export function notesOf(message: AssistantMessage): readonly FoundNote[] {
  return message.content.flatMap((block): FoundNote[] => {
    const note = noteOf(block);
    return block.type === 'thinking' && note !== undefined ? [{ note, thinking: block.thinking }] : [];
  });
}

/** The note that a block has, if it has one. */
export function noteOf(block: AssistantContent): ReplayNote | undefined {
  return block.type === 'thinking' && block.signature !== undefined ? readNote(block.signature) : undefined;
}

function readNote(signature: Uint8Array): ReplayNote | undefined {
  const note = record(parsed(utf8.decode(signature)));
  switch (note?.['kind']) {
    case 'field':
      return { kind: 'field' };
    case 'details':
      return { kind: 'details', details: list(note['details']) };
    case 'calls':
      return { kind: 'calls', extras: record(note['extras']) ?? {} };
    case 'reasoning':
      return { kind: 'reasoning', id: text(note['id']), summary: list(note['summary']), encrypted: text(note['encrypted']) };
    case 'phases':
      return { kind: 'phases', phases: list(note['phases']).map(text) };
    default:
      return undefined;
  }
}
