import type { ContentBlock, ToolCallBlock } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { Timestamp, ToolResultMessage } from '../../domain/model/message.js';
import { denialWords, storedDenial } from '../../domain/tool/denial.js';
import type { HookRecord } from '../../domain/session/session-store.js';
import type { Plan } from '../../domain/tool/tool.js';
import type { AwaitingApproval, ToolCallState } from '../../engine/events.js';
import type { ViewApproval, ViewCallStatus, ViewPreview, ViewToolCall } from '../../protocol/view-state.js';
import { calledThrough } from '../../mcp/tools/meta-tools.js';
import { editableOf } from '../../edits/editable.js';
import { type CallResult, type ResultView, isCancelled, resultView } from './call-result.js';
import { type ShortPath, subjectOf } from './call-topic.js';
import { hookRunViews } from './hook-views.js';

/** A call without what it gave back. */
export type CallView = Omit<ViewToolCall, 'output' | 'images'>;

/** What is known of a call beside its state. */
export interface CallContext {
  /** What allowed it, once that is known. */
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
    ...('result' in state ? factsOf({ name: call.name, status: state.status, content: state.result.content, short }) : {}),
    ...(preview === undefined ? {} : { preview }),
    ...(state.status === 'awaiting_approval' ? { approval: approvalOf(state) } : {}),
    ...(state.status === 'denied' ? { problem: denialWords(state.denial) } : {}),
    ...(why === undefined ? {} : { why }),
    ...(since === undefined || state.status !== 'running' ? {} : { since }),
  };
}

/** What is stored of a call beside the call itself. */
interface PastCall {
  readonly result: ToolResultMessage | undefined;
  /** The stored reason of its denial; absent for a call that was not denied. */
  readonly denied: string | undefined;
  /** The hooks that ran for it. */
  readonly hooks: readonly HookRecord[];
  readonly short: ShortPath;
}

/** A call of a conversation that was read from disk. */
export function viewOfPast(block: ToolCallBlock, { result, denied, hooks, short }: PastCall): ViewToolCall {
  const call = calledThrough(block);
  const status = pastStatus(result, denied);
  const gave = result === undefined ? { output: '' } : { ...resultView({ name: call.name, status, content: result.content, short }), ...imageCount(result) };
  return {
    id: call.id,
    name: call.name,
    ...subjectOf(call, undefined, short),
    status,
    ...(denied === undefined ? {} : { problem: storedWords(denied) }),
    ...(hooks.length === 0 ? {} : { hooks: hookRunViews(hooks, block.arguments) }),
    ...gave,
  };
}

function storedWords(reason: string): string {
  const denial = storedDenial(reason);
  return denial === undefined ? reason : denialWords(denial);
}

function pastStatus(result: ToolResultMessage | undefined, denied: string | undefined): ViewCallStatus {
  if (denied !== undefined) return 'denied';
  if (result === undefined || isCancelled(result)) return 'cancelled';
  return result.isError ? 'failed' : 'done';
}

/** What a result tells beside its output, which travels apart. */
function factsOf(result: CallResult): Omit<ResultView, 'output'> {
  const facts: Partial<ResultView> = { ...resultView(result) };
  Reflect.deleteProperty(facts, 'output');
  return facts;
}

/** How many pictures came with a message; nothing without any. */
export function imageCount({ content }: { readonly content: readonly ContentBlock[] }): { readonly images?: number } {
  const images = content.filter(({ type }) => type === 'image').length;
  return images === 0 ? {} : { images };
}

function approvalOf({ plan, judgment, problem, changed, revision }: AwaitingApproval): ViewApproval {
  const { reasons, plain, proposal, wider, parts, risks, confined } = judgment;
  const editable = editableOf(plan);
  return {
    reasons: plain === true ? [] : reasons,
    ...(editable === undefined ? {} : { editable }),
    ...(changed === undefined ? {} : { changed }),
    ...(revision === 1 ? {} : { revision }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(wider === undefined ? {} : { wider }),
    ...(parts === undefined ? {} : { parts }),
    ...(risks === undefined ? {} : { risks }),
    ...(confined?.work === undefined ? {} : { held: heldWords(confined.work.hosts) }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** What the sandbox would let it do, as a sentence. */
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

/** How many pictures the user attached; nothing without any. */
export function pictureCount(message: { readonly content: readonly ContentBlock[] }): { readonly pictures?: number } {
  const { images } = imageCount(message);
  return images === undefined ? {} : { pictures: images };
}
