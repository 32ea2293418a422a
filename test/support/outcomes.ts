import fc from 'fast-check';
import type { Message } from '../../src/domain/model/message.js';
import type { Denial } from '../../src/domain/tool/denial.js';
import type { CallOutcome } from '../../src/domain/tool/outcome.js';

type Kind = CallOutcome['kind'];
type OfKind<K extends Kind> = Extract<CallOutcome, { readonly kind: K }>;

const words = fc.string({ unit: 'grapheme', maxLength: 40 });
const file = fc.constantFrom('src/a.ts', 'a “b” is a folder.md', '', '/ws/x does not exist.');
const count = fc.nat(10_000);
const durationMs = count.map((tenths) => tenths * 100);
const edit = fc.record({ number: count, of: count });

/** Denials of every kind. */
export const denials: fc.Arbitrary<Denial> = fc.oneof(
  fc.record({ kind: fc.constant('unknown_mode' as const), mode: words }),
  fc.constantFrom<Denial>({ kind: 'untrusted' }, { kind: 'plan_mode' }, { kind: 'nothing_allows' }, { kind: 'user' }),
  fc.record({ kind: fc.constant('rule' as const), rule: words, scope: fc.constantFrom('session', 'local', 'workspace', 'user'), what: words }),
  fc.record({ kind: fc.constant('rule' as const), rule: words, scope: fc.constant('user' as const), file, what: words }),
  fc.record({ kind: fc.constant('agent' as const), agent: words, cannot: fc.constantFrom('use', 'ask') }),
  fc.record({ kind: fc.constant('hook' as const), by: words, reason: words, answered: fc.boolean() }),
  fc.record({ kind: fc.constant('user' as const), said: words }),
);

/** What differs from one outcome to another of each kind. */
const FIELDS: { readonly [K in Kind]: fc.Arbitrary<Omit<OfKind<K>, 'kind' | 'notes' | 'more' | 'ran'>> } = {
  done: fc.constant({}),
  created: fc.constant({}),
  found: fc.record({ count }),
  found_tools: fc.record({ names: fc.array(words, { maxLength: 3 }) }),
  answered: fc.record({ chosen: fc.array(words, { maxLength: 3 }), wrote: words }, { requiredKeys: ['chosen'] }),
  not_answered: fc.constant({}),
  ran: fc.record({ exitCode: count, durationMs }),
  not_found: fc.record({ file, why: fc.constant('in_file' as const) }, { requiredKeys: ['file'] }),
  is_folder: fc.record({ file, wanted: fc.constant('file' as const) }, { requiredKeys: ['file'] }),
  changed_meanwhile: fc.record({ file, noticed: fc.constantFrom('planning', 'writing', 'editing', 'replacing') }),
  not_read: fc.record({ file, why: fc.constantFrom('exists', 'outside', 'partly') }),
  binary: fc.record({ file, type: words, extension: words }, { requiredKeys: ['file'] }),
  not_text: fc.record({ file, wanted: fc.constantFrom('edit', 'replace', 'write') }),
  too_large: fc.record({ file, wanted: fc.constantFrom('edit', 'read') }),
  read_only: fc.record({ file }),
  inaccessible: fc.record({ file, wanted: fc.constantFrom('access', 'change') }),
  text_left_out: fc.record({ file, line: count }, { requiredKeys: ['file'] }),
  text_not_found: fc.record({ file, edit }, { requiredKeys: ['file'] }),
  ambiguous: fc.record({ file, edit, found: count, expected: count }, { requiredKeys: ['file', 'found'] }),
  unchanged: fc.record({ file, by: fc.constantFrom('edit', 'write') }),
  unreadable_pdf: fc.record({ why: fc.constantFrom('password', 'memory', 'time', 'broken', 'ended'), seconds: count }, { requiredKeys: ['why'] }),
  search_setup: fc.record({ wrong: fc.constantFrom('no_json', 'no_server', 'bad_server', 'no_key', 'bad_key') }),
  search_unsupported: fc.record({ service: words, model: words }),
  rate_limited: fc.record({ service: words, of: fc.constantFrom('service', 'model'), seconds: count }, { requiredKeys: ['service', 'of'] }),
  no_pages: fc.constant({}),
  invalid_arguments: fc.record({ tool: words, wrong: fc.constantFrom('json', 'list', 'schema') }),
  unknown_tool: fc.record({ tool: words, calledBy: words }, { requiredKeys: ['tool'] }),
  agent_lacks_tool: fc.record({ agent: words }),
  agent_limit: fc.record({ limit: fc.constantFrom('money', 'tokens', 'agents'), started: count }),
  rejected: fc.record({ problem: words }),
  failed: fc.constant({}),
  crashed: fc.record({ tool: words, problem: words }),
  unusable: fc.record({ problem: words }),
  exited: fc.record({ exitCode: count, durationMs }),
  killed: fc.record({ signal: words, durationMs }, { requiredKeys: ['durationMs'] }),
  timed_out: fc.record({ limitMs: durationMs }),
  interrupted: fc.constant({}),
  not_run: fc.record({ why: fc.constantFrom('length', 'error', 'no_stop') }),
  cancelled: fc.record({ unstarted: fc.constant(true as const), durationMs }, { requiredKeys: [] }),
  denied: fc.record({ denial: fc.oneof(denials, fc.record({ kind: fc.constant('told' as const), reason: words })) }),
};

/** Every kind of outcome. */
export const OUTCOME_KINDS = Object.keys(FIELDS) as readonly Kind[];

/** Outcomes of one kind, with and without marks of what the user is shown of the result. */
export function outcomesOf(kind: Kind): fc.Arbitrary<CallOutcome> {
  const notes = fc.array(fc.record({ block: fc.nat(2), from: fc.nat(9), to: fc.integer({ min: 9, max: 99 }) }), { minLength: 1, maxLength: 3 });
  const ran = fc.record({ subject: fc.string({ unit: 'grapheme' }), by: fc.constantFrom('user' as const, 'hook' as const) });
  const marks = fc.record({ notes, more: fc.constant(true as const), ran }, { requiredKeys: [] });
  // The fields are those of the kind.
  return fc.tuple(FIELDS[kind], marks).map(([fields, marked]) => ({ kind, ...fields, ...marked }) as CallOutcome);
}

/** Messages as the v1 file has them: without what became of calls, which is stored beside it. */
export function withoutOutcomes(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const plain = { ...message };
    Reflect.deleteProperty(plain, 'outcome');
    return plain;
  });
}
