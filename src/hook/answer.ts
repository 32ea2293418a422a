import * as z from 'zod/mini';
import { t } from '../domain/l10n.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import { type HookEventName, TOOL_EVENTS } from '../domain/hook/event.js';
import type { HookDecision, HookRun } from '../domain/hook/outcome.js';
import type { HookAnswer } from '../domain/hook/runner.js';
import { withoutControls } from './printable.js';

/** Characters of what a hook says to the model; the rest is left out, and it is said that there was more. Claude Code has the same limit. */
export const MAX_CONTEXT = 10_000;
/** Characters of a reason, and of what a hook printed, that are kept. */
const MAX_REASON = 2_000;
const MAX_PRINTED = 10_000;

/** What a hook said, before it is merged with what others said. */
export interface SaidByHook {
  readonly run: HookRun;
  readonly rewritten?: { readonly input: unknown };
  readonly context?: string;
  /** Why the turn is to end. */
  readonly stop?: string;
  /** For the user. */
  readonly message?: string;
}

/** Events at which a hook that does not answer blocks (decision 28). At the others the session goes on with a notice. */
const CLOSED: ReadonlySet<HookEventName> = new Set(['PreToolUse', 'UserPromptSubmit']);
/** Events at which exit code 2 or `decision: "block"` blocks something, or is told to the model. */
const BLOCKING: ReadonlySet<HookEventName> = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop', 'PreCompact']);
/** Events at which plain text on standard output is for the model. */
const PLAIN_CONTEXT: ReadonlySet<HookEventName> = new Set(['UserPromptSubmit', 'SessionStart']);

/** What a hook prints (code.claude.com/docs/en/hooks, "JSON output"). Fields that are not listed are passed over. */
const OUTPUT = z.looseObject({
  continue: z.optional(z.boolean()),
  stopReason: z.optional(z.string()),
  suppressOutput: z.optional(z.boolean()),
  systemMessage: z.optional(z.string()),
  decision: z.optional(z.enum(['approve', 'block'])),
  reason: z.optional(z.string()),
  hookSpecificOutput: z.optional(
    z.looseObject({
      hookEventName: z.optional(z.string()),
      permissionDecision: z.optional(z.enum(['allow', 'deny', 'ask'])),
      permissionDecisionReason: z.optional(z.string()),
      updatedInput: z.optional(z.record(z.string(), z.unknown())),
      additionalContext: z.optional(z.string()),
      decision: z.optional(z.looseObject({ behavior: z.enum(['allow', 'deny']), message: z.optional(z.string()) })),
    }),
  ),
});
type Output = z.infer<typeof OUTPUT>;

/**
 * Makes of how a hook ended what it said.
 *
 * - Exit code 0: JSON on standard output decides; other text is for the model at the events of {@link PLAIN_CONTEXT} and is kept
 *   for the record elsewhere; nothing printed is no opinion.
 * - Exit code 2 blocks whatever was printed; the reason is that of the JSON where it blocks, else standard error.
 * - Any other end is no answer. At events that guard something, that blocks.
 */
export function interpret(hook: HookDefinition, answer: HookAnswer): SaidByHook {
  switch (answer.type) {
    case 'exited':
      return ofExit(hook, answer);
    case 'responded':
      return answer.status >= 200 && answer.status < 300 ? ofPrinted(hook, answer, answer.body) : unanswered(hook, answer, 'failed', t('The server responded with status {0}.', answer.status));
    case 'timed_out':
      return unanswered(hook, answer, 'timed_out', t('It took longer than {0} seconds and was stopped.', hook.timeoutMs / 1_000));
    case 'killed':
      return unanswered(hook, answer, 'killed', t('It was ended by the signal {0}.', answer.signal));
    case 'aborted':
      return unanswered(hook, answer, 'killed', t('It was stopped before it answered.'));
    case 'not_started':
      return unanswered(hook, answer, 'not_started', answer.why);
  }
}

type Exited = Extract<HookAnswer, { type: 'exited' }>;

function ofExit(hook: HookDefinition, answer: Exited): SaidByHook {
  if (answer.exitCode === 0) return ofPrinted(hook, answer, answer.stdout);
  if (answer.exitCode === 2) return ofBlock(hook, answer);
  const [line = ''] = withoutControls(answer.stderr).trim().split('\n');
  const said = line === '' ? t('It ended with exit code {0}.', answer.exitCode) : t('It ended with exit code {0}: {1}', answer.exitCode, line.slice(0, MAX_REASON));
  const advice = answer.exitCode === 1 && BLOCKING.has(hook.event) ? ` ${t('To block, a hook ends with exit code 2.')}` : '';
  return unanswered(hook, answer, 'failed', `${said}${advice}`);
}

/** What interpreters say, with the exit code that means “block”, when they could not open their script. */
const NO_SCRIPT = /can't open file|cannot open (?:file|script)|no such file or directory/i;

function ofBlock(hook: HookDefinition, answer: Exited): SaidByHook {
  const stderr = withoutControls(answer.stderr).trim();
  if (answer.stdout.length === 0 && NO_SCRIPT.test(stderr)) return unanswered(hook, answer, 'not_started', t('Its script could not be opened: {0}', stderr.slice(0, MAX_REASON)));
  const printed = parse(textOf(answer.stdout));
  const reason = printed.type === 'json' && blocks(printed.output) ? reasonOf(printed.output) : undefined;
  const words = (reason ?? stderr).slice(0, MAX_REASON);
  return { run: { ...recordOf(hook, answer, 'answered'), decision: BLOCKING.has(hook.event) ? blockingDecision(hook.event) : 'none', reason: words === '' ? t('It gave no reason.') : words } };
}

