import { present } from '../domain/present.js';
import { type HookDefinition, failsClosed, hookName } from '../domain/hook/definition.js';
import { CALL_GUARDS, type HookEventName } from '../domain/hook/event.js';
import type { HookBlock, HookDecision, HookEnd, HookRun } from '../domain/hook/outcome.js';
import type { HookAnswer } from '../domain/hook/runner.js';
import { showUnseen } from '../domain/hidden-characters.js';
import { formatNumber, t } from '../domain/l10n.js';
import { headOf } from '../text/show.js';
import { type AnswerFields, readAnswer } from './answer-fields.js';
import { readDecision } from './decision-words.js';
import { vocabularyOf } from './foreign-input.js';
import type { JsonObject } from './plain-json.js';
import { type Printed, sortPrinted } from './printed.js';

/** Characters of a text of a hook that models and users get (code.claude.com/docs/en/hooks). */
export const MAX_TEXT = 10_000;
/** Characters of what a hook printed that are kept with a call. */
const MAX_PRINTED = 10_000;
/** Characters of a line that is quoted in a notice. */
const MAX_LINE = 300;

/** Puts the whole of a text that is too long into a file. @returns its absolute path; nothing where there is no place for it */
export type KeepText = (text: string, hook: HookDefinition) => Promise<string | undefined>;

/** Result of one hook. */
export interface HookResult {
  readonly run: HookRun;
  readonly block?: HookBlock;
  /** As {@link AnswerFields.input}. */
  readonly input?: JsonObject;
  readonly context: readonly string[];
  readonly messages: readonly string[];
  readonly stop?: string;
  /** One-time notice for the user, such as that the output decided nothing. */
  readonly notice?: string;
}

/** Interpretation of a hook's output, before texts are cut. */
interface Meaning {
  readonly end: HookEnd;
  readonly decision: HookDecision;
  readonly reason?: string;
  readonly block?: HookBlock['kind'];
  readonly input?: JsonObject;
  readonly context?: readonly string[];
  readonly messages?: readonly string[];
  readonly stop?: string;
  readonly notice?: string;
}

