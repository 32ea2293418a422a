import { assertNever } from '../../domain/assert-never.js';
import { attachedNames, wordsOf } from '../../domain/session/attached.js';
import type { AssistantContent, ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../../domain/model/message.js';
import type { HookRecord, SessionMeta, TurnCost } from '../../domain/session/session-store.js';
import type { ViewAnswerItem, ViewBlock, ViewItem, ViewUserItem } from '../../protocol/view-state.js';
import { withRound, compactionView } from './session-facts.js';
import type { ShortPath } from './call-topic.js';
import { attachedImageCount, viewOfPast } from './call-view.js';
import { userItemId } from './item-ids.js';
import { unanswered } from './notices.js';
import type { KnownAnswer } from './projector.js';
import type { TaskKind } from '../../domain/model/task-kind.js';

/**
 * The transcript of a stored conversation: as it looked when it was live, without what only the moment knew.
 * @param isAtWork whether the answer to the last message is still to come
 */
export function itemsOf(messages: readonly Message[], meta: SessionMeta, short: ShortPath = (path) => path, isAtWork = false): ViewItem[] {
  const results = new Map<string, ToolResultMessage>();
  for (const message of messages) if (message.role === 'tool_result') results.set(message.toolCallId, message);
  const hooks = new Map<string, HookRecord[]>();
  for (const record of meta.hookRuns ?? []) hooks.set(record.toolCallId, [...(hooks.get(record.toolCallId) ?? []), record]);
  const past = (call: ToolCallBlock): ViewBlock => ({
    type: 'tool',
    call: viewOfPast(call, { result: results.get(call.id), hooks: hooks.get(call.id) ?? [], short }),
  });
  const items: ViewItem[] = [];
  let routedAs: TaskKind | undefined;
  messages.forEach((message, index) => {
    if (message.role === 'user') routedAs = meta.routings?.[index]?.corrected ?? meta.routings?.[index]?.kind;
    items.push(...compactionsAt(index, meta));
    if (message.role === 'user') items.push(userItem(message, index, meta));
    else if (message.role === 'assistant')
      addAnswer(items, message, { index, past, model: meta.models?.[index], turn: meta.turns?.[index], routedAs, replaced: isReplaced(messages, index) });
  });
  markPlan(items.at(-1), meta);
  items.push(...compactionsAt(messages.length, meta));
  if (!isAtWork && messages.length > 0 && messages.at(-1)?.role !== 'assistant') items.push({ kind: 'notice', id: 'unanswered', ...unanswered() });
  return items;
}

/** A session that was left in Plan mode ends with what was said in it. */
function markPlan(last: ViewItem | undefined, { mode }: SessionMeta): void {
  if (mode === 'plan' && last?.kind === 'answer' && last.facts !== undefined) last.facts = { ...last.facts, planned: true };
}

/** Summaries made when there were `at` messages. The last of all is the one in effect. */
function compactionsAt(at: number, { compactions = [] }: SessionMeta): readonly ViewItem[] {
  return compactions.flatMap((compaction, index) => {
    if (compaction.at !== at) return [];
    return [compactionView(`c-${index}`, compaction, index === compactions.length - 1 ? 'active' : 'covered')];
  });
}

interface AnswerContext {
  readonly index: number;
  readonly past: (call: ToolCallBlock) => ViewBlock;
  /** `provider/model`. */
  readonly model: string | undefined;
  /** Cost of the turn that ended with this answer. */
  readonly turn: TurnCost | undefined;
  /** The kind of task that its model was chosen for. */
  readonly routedAs: TaskKind | undefined;
  /** Whether it broke off and was tried again: then only what it took counts. */
  readonly replaced: boolean;
}

function isReplaced(messages: readonly Message[], index: number): boolean {
  const message = messages[index];
  if (message?.role !== 'assistant' || message.stopReason !== 'error') return false;
  return messages.slice(index + 1).find(({ role }) => role !== 'tool_result')?.role === 'assistant';
}

/** The answer that a stored conversation ends with, as it is shown. */
export function lastAnswer(items: readonly ViewItem[], messages: readonly Message[]): KnownAnswer | undefined {
  const answer = items.findLast((item) => item.kind === 'answer');
  const last = messages.findLast(({ role }) => role !== 'tool_result');
  if (answer === undefined) return undefined;
  const broken = last?.role === 'assistant' && last.stopReason === 'error' ? last.content.filter(isShown).length : 0;
  return { id: answer.id, blocks: answer.blocks.length, whole: answer.blocks.length - broken };
}

function userItem(message: UserMessage, index: number, { heldBack = [] }: SessionMeta): ViewUserItem {
  const mark = heldBack.some(({ from, to }) => index >= from && index < to) ? { heldBack: true as const } : {};
  return {
    kind: 'user',
    id: userItemId(index),
    text: wordsOf(message),
    images: attachedNames(message),
    ...attachedImageCount(message),
    time: message.timestamp,
    ...mark,
  };
}

/** Rounds that follow one another are one answer, as they were live. */
function addAnswer(items: ViewItem[], message: AssistantMessage, context: AnswerContext): void {
  const last = items.at(-1);
  const answer = last?.kind === 'answer' ? last : newAnswer(items, message, context.index);
  if (!context.replaced) answer.blocks.push(...message.content.flatMap((block) => blockOf(block, context.past)));
  answer.status = statusOf(message);
  answer.facts = withRound(answer.facts, message, context);
}

function newAnswer(items: ViewItem[], message: AssistantMessage, index: number): ViewAnswerItem {
  const item: ViewAnswerItem = { kind: 'answer', id: `a${index}`, blocks: [], status: 'complete', time: message.timestamp, summary: '' };
  items.push(item);
  return item;
}

function statusOf(message: AssistantMessage): ViewAnswerItem['status'] {
  if (message.stopReason === 'aborted') return 'interrupted';
  return message.stopReason === 'error' ? 'failed' : 'complete';
}

function blockOf(block: AssistantContent, past: AnswerContext['past']): readonly ViewBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'thinking':
      return isShown(block) ? [{ type: 'thinking', text: block.thinking, done: true }] : [];
    case 'tool_call':
      return [past(block)];
    default:
      return assertNever(block);
  }
}

/** Thinking that a model keeps to itself has no text. */
function isShown(block: AssistantContent): boolean {
  return block.type !== 'thinking' || block.thinking !== '';
}
