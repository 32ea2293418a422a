import type { HostChecks } from './fields.js';
import { hasTexts, isCount, isListOf } from './fields.js';

/** A choice of a selector. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Heading that choices of one kind share, such as the name of a provider. */
  readonly group?: string;
}

/** A picture or file the person attached; the host holds its contents under `id` until it is sent or removed. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: 'image' | 'file';
}

/** Something that can stand behind an `@`. */
export interface MentionOffer {
  /** What is written for it, with the `@`. */
  readonly insert: string;
  readonly kind: 'file' | 'folder' | 'symbol' | 'special';
  readonly label: string;
  /** Where it is, or what it stands for. */
  readonly detail: string;
}

/** A command that is written at the start of a message. */
export interface SlashOffer {
  /** With the slash. */
  readonly name: string;
  /** What may follow it, such as `[name]`; empty when nothing does. */
  readonly hint: string;
  /** What it does, in a few words. */
  readonly description: string;
}

/** What a page is told for where the person writes. */
export type ComposerMessage =
  | {
      readonly type: 'choices';
      readonly models: readonly Choice[];
      readonly modes: readonly Choice[];
      /** Empty where the current model cannot think. */
      readonly efforts: readonly Choice[];
    }
  | { readonly type: 'attachments'; readonly attachments: readonly Attachment[] }
  /** Why something could not be attached, or a hint about what was. */
  | { readonly type: 'attachment_problem'; readonly reason: string }
  | { readonly type: 'picture'; readonly id: string; readonly mimeType: string; readonly data: Uint8Array }
  /** A `send` was taken; the composer may forget that text. */
  | { readonly type: 'accepted'; readonly sendId: string }
  /** A `send` was not taken; the composer keeps its text. */
  | { readonly type: 'rejected'; readonly sendId: string; readonly reason: string }
  /** What was written in a conversation and not sent, as it is known since `at`. A page that knows something newer keeps that. */
  | { readonly type: 'draft'; readonly session: string; readonly text: string; readonly at: number }
  /** A text for the composer, in front of what is there: a message that is taken back to be changed. */
  | { readonly type: 'compose'; readonly session: string; readonly text: string }
  /** The commands there are. */
  | { readonly type: 'commands'; readonly commands: readonly SlashOffer[] }
  | { readonly type: 'mentions'; readonly request: number; readonly offers: readonly MentionOffer[] }
  /** What the person said in this conversation, oldest first. */
  | { readonly type: 'said'; readonly request: number; readonly texts: readonly string[] }
  /** What is selected in the editor, such as `a.ts:10-20`; empty when nothing is. */
  | { readonly type: 'selection'; readonly name: string; readonly on: boolean }
  | { readonly type: 'focus_composer' };

/** How they are checked on arrival. */
export const COMPOSER_CHECKS: HostChecks<ComposerMessage> = {
  choices: (message) => ['models', 'modes', 'efforts'].every((list) => isListOf(message[list], (choice) => hasTexts(choice, ['id', 'label']))),
  attachments: (message) => isListOf(message['attachments'], (attachment) => hasTexts(attachment, ['id', 'name', 'kind'])),
  attachment_problem: (message) => hasTexts(message, ['reason']),
  picture: (message) => hasTexts(message, ['id', 'mimeType']) && message['data'] instanceof Uint8Array,
  accepted: (message) => hasTexts(message, ['sendId']),
  rejected: (message) => hasTexts(message, ['sendId', 'reason']),
  draft: (message) => hasTexts(message, ['session', 'text']) && isCount(message['at']),
  compose: (message) => hasTexts(message, ['session', 'text']),
  commands: (message) => isListOf(message['commands'], (command) => hasTexts(command, ['name', 'hint', 'description'])),
  mentions: (message) => isCount(message['request']) && isListOf(message['offers'], (offer) => hasTexts(offer, ['insert', 'kind', 'label', 'detail'])),
  said: (message) => isCount(message['request']) && Array.isArray(message['texts']) && message['texts'].every((text) => typeof text === 'string'),
  selection: (message) => hasTexts(message, ['name']) && typeof message['on'] === 'boolean',
  focus_composer: () => true,
};