/** Events in which a hook can block what is about to happen. In `PermissionRequest` exit code 2 counts as well, as its author means it so. */
const BLOCKING: ReadonlySet<HookEventName> = new Set([...CALL_GUARDS, 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact']);
/** Events whose hooks are there to decide: one that does not is worth knowing of. */
const DECIDING: ReadonlySet<HookEventName> = new Set([...CALL_GUARDS, 'UserPromptSubmit']);
/** Events whose plain output is for the model. */
const TEXT_IS_CONTEXT: ReadonlySet<HookEventName> = new Set(['UserPromptSubmit', 'SessionStart']);

/**
 * Interprets the output of a hook for its event. Exit code 0 has JSON or a text, 2 blocks whatever was printed, 126 and 127 mean that it
 * could not be started, and with all others JSON that is valid can forbid and ask, but allows nothing. Whether a hook that did
 * not answer blocks is a matter of {@link failsClosed}. docs/hooks.md has the table.
 */
export async function interpretAnswer(hook: HookDefinition, answer: HookAnswer, keep: KeepText): Promise<HookResult> {
  const meaning = meaningOf(hook, answer);
  const cut = async (text: string): Promise<string> => cutText(showUnseen(text), hook, keep);
  const { end, decision, input } = meaning;
  const reason = meaning.reason === undefined ? undefined : await cut(meaning.reason);
  const run: HookRun = {
    hook,
    end,
    ...(answer.type === 'exited' ? { exitCode: answer.exitCode } : {}),
    durationMs: answer.durationMs,
    decision,
    ...present({ reason }),
    ...(input === undefined ? {} : { rewrote: true }),
    ...printedOf(answer),
  };
  return {
    run,
    ...(meaning.block === undefined ? {} : { block: { kind: meaning.block, by: hookName(hook), reason: reason ?? '' } }),
    ...present({ input }),
    context: await Promise.all((meaning.context ?? []).map(cut)),
    messages: await Promise.all((meaning.messages ?? []).map(cut)),
    ...(meaning.stop === undefined ? {} : { stop: await cut(meaning.stop) }),
    ...present({ notice: meaning.notice }),
  };
}

function meaningOf(hook: HookDefinition, answer: HookAnswer): Meaning {
  switch (answer.type) {
    case 'aborted':
      return unanswered(hook, 'killed', t('It was stopped before it answered.'), failsClosed({ event: hook.event }));
    case 'killed':
      return unanswered(hook, 'killed', t('It was ended by the signal {0}.', answer.signal));
    case 'timed_out':
      return unanswered(hook, 'timed_out', t('It took longer than {0} seconds and was stopped.', formatNumber(hook.timeoutMs / 1_000)));
    case 'not_started':
      return unanswered(hook, 'not_started', answer.why);
    case 'responded':
      if (answer.status < 200 || answer.status > 299) return unanswered(hook, 'failed', t('The server responded with status {0}.', answer.status));
      return said(hook, sortPrinted(answer.body, answer.cut === true));
    case 'exited':
      return exited(hook, answer);
  }
}

function exited(hook: HookDefinition, answer: Extract<HookAnswer, { type: 'exited' }>): Meaning {
  const { exitCode, stderr } = answer;
  const printed = sortPrinted(answer.stdout, answer.cut === true);
  if (exitCode === 0) return said(hook, printed);
  if (exitCode === 2) {
    if (printed.type === 'nothing' && couldNotOpenScript(stderr))
      return unanswered(hook, 'not_started', t('Its script could not be opened: {0}', firstLine(stderr)));
    const fields = printed.type === 'json' ? readAnswer(printed.value, hook) : undefined;
    return blocked(hook, fields === undefined || typeof fields === 'string' ? undefined : fields, stderr);
  }
  if (exitCode === 126 || exitCode === 127) return unanswered(hook, 'not_started', withLine(t('It could not be started (exit code {0}).', exitCode), stderr));
  return failed(hook, exitCode, printed, stderr);
}

/** An exit code that says neither yes nor no. */
function failed(hook: HookDefinition, exitCode: number, printed: Printed, stderr: string): Meaning {
  if (printed.type === 'garbage') return unanswered(hook, 'garbage', printed.why);
  const meaning = printed.type === 'json' && hook.onFailure !== 'block' ? withoutPermission(said(hook, printed)) : undefined;
  if (meaning !== undefined && (meaning.decision !== 'none' || meaning.stop !== undefined || !failsClosed(hook))) return { ...meaning, end: 'failed' };
  const line = firstLine(stderr);
  const notice = line === '' ? t('It ended with exit code {0}.', exitCode) : t('It ended with exit code {0}: {1}', exitCode, line);
  const advice = exitCode === 1 && BLOCKING.has(hook.event) ? [t('To block, a hook ends with exit code 2.')] : [];
  return unanswered(hook, 'failed', [notice, ...advice].join(' '));
}

/** A hook that failed can forbid and ask, and what it said is passed on; it allows and changes nothing. */
function withoutPermission({ input: _input, ...meaning }: Meaning): Meaning {
  return meaning.decision === 'allow' ? { ...meaning, decision: 'none' } : meaning;
}

/** Interprets the output of a successful hook. */
function said(hook: HookDefinition, printed: Printed): Meaning {
  switch (printed.type) {
    case 'nothing':
      return { end: 'answered', decision: 'none' };
    case 'text': {
      if (isOverlooked(hook, printed.holds))
        return unanswered(hook, 'garbage', t('It printed text beside JSON that may decide something. A hook prints JSON alone.'));
      const vocabulary = vocabularyOf(hook);
      const isContext = TEXT_IS_CONTEXT.has(hook.event) && (vocabulary === 'claude' || vocabulary === 'vscode');
      return { end: 'answered', decision: 'none', ...(isContext ? { context: [printed.text] } : {}) };
    }
    case 'garbage':
      return unanswered(hook, 'garbage', printed.why);
    case 'json': {
      const fields = readAnswer(printed.value, hook);
      return typeof fields === 'string' ? unanswered(hook, 'garbage', fields) : answered(hook, fields);
    }
  }
}

function answered(hook: HookDefinition, fields: AnswerFields): Meaning {
  const { decision, reason, input, isEmpty } = fields;
  if (decision === 'deny' || decision === 'block') return blocked(hook, fields, '');
  const notice =
    isEmpty && DECIDING.has(hook.event) ? { notice: t('It printed JSON that decides nothing. To forbid something, a hook ends with exit code 2.') } : {};
  return { ...besides(fields), end: 'answered', decision, ...present({ reason, input }), ...notice };
}

/** Whether a call would go on although JSON in a text of the hook may forbid it. At other events, a text may be about anything. */
function isOverlooked({ event }: HookDefinition, objects: readonly JsonObject[]): boolean {
  if (!CALL_GUARDS.has(event)) return false;
  return objects.map((each) => readDecision(each, event)).some((decided) => typeof decided === 'string' || decided.hasWord);
}

/** A hook that says no; what that means depends on the event. */
function blocked(hook: HookDefinition, fields: AnswerFields | undefined, stderr: string): Meaning {
  const ownReason = fields?.decision === 'deny' || fields?.decision === 'block' ? fields.reason : undefined;
  const reason = ownReason ?? (stderr.trim() === '' ? t('It gave no reason.') : stderr.trim());
  const more = fields === undefined ? {} : besides(fields);
  if (BLOCKING.has(hook.event)) return { ...more, end: 'answered', decision: CALL_GUARDS.has(hook.event) ? 'deny' : 'block', reason, block: 'denied' };
  // It is too late to block: for a tool that ran, the model gets the reason; otherwise, the user does.
  if (hook.event === 'PostToolUse' || hook.event === 'PostToolUseFailure') {
    return { ...more, end: 'answered', decision: 'block', reason, context: [reason, ...(more.context ?? [])] };
  }
  return { ...more, end: 'answered', decision: 'none', reason, messages: [reason, ...(more.messages ?? [])] };
}

function besides({ context, message, stops, stopReason }: AnswerFields): Pick<Meaning, 'context' | 'messages' | 'stop'> {
  return {
    ...(context === undefined ? {} : { context: [context] }),
    ...(message === undefined ? {} : { messages: [message] }),
    ...(stops ? { stop: stopReason ?? t('A hook ended the turn.') } : {}),
  };
}

/** A hook that was to decide and did not. */
function unanswered(hook: HookDefinition, end: HookEnd, reason: string, closes = failsClosed(hook)): Meaning {
  if (!closes) return { end, decision: 'none', reason, messages: [reason] };
  return { end, decision: CALL_GUARDS.has(hook.event) ? 'deny' : 'block', reason, block: 'unanswered' };
}

/**
 * Whether an interpreter says that there is no script, with the exit code by which hooks block: Python, Perl, and dash. It must be
 * all that was printed, so that a script which did run is not taken for one that did not.
 */
function couldNotOpenScript(stderr: string): boolean {
  const [line = '', ...others] = stderr.trim().split('\n');
  if (others.length > 0 || line.length > 2_000) return false;
  return /^\S*python[\d.]*(?:\.exe)?: can't open file /i.test(line) || /^Can't open perl script /.test(line) || /^\S*sh: 0: (?:cannot|Can't) open /.test(line);
}

function withLine(sentence: string, stderr: string): string {
  const line = firstLine(stderr);
  return line === '' ? sentence : `${sentence} ${line}`;
}

function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  return line.length > MAX_LINE ? `${headOf(line, MAX_LINE)}…` : line.trimEnd();
}

async function cutText(text: string, hook: HookDefinition, keep: KeepText): Promise<string> {
  if (text.length <= MAX_TEXT) return text;
  const head = headOf(text, MAX_TEXT);
  // Where it could not be kept, the model learns that the rest is left out.
  const file = await keep(text, hook).catch(() => undefined);
  const left = text.length - head.length;
  return `${head}\n[${left} more characters of this hook’s output are left out${file === undefined ? '.' : `; all of it is in ${file}.`}]`;
}

function printedOf(answer: HookAnswer): Pick<HookRun, 'stdout' | 'stderr'> {
  const bytes = answer.type === 'exited' ? answer.stdout : answer.type === 'responded' ? answer.body : new Uint8Array();
  // A character of UTF-8 has at most 4 bytes.
  const stdout = headOf(new TextDecoder().decode(bytes.subarray(0, MAX_PRINTED * 4)), MAX_PRINTED);
  return { stdout, stderr: 'stderr' in answer ? headOf(answer.stderr, MAX_PRINTED) : '' };
}
