import { type Messages, type Of, anyBytes, anyText, count, fields, flag, listOf, oneOf, optional } from '../shape.js';
import { IMAGE_MIME_TYPES } from '../../domain/model/content.js';
import { TASK_KINDS } from '../../domain/model/task-kind.js';

const choice = fields({
  id: anyText,
  label: anyText,
  description: optional(anyText),
  /** Heading that choices of one kind share, such as the name of a provider. */
  group: optional(anyText),
  /** Details beside the label, such as the size and price of a model. */
  facts: optional(anyText),
  /** The name of the API key that it uses, where its provider has more than one. Keys themselves never come here. */
  key: optional(anyText),
  /** Whether the user prefers it. */
  favorite: optional(flag),
  /** Whether it cannot be chosen; its description says why. */
  disabled: optional(flag),
});
/** A choice of a selector. */
export type Choice = Of<typeof choice>;

const attachment = fields({ id: anyText, name: anyText, kind: oneOf(['image', 'file']) });
/** An image or file the user attached; the host keeps its contents under `id` until it is sent or removed. */
export type Attachment = Of<typeof attachment>;

const mentionKind = oneOf(['file', 'folder', 'symbol', 'problems', 'changes', 'editors', 'terminal', 'web', 'resource']);
/** Kind of a mention, such as a file or a symbol. */
export type MentionKind = Of<typeof mentionKind>;

const mentionOffer = fields({
  /** Text that is inserted for it, with the `@`. */
  insert: anyText,
  kind: mentionKind,
  label: anyText,
  /** Where it is, or what it means. */
  detail: anyText,
  /** Present for an address with blanks, which are filled in first. */
  template: optional(fields({ server: anyText, uriTemplate: anyText })),
});
/** Something that can follow an `@`. */
export type MentionOffer = Of<typeof mentionOffer>;

const slashOffer = fields({
  /** With the slash. */
  name: anyText,
  /** Argument hint, such as `[name]`; empty for none. */
  hint: anyText,
  /** Short description. */
  description: anyText,
  /** Whether it is a prompt of an MCP server, which is got, or asks for its arguments, as soon as it is chosen. */
  prompt: optional(flag),
  /** Where the file of a command is; absent for others. */
  origin: optional(oneOf(['project', 'user'])),
  /** Display name of that file. */
  file: optional(anyText),
});
/** A command that is written at the start of a message. */
export type SlashOffer = Of<typeof slashOffer>;

const fillForm = fields({
  id: anyText,
  /** Id of the server that gets what is filled in; of a command the file that it is in. */
  server: anyText,
  /** Result of the form: the messages of a prompt, the mention of a resource, or the message of a command. */
  makes: oneOf(['prompt', 'resource', 'command']),
  title: anyText,
  description: optional(anyText),
  fields: listOf(fields({ name: anyText, description: optional(anyText), required: flag, value: anyText })),
  /** Whether the server suggests values. */
  suggests: flag,
  /** Text that the user has typed, which is restored when they cancel. */
  typed: optional(anyText),
  /** Preview of the message that is sent. */
  preview: optional(
    fields({
      text: anyText,
      /** The command lines in the text that run before it is sent. */
      commands: listOf(anyText),
      /** Files that go along. */
      files: listOf(anyText),
      /** Differences of its turn, such as another model, as sentences. */
      notes: listOf(anyText),
      /** Rules that its file requests for its turn, if the user allows them; absent for none. */
      allows: optional(
        fields({
          rules: listOf(anyText),
          /** Rules that are never granted, as sentences. */
          refused: listOf(anyText),
          /** State of the user's approval. */
          state: oneOf(['own', 'approved', 'waits', 'changed', 'nothing']),
        }),
      ),
      warning: optional(anyText),
    }),
  ),
});
/** Blanks of a prompt, or of the address of a resource, that the user fills in where they write. */
export type FillForm = Of<typeof fillForm>;

const modelProposal = fields({
  id: anyText,
  /** Display name; absent: no model is good enough. */
  model: optional(anyText),
  /** Absent where nothing could be decided. */
  kind: optional(oneOf(TASK_KINDS)),
  /** Why it is this one, or none, as sentences. */
  reason: anyText,
  /** What the task is expected to cost. */
  cost: optional(anyText),
  /** Key of the model that comes next among those that are good enough; absent where there is no other. */
  next: optional(anyText),
});
/** The model that a message gets, as the user sees it before the message is sent. */
export type ModelProposal = Of<typeof modelProposal>;

/** Messages to a page about its composer. */
export type ComposerMessage = Messages<typeof COMPOSER_MESSAGES>;

/** Its fields, by type. */
export const COMPOSER_MESSAGES = {
  choices: {
    models: listOf(choice),
    /** What can be chosen in place of one of them: to have that of new chats, and to have one chosen for each task. */
    automatic: listOf(choice),
    modes: listOf(choice),
    /** Empty where there is none. */
    agents: listOf(choice),
    /** Empty where the current model cannot think. */
    efforts: listOf(choice),
  },
  attachments: { attachments: listOf(attachment) },
  /** Why something could not be attached, or a hint about what was. */
  attachment_problem: { reason: anyText },
  attached_image: { id: anyText, mimeType: anyText, data: anyBytes },
  /** A `send` was taken; the composer may forget that text. */
  accepted: { sendId: anyText },
  /** A `send` was not taken; the composer keeps its text. */
  rejected: { sendId: anyText, reason: anyText },
  /** Progress of a slow `send`, which can be canceled meanwhile. */
  send_progress: { sendId: anyText, text: anyText },
  /** A `send` waits for the user's choice, because it costs much; the composer keeps its text. */
  cooled: { sendId: anyText, text: anyText },
  /** A `send` waits for the user’s key, who sees first which model it gets; the composer keeps its text. */
  model_proposed: { sendId: anyText, proposal: modelProposal },
  /** Draft of a conversation, as of `at`. A page that has a newer one keeps that. */
  draft: { session: anyText, text: anyText, at: count },
  /** A text for the composer, in front of what is there: a message that is taken back to be changed. */
  compose: { session: anyText, text: anyText },
  /** The commands there are. */
  commands: { commands: listOf(slashOffer) },
  mentions: { request: count, offers: listOf(mentionOffer) },
  /** Names of mentioned resources; empty where there is no such server. */
  mention_names: { names: listOf(fields({ mention: anyText, name: anyText })) },
  fill_form: { form: fillForm },
  /** Suggestions for a field. */
  form_suggestions: { form: anyText, request: count, values: listOf(anyText) },
  /** Progress of a submitted form. */
  form_progress: { form: anyText, text: anyText },
  /** Why what was filled in could not be used; the form stays. */
  form_problem: { form: anyText, reason: anyText },
  /** A form is done. `insert` is what it adds to the text at the cursor. */
  form_done: { form: anyText, insert: optional(anyText) },
  /** The user's messages in this conversation, oldest first, for the input history. */
  said: { request: count, texts: listOf(anyText) },
  /** The selection in the editor, such as `a.ts:10-20`; empty for none. */
  selection: { name: anyText, on: flag },
  /** The file in the active editor, as it is called and as it is mentioned; empty without one. */
  current_file: { name: anyText, insert: anyText },
  focus_composer: {},
};

/** Work that the host requests from a page: scaling images. */
export type ImageMessage = Messages<typeof IMAGE_MESSAGES>;

/** Its fields, by type. */
export const IMAGE_MESSAGES = {
  /** Makes an image smaller. Answered with `image_scaled`, which names the request. */
  scale_image: { request: count, mimeType: oneOf(IMAGE_MIME_TYPES), data: anyBytes },
};
