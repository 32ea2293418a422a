import type { ContentBlock, ToolCallBlock } from '../../../domain/model/content.js';
import { t } from '../../../domain/l10n.js';
import type { ToolResultMessage } from '../../../domain/model/message.js';
import type { Plan } from '../../../domain/tool/tool.js';
import type { AwaitingApproval, ToolCallState } from '../../../engine/events.js';
import type { ViewApproval, ViewPreview, ViewToolCall } from '../../../protocol/view-state.js';
import { editableOf } from '../../edits/proposals/proposal-text.js';

/** Characters of a subject that was read from arguments not yet planned. */
const MAX_SUBJECT = 200;
/** The argument that says what a call is about, by habit of the built-in tools. */
const SUBJECT_KEYS = ['file_path', 'command', 'pattern', 'path'] as const;

/** A call as it is shown in one of its states; its output travels apart. `why` says what allowed it, once that is known. */
export function viewOfState(call: ToolCallBlock, state: ToolCallState, why?: string): Omit<ViewToolCall, 'output' | 'images'> {
  const plan = 'plan' in state ? state.plan : undefined;
  const preview = previewOf(plan);
  return {
    id: call.id,
    name: call.name,
    subject: plan?.subject ?? subjectOf(call),
    status: state.status,
    ...(preview === undefined ? {} : { preview }),
    ...(state.status === 'awaiting_approval' ? { approval: approvalOf(state) } : {}),
    ...(state.status === 'denied' ? { problem: state.reason } : {}),
    ...(why === undefined ? {} : { why }),
  };
}

/** A call of a conversation that was read from disk. */
export function viewOfPast(call: ToolCallBlock, result: ToolResultMessage | undefined, denied: string | undefined): ViewToolCall {
  const gave = result === undefined ? { output: '' } : { output: resultText(result), ...imageCount(result) };
  const base = { id: call.id, name: call.name, subject: subjectOf(call), ...gave };
  if (denied !== undefined) return { ...base, status: 'denied', problem: denied };
  if (result === undefined) return { ...base, status: 'cancelled' };
  return { ...base, status: result.isError ? 'failed' : 'done' };
}

/** What a result says, for the user; its pictures are shown apart. */
export function resultText(result: Pick<ToolResultMessage, 'content'>): string {
  return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** How many pictures came with a message; nothing without any. */
export function imageCount({ content }: { readonly content: readonly ContentBlock[] }): { readonly images?: number } {
  const images = content.filter(({ type }) => type === 'image').length;
  return images === 0 ? {} : { images };
}

function approvalOf({ plan, judgment, problem, changed, revision }: AwaitingApproval): ViewApproval {
  const { reasons, plain, proposal, parts, risks, confined } = judgment;
  const editable = editableOf(plan);
  return {
    reasons: plain === true ? [] : reasons,
    ...(editable === undefined ? {} : { editable }),
    ...(changed === undefined ? {} : { changed }),
    ...(revision === 1 ? {} : { revision }),
    ...(proposal === undefined ? {} : { proposal }),
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

/** Reads the subject out of raw arguments; empty while they are not whole. */
function subjectOf(call: ToolCallBlock): string {
  let args: unknown;
  try {
    args = JSON.parse(call.arguments);
  } catch {
    // Arguments still streaming or cut off have no subject yet.
    return '';
  }
  if (typeof args !== 'object' || args === null) return '';
  for (const key of SUBJECT_KEYS) {
    const value: unknown = Reflect.get(args, key);
    if (typeof value === 'string') return value.slice(0, MAX_SUBJECT);
  }
  return '';
}
