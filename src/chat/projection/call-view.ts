import { useLabel } from '../../domain/tool/model-use.js';
import { present } from '../../domain/present.js';
import { hookName } from '../../domain/hook/definition.js';
import type { HookOutcome, HookRun } from '../../domain/hook/outcome.js';
import type { ContentBlock, ToolCallBlock } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { Timestamp, ToolResultMessage } from '../../domain/model/message.js';
import { denialWords } from '../../domain/tool/denial.js';
import { type CallOutcome, plainOutcome, type RanInstead, statusOf } from '../../domain/tool/outcome.js';
import type { HookRecord } from '../../domain/session/session-store.js';
import type { Plan, ToolResult } from '../../domain/tool/tool.js';
import type { AwaitingApproval, ToolCallState } from '../../engine/events.js';
import type { ViewApproval, ViewHookRun, ViewPreview, ViewToolCall } from '../../protocol/view-state.js';
import { calledThrough } from '../../mcp/tools/meta-tools.js';
import { editableOf } from '../../edits/editable.js';
import { type ResultView, resultView } from './call-result.js';
import { type ShortPath, subjectOf } from './call-topic.js';
import type { Notice } from './notices.js';

/** Characters of arguments that are shown. */
const MAX_ASKED = 2_000;

/** The hooks that ran for a tool call, as they are shown with it, live and from the disk. @param asked the arguments that the model had sent, as JSON */
export function hookRunViews(records: readonly HookRecord[], asked: string): readonly ViewHookRun[] {
  return records.map(({ event, by, decision, durationMs, failed, rewrote, reason }) => ({
    event,
    by,
    decision,
    durationMs,
    ...present({ failed }),
    ...(rewrote === undefined ? {} : { rewrote, asked: asked.slice(0, MAX_ASKED) }),
    ...present({ reason }),
  }));
}

/** Notices about hooks: their messages to the user, and failures that are not shown with a call. A blocked call shows its own reason. */
export function noticesOfHooks({ runs, messages }: HookOutcome, withCall: boolean): readonly Notice[] {
  const failed = withCall ? [] : runs.filter(({ end, decision }) => end !== 'answered' && decision === 'none').map(failure);
  return [...messages.map(({ by, text }) => t('The hook {0} says: {1}', by, text)), ...failed].map((text) => ({ level: 'warning', text, actions: [] }));
}

function failure({ hook, reason }: HookRun): string {
  return t('The hook {0} failed: {1}', hookName(hook), reason ?? t('No reason was given.'));
}

/** A call without what it gave back. */
export type CallView = Omit<ViewToolCall, 'output' | 'images'>;

/** Facts about a call, beside its state. */
export interface CallContext {
  /** Reason why it was allowed, once known. */
  readonly why?: string | undefined;
  /** Since when it runs, once it does. */
  readonly since?: Timestamp | undefined;
  readonly short: ShortPath;
}

/** A call as it is shown in one of its states; its output travels apart. */
export function viewOfState(block: ToolCallBlock, state: ToolCallState, { why, since, short }: CallContext): CallView {
  const call = calledThrough(block);
  const plan = 'plan' in state ? state.plan : undefined;
  const preview = previewOf(plan);
  return {
    id: call.id,
    name: call.name,
    ...subjectOf(call, plan, short),
    status: state.status,
    ...('result' in state ? factsOf(state.result, short) : {}),
    ...present({ preview }),
    ...(state.status === 'awaiting_approval' ? { approval: approvalOf(state) } : {}),
    ...(state.status === 'denied' ? { problem: denialWords(state.denial) } : {}),
    ...present({ why }),
    ...(since === undefined || state.status !== 'running' ? {} : { since }),
  };
}

/** Stored facts about a call, beside the call itself. */
interface PastCall {
  readonly result: ToolResultMessage | undefined;
  /** The hooks that ran for it. */
  readonly hooks: readonly HookRecord[];
  readonly short: ShortPath;
}

/** A call of a conversation that was read from disk. */
export function viewOfPast(block: ToolCallBlock, { result, hooks, short }: PastCall): ViewToolCall {
  const call = calledThrough(block);
  const outcome = result === undefined ? undefined : outcomeOf(result);
  const gave =
    result === undefined || outcome === undefined ? { output: '' } : { ...resultView({ content: result.content, outcome, short }), ...imageCount(result) };
  return {
    id: call.id,
    name: call.name,
    ...(outcome?.ran === undefined ? subjectOf(call, undefined, short) : { subject: outcome.ran.subject, why: changedBy(outcome.ran) }),
    status: outcome === undefined ? 'cancelled' : statusOf(outcome),
    ...(hooks.length === 0 ? {} : { hooks: hookRunViews(hooks, block.arguments) }),
    ...gave,
  };
}

/** Why something else ran than the model had asked for. */
function changedBy({ by }: RanInstead): string {
  return by === 'user' ? t('You changed it and allowed it.') : t('A hook changed it.');
}

/** Outcome of a call, from its result. */
export function outcomeOf({ outcome, isError }: Pick<ToolResultMessage, 'outcome' | 'isError'>): CallOutcome {
  return outcome ?? plainOutcome(isError);
}

/** Facts of a result; its output is sent separately. */
function factsOf(result: ToolResult, short: ShortPath): Omit<ResultView, 'output'> {
  const facts: Partial<ResultView> = { ...resultView({ content: result.content, outcome: outcomeOf(result), short }) };
  Reflect.deleteProperty(facts, 'output');
  return facts;
}

/** Number of images in a message; empty for none. */
export function imageCount({ content }: { readonly content: readonly ContentBlock[] }): { readonly images?: number } {
  const images = content.filter(({ type }) => type === 'image').length;
  return images === 0 ? {} : { images };
}

function approvalOf({ plan, judgment, problem, changed, revision, deciding }: AwaitingApproval): ViewApproval {
  const { reasons, plain, proposal, uses, wider, parts, risks, confined, place } = judgment;
  const editable = editableOf(plan);
  return {
    reasons: [
      ...(plain === true ? [] : reasons),
      ...(deciding === undefined ? [] : [t('The hook {0} is asked at the same time. If it denies this, it does not run.', deciding)]),
    ],
    ...present({ editable, changed }),
    ...(revision === 1 ? {} : { revision }),
    ...present({ proposal, binds: uses && useLabel(uses), wider, parts, risks, place }),
    ...(confined?.work === undefined ? {} : { held: heldWords(confined.work.hosts) }),
    ...present({ problem }),
  };
}

/** Sandbox limits for a call, as a sentence. */
function heldWords(hosts: readonly string[]): string {
  if (hosts.includes('*')) return t('It runs in a sandbox: it can change the workspace, temporary files, and caches, and access the network.');
  if (hosts.length === 0) return t('It runs in a sandbox: it can change the workspace, temporary files, and caches, but has no network access.');
  return t('It runs in a sandbox: it can change the workspace, temporary files, and caches, and connect to {0}.', hosts.join(', '));
}

function previewOf(plan: Plan | undefined): ViewPreview | undefined {
  const preview = plan?.preview;
  // The plan of work has a place of its own in the chat.
  return preview === undefined || preview.kind === 'none' || preview.kind === 'todos' ? undefined : preview;
}

/** Number of images that the user attached; empty for none. */
export function attachedImageCount(message: { readonly content: readonly ContentBlock[] }): { readonly imageCount?: number } {
  const { images } = imageCount(message);
  return images === undefined ? {} : { imageCount: images };
}
