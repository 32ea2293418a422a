import { RULE_SCOPES } from '../domain/permission.js';
import { THINKING_EFFORTS } from '../domain/provider.js';
import { MAX_COMMAND_LENGTH, MAX_ERROR_LENGTH, MAX_FEEDBACK_LENGTH, MAX_RULE_LENGTH, MAX_RULES, MAX_SEND_LENGTH, MAX_URL_LENGTH } from './limits.js';
import type { PanelMessage } from './messages.js';
import { NOTICE_ACTIONS } from './view-state.js';

/** Characters of an id: of a session, a call, a model or an attachment. */
const MAX_ID_LENGTH = 512;
const MAX_MODE_LENGTH = 64;
const MAX_ATTACHMENTS = 100;
const MAX_PATH_LENGTH = 4_096;
const MAX_CHOICES = 20;
const MAX_CHOICE_LENGTH = 2_000;
const ANSWERS: readonly string[] = ['allow', 'always', 'deny'];
const REVIEW_ACTIONS: readonly string[] = ['keep', 'undo', 'show'];
const ACTIONS: readonly string[] = NOTICE_ACTIONS;

type Check = (value: unknown) => boolean;
/** A check by field. The value of every field that may be absent is marked {@link optional}. */
type Shape = Readonly<Record<string, Check>>;

const optionalChecks = new WeakSet<Check>();

const text =
  (max: number, min = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max;
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const sequence: Check = (value) => Number.isSafeInteger(value) && typeof value === 'number' && value >= 0;
const id = text(MAX_ID_LENGTH, 1);
const listOf =
  (check: Check, max: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check);
const object =
  (shape: Shape): Check =>
  (value) =>
    matches(value, shape);

function optional(check: Check): Check {
  const copy: Check = (value) => check(value);
  optionalChecks.add(copy);
  return copy;
}

const SHAPES: Readonly<Record<PanelMessage['type'], Shape>> = {
  ready: { attached: optional(object({ session: id, epoch: id, seq: sequence })) },
  ack: { seq: sequence },
  send: { sendId: id, text: text(MAX_SEND_LENGTH), attachments: listOf(id, MAX_ATTACHMENTS) },
  stop: {},
  new_session: {},
  list_history: {},
  open_session: { id },
  delete_session: { id },
  set_model: { model: id },
  set_mode: { mode: text(MAX_MODE_LENGTH, 1) },
  answer_approval: {
    callId: id,
    answer: oneOf(ANSWERS),
    feedback: optional(text(MAX_FEEDBACK_LENGTH)),
    command: optional(text(MAX_COMMAND_LENGTH, 1)),
    rules: optional(listOf(text(MAX_RULE_LENGTH, 1), MAX_RULES)),
    scope: optional(oneOf(RULE_SCOPES)),
  },
  review_file: { action: oneOf(REVIEW_ACTIONS), path: text(MAX_PATH_LENGTH, 1) },
  review_all: { action: oneOf(REVIEW_ACTIONS) },
  restore_files: { item: id },
  set_effort: { effort: oneOf(THINKING_EFFORTS) },
  retry_now: {},
  undo_compaction: { item: id },
  open_instruction: { display: text(MAX_PATH_LENGTH, 1) },
  answer_question: { callId: id, choices: listOf(text(MAX_CHOICE_LENGTH, 1), MAX_CHOICES), text: optional(text(MAX_FEEDBACK_LENGTH)) },
  dismiss_question: { callId: id },
  notice_action: { action: oneOf(ACTIONS) },
  pick_attachments: {},
  remove_attachment: { id },
  open_link: { url: isWebAddress },
  report_error: { message: text(MAX_ERROR_LENGTH) },
};

/**
 * Checks what a panel posted, field by field. The page shows text that anyone may have written, so nothing in it is
 * trusted: an unknown type, a missing, additional or wrongly typed field, or one over its limit makes it `undefined`.
 * Never throws for data that crossed a message channel.
 */
export function validatePanelMessage(raw: unknown): PanelMessage | undefined {
  return isPanelMessage(raw) ? raw : undefined;
}

function isPanelMessage(raw: unknown): raw is PanelMessage {
  if (!isPlainObject(raw)) return false;
  const type = raw['type'];
  if (typeof type !== 'string' || !isType(type)) return false;
  return matches(raw, { type: () => true, ...SHAPES[type] });
}

function isType(type: string): type is PanelMessage['type'] {
  return Object.hasOwn(SHAPES, type);
}

function matches(value: unknown, shape: Shape): boolean {
  if (!isPlainObject(value)) return false;
  if (Reflect.ownKeys(value).some((key) => typeof key !== 'string' || !Object.hasOwn(shape, key))) return false;
  return Object.entries(shape).every(([key, check]) =>
    Object.hasOwn(value, key) ? check(value[key]) : optionalChecks.has(check),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || protocol === 'http:';
}
