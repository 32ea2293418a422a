import { CALL_GUARDS, type HookEventName } from '../domain/hook/event.js';
import type { HookDecision } from '../domain/hook/outcome.js';
import { t } from '../domain/l10n.js';
import { shownName } from '../text/key-path.js';
import { type JsonObject, isObject } from './plain-json.js';

/** Meaning of a decision word for a call; `none` for a word that only states no objection. */
type Verdict = 'deny' | 'ask' | 'allow' | 'none';

/** A place at which a program documents words that decide. */
interface Form {
  readonly path: readonly string[];
  /** The words, and the switches as texts. */
  readonly words: Readonly<Record<string, Verdict>>;
  readonly isSwitch?: true;
  /** Whether it is only about calls of tools. */
  readonly ofCalls?: true;
}

const PERMISSION = { allow: 'allow', deny: 'deny', ask: 'ask' } as const;

/**
 * All forms that programs document, whichever of them a file is for: one script is often named by the files of several.
 *
 * - Claude Code: `decision`, `hookSpecificOutput.permissionDecision`, `hookSpecificOutput.decision.behavior` (code.claude.com/docs/en/hooks, “Decision
 *   control”), and `ok` (there, “Prompt-based hooks”)
 * - Gemini CLI: `decision` with `allow`, `deny`, and `ask` (geminicli.com/docs/hooks/reference)
 * - Cursor: `permission`, and `decision` with `allow` and `deny` (cursor.com/docs/agent/hooks)
 * - Copilot CLI: `permissionDecision`, and `behavior` (docs.github.com, Copilot CLI hooks reference)
 * - Cline: `cancel` (docs.cline.bot/features/hooks/hook-reference)
 */
const FORMS: readonly Form[] = [
  { path: ['decision'], words: { approve: 'allow', block: 'deny', ...PERMISSION } },
  { path: ['hookSpecificOutput', 'permissionDecision'], words: { ...PERMISSION, defer: 'ask' }, ofCalls: true },
  { path: ['hookSpecificOutput', 'decision', 'behavior'], words: { allow: 'allow', deny: 'deny' }, ofCalls: true },
  { path: ['permissionDecision'], words: PERMISSION, ofCalls: true },
  { path: ['permission'], words: PERMISSION, ofCalls: true },
  { path: ['behavior'], words: { allow: 'allow', deny: 'deny' }, ofCalls: true },
  { path: ['ok'], words: { true: 'none', false: 'deny' }, isSwitch: true },
  { path: ['cancel'], words: { true: 'deny', false: 'none' }, isSwitch: true },
];

/** Events at which a word that decides must not be passed over. */
const GUARDED: ReadonlySet<HookEventName> = new Set([...CALL_GUARDS, 'UserPromptSubmit', 'PreCompact']);

/** Names of fields that decide, in lower case and without punctuation; those of {@link FORMS} and others that people think of. */
const NAMES: ReadonlySet<string> = new Set(
  [
    'decision permission permissions permissiondecision behavior behaviour verdict judgment judgement ruling ok okay cancel cancelled canceled',
    'continue proceed abort aborted halt stop veto',
    'block blocked blocks blocking deny denied denies denial allow allowed allows approve approved approves approval ask asks reject rejected',
    'rejects refuse refused refuses forbid forbidden forbids disallow disallowed prevent prevented permit permitted',
  ].flatMap((names) => names.split(' ')),
);
/** Texts that decide, as the whole of a value. */
const VALUES: ReadonlySet<string> = new Set(
  [
    'deny denied block blocked reject rejected refuse refused forbid forbidden disallow disallowed prevent abort cancel veto allow allowed',
    'approve approved permit permitted ask defer',
  ].flatMap((values) => values.split(' ')),
);
/** Fields with texts for people and models, and with what is not the hook’s own: whatever is in them decides nothing. */
const NO_DECISION: ReadonlySet<string> = new Set(
  [
    'reason stopreason systemmessage permissiondecisionreason message usermessage agentmessage errormessage followupmessage additionalcontext',
    'contextmodification statusmessage hookeventname',
    'updatedinput modifiedargs updatedtooloutput updatedmcptooloutput updatedpermissions toolinput toolargs toolresponse toolresult toolname',
    'prompt terminalsequence watchpaths',
  ].flatMap((names) => names.split(' ')),
);
/** Fields at the top that {@link FORMS} does not have, and that are read elsewhere. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set(['continue']);

/** Decision of a hook's words. */
interface Decided {
  readonly decision: HookDecision;
  /** Whether there was any such word. */
  readonly hasWord: boolean;
}

/**
 * Reads the decision in a hook's JSON: of several words the strictest.
 * @returns a sentence where a word has no meaning at its place, or stands at a place where no program documents one: what it was to decide is not known
 */
export function readDecision(json: JsonObject, event: HookEventName): Decided | string {
  const verdicts: Verdict[] = [];
  const read = new Set<string>();
  for (const form of FORMS.filter(({ ofCalls }) => ofCalls !== true || CALL_GUARDS.has(event))) {
    const value = valueAt(json, form.path);
    if (value === undefined || value === null || (isObject(value) && form.path.length === 1)) continue;
    const verdict = verdictOf(value, form);
    if (verdict === undefined) return wrongValue(form);
    verdicts.push(verdict);
    read.add(form.path.join('.'));
  }
  const stray = GUARDED.has(event) ? strayWord(json, read) : undefined;
  if (stray !== undefined) return t('It printed JSON that may decide something, in a form that no program documents: {0}.', shownName(stray));
  const strictest = (['deny', 'ask', 'allow', 'none'] as const).find((each) => verdicts.includes(each)) ?? 'none';
  return decidedAt(event, strictest, verdicts.length > 0);
}

/** Events that are not calls have nothing to ask about or to allow. */
function decidedAt(event: HookEventName, verdict: Verdict, hasWord: boolean): Decided | string {
  if (CALL_GUARDS.has(event)) return { decision: verdict, hasWord };
  if (verdict === 'ask') return t('It wants you to be asked, which is not possible at the event {0}.', event);
  return { decision: verdict === 'deny' ? 'block' : 'none', hasWord };
}

function verdictOf(value: unknown, { words, isSwitch }: Form): Verdict | undefined {
  if (typeof value !== (isSwitch === true ? 'boolean' : 'string')) return undefined;
  const word = String(value);
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

function wrongValue({ path, words }: Form): string {
  return t('It printed JSON with a field that is not right: {0}. Expected: {1}.', path.join('.'), Object.keys(words).join(', '));
}

function valueAt(json: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), json);
}

/** Where a word that decides stands at a place that was not read; the values are not deep, which was checked. */
function strayWord(value: unknown, read: ReadonlySet<string>, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return VALUES.has(value.trim().toLowerCase()) ? path.join('.') : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const at = [...path, name];
    const place = at.join('.');
    const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (each === null || each === undefined || read.has(place) || NO_DECISION.has(plain) || (path.length === 0 && READ_ELSEWHERE.has(name))) continue;
    // What leads to a word that was read is no word itself.
    const leads = [...read].some((known) => known.startsWith(`${place}.`));
    if (!leads && !Array.isArray(value) && NAMES.has(plain)) return place;
    const below = strayWord(each, read, at);
    if (below !== undefined) return below;
  }
  return undefined;
}
