import { MAX_ATTACHED_TEXT, MAX_FIELD_LENGTH, MAX_PATH_LENGTH, MAX_RAW_IMAGE_BYTES, MAX_SEND_LENGTH } from '../limits.js';
import { TASK_KINDS } from '../../domain/model/task-kind.js';
import { type Messages, bytes, count, exactly, flag, id, listOf, oneOf, optional, text } from '../shape.js';

const MAX_ATTACHMENTS = 100;
const MAX_QUERY_LENGTH = 1_000;
const MAX_NAME_LENGTH = 1_000;
const MAX_FIELDS = 100;
const MAX_MENTIONS = 50;
const MAX_MENTION_LENGTH = 2_500;

/** The values of a form, in the order of its fields. */
const values = listOf(text(MAX_FIELD_LENGTH), MAX_FIELDS);

/** Requests of the composer. */
export type ComposerRequest = Messages<typeof COMPOSER_REQUESTS>;

/** Its fields, by type. */
export const COMPOSER_REQUESTS = {
  /** Says something; while a turn runs it waits for the end of that, or goes with its next round where it is wanted `now`. */
  send: {
    sendId: id,
    text: text(MAX_SEND_LENGTH),
    attachments: listOf(id, MAX_ATTACHMENTS),
    now: flag,
    /** Although the provider does not have the conversation in its cache any more; otherwise that is answered with `cooled`. */
    anyway: optional(flag),
    /** Said beside what is written: nothing is asked or shown before. */
    aside: optional(flag),
    /** The `model_proposed` that the user has seen: it goes to that model, unless another one is wanted. */
    proposal: optional(
      exactly({
        id,
        /** The kind of task that it is: a model is proposed for that. */
        kind: optional(oneOf(TASK_KINDS)),
        /** The model that is proposed in place of it. */
        model: optional(id),
      }),
    ),
  },
  /** Stops a `send` that waits for something. */
  cancel_send: { sendId: id },
  pick_attachments: {},
  /** An image that was pasted or dropped. */
  attach_image: { name: text(MAX_NAME_LENGTH), data: bytes(MAX_RAW_IMAGE_BYTES) },
  /** A text file that was pasted or dropped from elsewhere. */
  attach_text: { name: text(MAX_NAME_LENGTH), text: text(MAX_ATTACHED_TEXT) },
  /** Files that were dropped, as addresses. */
  attach_files: { uris: listOf(text(MAX_PATH_LENGTH, 1), MAX_ATTACHMENTS) },
  remove_attachment: { id },
  /** Asks for the bytes of an attached image, to show it small. */
  load_attached_image: { id },
  /** Draft of a message. `at` is the page's clock, in milliseconds since 1970: the newest wins. */
  save_draft: { session: id, text: text(MAX_SEND_LENGTH), at: count },
  /** Searches for what may follow an `@`; the answer names the request. A later one replaces an earlier one. */
  find_mentions: { request: count, query: text(MAX_QUERY_LENGTH) },
  /** Asks what resources that are mentioned are called. */
  name_mentions: { mentions: listOf(text(MAX_MENTION_LENGTH), MAX_MENTIONS) },
  /** Asks for the blanks of an address, as they were offered. */
  open_template: { server: id, uriTemplate: text(MAX_PATH_LENGTH, 1) },
  /** Asks for suggestions for a field; a later request replaces an earlier one. */
  suggest_value: { form: id, request: count, field: count, values },
  submit_form: {
    form: id,
    values,
    /** Whether what a command or a skill names may run without a question in its turn; absent where the form does not ask. */
    allow: optional(flag),
  },
  /** Closes a form, and stops what it waits for. */
  cancel_form: { form: id },
  /** Asks for what the user said in this conversation. */
  list_said: { request: count },
  /** Whether what is selected in the editor goes with messages. */
  include_selection: { on: flag },
  /** Takes a message out of the queue, back to where the user writes. */
  queue_edit: { id },
  queue_remove: { id },
  queue_move: { id, to: oneOf(['up', 'down']) },
  /** Sends a message of the queue with the next round of the turn that runs, or at once. */
  queue_send: { id },
};