function ofPrinted(hook: HookDefinition, answer: HookAnswer, bytes: Uint8Array): SaidByHook {
  const text = textOf(bytes);
  const printed = parse(text);
  if (printed.type === 'invalid') return unanswered(hook, answer, 'garbage', printed.problem);
  const record = recordOf(hook, answer, 'answered');
  if (printed.type === 'json') return ofOutput(hook, record, printed.output);
  const plain = withoutControls(text).trim();
  return { run: { ...record, decision: 'none' }, ...(plain !== '' && PLAIN_CONTEXT.has(hook.event) ? { context: cutContext(plain) } : {}) };
}

function ofOutput(hook: HookDefinition, record: Omit<HookRun, 'decision'>, output: Output): SaidByHook {
  const { hookSpecificOutput: specific = {}, systemMessage, stopReason } = output;
  const reason = reasonOf(output);
  const rewrites = TOOL_EVENTS.has(hook.event) && specific.updatedInput !== undefined && hook.event !== 'PostToolUse' && hook.event !== 'PostToolUseFailure';
  return {
    run: { ...record, decision: decisionOf(hook.event, output), ...(reason === undefined ? {} : { reason: withoutControls(reason).slice(0, MAX_REASON) }), ...(rewrites ? { rewrote: true as const } : {}) },
    ...(rewrites ? { rewritten: { input: specific.updatedInput } } : {}),
    ...(specific.additionalContext === undefined ? {} : { context: cutContext(withoutControls(specific.additionalContext)) }),
    ...(output.continue === false ? { stop: withoutControls(stopReason ?? reason ?? t('It gave no reason.')).slice(0, MAX_REASON) } : {}),
    ...(systemMessage === undefined ? {} : { message: withoutControls(systemMessage).slice(0, MAX_REASON) }),
  };
}

function decisionOf(event: HookEventName, output: Output): HookDecision {
  const specific = output.hookSpecificOutput;
  const said = specific?.permissionDecision ?? specific?.decision?.behavior;
  if (said !== undefined && (event === 'PreToolUse' || event === 'PermissionRequest')) return said;
  if (output.decision === 'block') return BLOCKING.has(event) ? blockingDecision(event) : 'none';
  return output.decision === 'approve' && event === 'PreToolUse' ? 'allow' : 'none';
}

function blocks(output: Output): boolean {
  return output.decision === 'block' || output.continue === false || output.hookSpecificOutput?.permissionDecision === 'deny';
}

function blockingDecision(event: HookEventName): HookDecision {
  return event === 'PreToolUse' || event === 'PermissionRequest' ? 'deny' : 'block';
}

function reasonOf({ reason, hookSpecificOutput: specific }: Output): string | undefined {
  return specific?.permissionDecisionReason ?? specific?.decision?.message ?? reason;
}

/** A hook that was asked and has not answered. Where it guards something, that never counts as permission. */
function unanswered(hook: HookDefinition, answer: HookAnswer, end: HookRun['end'], reason: string): SaidByHook {
  const closed = hook.onFailure === undefined ? CLOSED.has(hook.event) : hook.onFailure === 'block' && BLOCKING.has(hook.event);
  return { run: { ...recordOf(hook, answer, end), decision: closed ? blockingDecision(hook.event) : 'none', reason } };
}

function recordOf(hook: HookDefinition, answer: HookAnswer, end: HookRun['end']): Omit<HookRun, 'decision'> {
  const stdout = answer.type === 'exited' ? answer.stdout : answer.type === 'responded' ? answer.body : new Uint8Array();
  const stderr = 'stderr' in answer ? answer.stderr : '';
  return {
    hook,
    end,
    durationMs: Math.round(answer.durationMs),
    stdout: withoutControls(textOf(stdout.subarray(0, MAX_PRINTED))),
    stderr: withoutControls(stderr.slice(0, MAX_PRINTED)),
    ...(answer.type === 'exited' ? { exitCode: answer.exitCode } : {}),
  };
}

/** What a hook printed: JSON by the schema, plain text, or something that was to be JSON and is not. */
type Printed = { readonly type: 'json'; readonly output: Output } | { readonly type: 'plain' } | { readonly type: 'invalid'; readonly problem: string };

/** Only text that begins with a brace is to be JSON: other text is what scripts print on the way. */
function parse(text: string): Printed {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!trimmed.startsWith('{')) return { type: 'plain' };
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    // Why it is not JSON would not help the user more than that it is not.
    return { type: 'invalid', problem: t('It printed something that begins like JSON and is not.') };
  }
  const read = OUTPUT.safeParse(value);
  if (read.success) return { type: 'json', output: read.data };
  const [issue] = read.error.issues;
  return { type: 'invalid', problem: t('It printed JSON with a field that is not right: {0}.', issue?.path.join('.') ?? '') };
}

function cutContext(text: string): string {
  if (text.length <= MAX_CONTEXT) return text;
  return `${text.slice(0, MAX_CONTEXT)}\n[${text.length - MAX_CONTEXT} more characters of this hook’s output are left out.]`;
}

/** Bytes that are no text become replacement characters. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
