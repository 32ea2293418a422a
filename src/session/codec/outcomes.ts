import { RULE_SCOPES } from '../../domain/tool/denial.js';
import { present } from '../../domain/present.js';
import { ELF_LIMITS } from '../../domain/session/elf.js';
import type { CallOutcome, ModelNote, RanInstead } from '../../domain/tool/outcome.js';

/** Outcome of a call, as stored in a sidecar and a journal: JSON, with the id of the call that it is about. */
export type StoredOutcome = Readonly<Record<string, unknown>> & { readonly call: string };

/** Whether a value can be one of a field, and whether that can be missing. */
interface Check {
  readonly fits: (value: unknown) => boolean;
  readonly optional?: true;
}

type Checks<Value> = { readonly [Field in Exclude<keyof Value, 'kind' | 'notes' | 'more' | 'ran'>]-?: Check };
type ChecksOf<Union extends { readonly kind: string }> = { readonly [Kind in Union['kind']]: Checks<Extract<Union, { readonly kind: Kind }>> };

const text: Check = { fits: (value) => typeof value === 'string' };
const count: Check = { fits: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 };
const integer: Check = { fits: Number.isSafeInteger };
const amount: Check = { fits: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0 };
const flag: Check = { fits: (value) => typeof value === 'boolean' };
const texts: Check = { fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string') };
const truth = oneOf(true);
const numbered: Check = { fits: (value) => fieldsFit(value, { number: count, of: count }) };

function oneOf(...values: readonly unknown[]): Check {
  return { fits: (value) => values.includes(value) };
}

function optional({ fits }: Check): Check {
  return { fits, optional: true };
}

function fieldsFit(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(checks).every(([field, check]) => (value[field] === undefined ? check.optional === true : check.fits(value[field])));
}

const DENIALS: ChecksOf<Extract<CallOutcome, { readonly kind: 'denied' }>['denial']> = {
  unknown_mode: { mode: text },
  untrusted: {},
  plan_mode: {},
  rule: { rule: text, scope: oneOf(...RULE_SCOPES), file: optional(text), what: text },
  other_checkout: { file: text },
  nothing_allows: {},
  agent: { agent: text, cannot: oneOf('use', 'ask') },
  unattended: { why: text },
  hook: { by: text, reason: text, answered: flag },
  user: { said: optional(text) },
  told: { reason: text },
};

const OUTCOMES: ChecksOf<CallOutcome> = {
  done: {},
  created: {},
  found: { count },
  found_tools: { names: texts },
  answered: { chosen: texts, wrote: optional(text) },
  not_answered: {},
  ran: { exitCode: integer, durationMs: amount },
  not_found: { file: text, why: optional(oneOf('in_file')) },
  is_folder: { file: text, wanted: optional(oneOf('file')) },
  changed_meanwhile: { file: text, noticed: oneOf('planning', 'writing', 'editing', 'replacing') },
  not_read: { file: text, why: oneOf('exists', 'outside', 'partly') },
  binary: { file: text, type: optional(text), extension: optional(text) },
  not_text: { file: text, wanted: oneOf('edit', 'replace', 'write') },
  too_large: { file: text, wanted: oneOf('edit', 'read') },
  read_only: { file: text, wanted: optional(oneOf('deleted', 'moved')) },
  inaccessible: { file: text, wanted: oneOf('access', 'change') },
  text_left_out: { file: text, line: optional(count) },
  text_not_found: { file: text, edit: optional(numbered) },
  ambiguous: { file: text, edit: optional(numbered), found: count, expected: optional(count) },
  unchanged: { file: text, by: oneOf('edit', 'write') },
  unreadable_pdf: { why: oneOf('password', 'memory', 'time', 'broken', 'ended'), seconds: optional(amount) },
  search_setup: { wrong: oneOf('no_json', 'no_server', 'bad_server', 'no_key', 'bad_key') },
  search_unsupported: { service: text, model: text },
  rate_limited: { service: text, of: oneOf('service', 'model'), seconds: optional(amount) },
  no_pages: {},
  invalid_arguments: { tool: text, wrong: oneOf('json', 'list', 'schema') },
  unknown_tool: { tool: text, calledBy: optional(text) },
  agent_lacks_tool: { agent: text },
  agent_limit: { limit: oneOf(...ELF_LIMITS), started: count },
  rejected: { problem: text },
  failed: {},
  crashed: { tool: text, problem: text },
  unusable: { problem: text },
  exited: { exitCode: integer, durationMs: amount },
  killed: { signal: optional(text), durationMs: amount },
  timed_out: { limitMs: amount },
  interrupted: {},
  not_run: { why: oneOf('length', 'error', 'no_stop') },
  cancelled: { unstarted: optional(truth), durationMs: optional(amount) },
  denied: { denial: { fits: (value) => isRecord(value) && isKind(value['kind'], DENIALS) && fieldsFit(value, DENIALS[value['kind']]) } },
};

/** Stored outcome of a call. */
export function storedOutcome(call: string, { notes, ...outcome }: CallOutcome): StoredOutcome {
  return { call, ...outcome, ...(notes === undefined ? {} : { notes: notes.map(({ block, from, to }) => [block, from, to].join(' ')) }) };
}

/** Reads what {@link storedOutcome} made; `undefined` for one of another call, or of a kind that only later versions know. */
export function readOutcome(stored: StoredOutcome | undefined, call: string): CallOutcome | undefined {
  if (stored?.call !== call || !isKind(stored['kind'], OUTCOMES)) return undefined;
  const { kind } = stored;
  const checks: Readonly<Record<string, Check>> = OUTCOMES[kind];
  if (!fieldsFit(stored, checks)) return undefined;
  const fields = Object.keys(checks).flatMap((field) => (stored[field] === undefined ? [] : [[field, stored[field]] as const]));
  const notes = notesOf(stored['notes']);
  const ran = ranOf(stored['ran']);
  const marks = { ...(notes.length === 0 ? {} : { notes }), ...(stored['more'] === true ? { more: true } : {}), ...present({ ran }) };
  // Each field was checked by the table of its kind.
  return { kind, ...Object.fromEntries(fields), ...marks } as CallOutcome;
}

/** Whether a value can be a stored outcome, be it of a kind that is not known. */
export function isStoredOutcome(value: unknown): value is StoredOutcome {
  return isRecord(value) && typeof value['call'] === 'string' && typeof value['kind'] === 'string';
}

/** A note is stored as its block, beginning and end, with blanks between them: a list would take five lines of the sidecar. */
function notesOf(value: unknown): readonly ModelNote[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const [block = -1, from = -1, to = -1] = typeof each === 'string' ? each.split(' ').map(Number) : [];
    return [block, from, to].every((number) => count.fits(number)) && from <= to ? [{ block, from, to }] : [];
  });
}

function ranOf(value: unknown): RanInstead | undefined {
  return isRecord(value) && fieldsFit(value, { subject: text, by: oneOf('user', 'hook') })
    ? { subject: String(value['subject']), by: value['by'] === 'hook' ? 'hook' : 'user' }
    : undefined;
}

function isKind<Kinds extends object>(value: unknown, kinds: Kinds): value is keyof Kinds {
  return typeof value === 'string' && Object.hasOwn(kinds, value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
