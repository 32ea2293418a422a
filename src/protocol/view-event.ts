import { present } from '../domain/present.js';
import { assertNever } from '../domain/assert-never.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import type { ViewAnswerFacts, ViewAnswerItem, ViewAnswerStatus, ViewBlock, ViewCompactionItem, ViewItem, ViewState, ViewToolCall } from './view-state.js';

/** A change of a {@link ViewState}. Text travels as deltas only, never as accumulated text. */
export type ViewEvent =
  | { readonly type: 'item_added'; readonly item: ViewItem }
  /** Replaces a compaction item of the same id. */
  | { readonly type: 'compaction'; readonly item: ViewCompactionItem }
  | { readonly type: 'block_added'; readonly item: string; readonly block: ViewBlock }
  /** Takes away the blocks from an index on: what an attempt brought that is made again. */
  | { readonly type: 'blocks_removed'; readonly item: string; readonly from: number }
  /** More text of a text or thinking block. */
  | { readonly type: 'delta'; readonly item: string; readonly block: number; readonly delta: string }
  /** `ms` is how long the thinking took. */
  | { readonly type: 'thinking_done'; readonly item: string; readonly block: number; readonly ms?: number }
  /** A call changed; replaces all of it but what it gave back. */
  | { readonly type: 'call'; readonly item: string; readonly block: number; readonly call: Omit<ViewToolCall, 'output' | 'images'> }
  | { readonly type: 'call_output'; readonly item: string; readonly block: number; readonly delta: string }
  /** The output as a whole, such as the result of a finished call, and how many images came with it. */
  | { readonly type: 'call_result'; readonly item: string; readonly block: number; readonly output: string; readonly images?: number }
  | { readonly type: 'answer_status'; readonly item: string; readonly status: ViewAnswerStatus; readonly summary: string; readonly facts?: ViewAnswerFacts }
  /** An answer’s model was chosen for a task of that kind, as the user says now. */
  | { readonly type: 'routed'; readonly item: string; readonly kind: TaskKind }
  /** Marks the user's messages that are not sent any more; all others are. */
  | { readonly type: 'held_back'; readonly items: readonly string[] }
  /** Replaces the fields given. */
  | { readonly type: 'meta'; readonly patch: Partial<Omit<ViewState, 'items'>> };

/** Characters of a call's output that a view keeps; the rest is in the session and the log file. */
export const MAX_VIEW_OUTPUT = 100_000;

/**
 * Applies an event to a state in place. The host and every panel run the same function, so that a state that got every
 * event equals a snapshot taken later. Events for items or blocks that are not there change nothing.
 */
export function applyViewEvent(state: ViewState, event: ViewEvent): void {
  switch (event.type) {
    case 'item_added':
      state.items.push(event.item);
      return;
    case 'compaction':
      replaceItem(state, event.item);
      return;
    case 'meta':
      Object.assign(state, event.patch);
      return;
    case 'held_back':
      return markHeldBack(state, new Set(event.items));
    case 'answer_status':
      setStatus(findAnswer(state, event.item), event);
      return;
    case 'routed':
      return markRouted(findAnswer(state, event.item), event.kind);
    case 'block_added':
    case 'blocks_removed':
      return changeBlocks(findAnswer(state, event.item)?.blocks, event);
    default:
      changeBlock(findAnswer(state, event.item)?.blocks[event.block], event);
  }
}

function changeBlocks(blocks: ViewBlock[] | undefined, event: Extract<ViewEvent, { type: 'block_added' | 'blocks_removed' }>): void {
  if (event.type === 'block_added') blocks?.push(event.block);
  else blocks?.splice(event.from);
}

type BlockEvent = Extract<ViewEvent, { block: number }>;

function changeBlock(block: ViewBlock | undefined, event: BlockEvent): void {
  if (block === undefined) return;
  switch (event.type) {
    case 'delta':
      if (block.type !== 'tool') block.text += event.delta;
      return;
    case 'thinking_done':
      if (block.type === 'thinking') endThinking(block, event.ms);
      return;
    case 'call':
      if (block.type === 'tool') block.call = { ...event.call, ...gaveBack(block.call) };
      return;
    case 'call_output':
      if (block.type === 'tool') block.call = { ...block.call, output: tail(block.call.output + event.delta) };
      return;
    case 'call_result':
      if (block.type === 'tool') block.call = { ...block.call, ...gaveBack({ output: tail(event.output), images: event.images }) };
      return;
    default:
      assertNever(event);
  }
}

function endThinking(block: Extract<ViewBlock, { type: 'thinking' }>, ms: number | undefined): void {
  block.done = true;
  if (ms !== undefined) block.ms = ms;
}

function gaveBack({ output, images }: { output: string; images?: number | undefined }): Pick<ViewToolCall, 'output' | 'images'> {
  return { output, ...present({ images }) };
}

function findAnswer(state: ViewState, id: string): ViewAnswerItem | undefined {
  const item = state.items.findLast((candidate) => candidate.id === id);
  return item?.kind === 'answer' ? item : undefined;
}

function replaceItem(state: ViewState, item: ViewItem): void {
  const index = state.items.findIndex((candidate) => candidate.id === item.id);
  if (index >= 0) state.items[index] = item;
}

function markHeldBack({ items }: ViewState, held: ReadonlySet<string>): void {
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'user' || held.has(item.id) === (item.heldBack === true)) continue;
    const { heldBack, ...rest } = item;
    items[index] = heldBack === true ? rest : { ...rest, heldBack: true };
  }
}

function setStatus(item: ViewAnswerItem | undefined, event: Extract<ViewEvent, { type: 'answer_status' }>): void {
  if (item === undefined) return;
  item.status = event.status;
  item.summary = event.summary;
  if (event.facts !== undefined) item.facts = event.facts;
}

function markRouted(item: ViewAnswerItem | undefined, kind: TaskKind): void {
  if (item?.facts !== undefined) item.facts = { ...item.facts, routedAs: kind };
}

function tail(output: string): string {
  return output.length > MAX_VIEW_OUTPUT ? output.slice(-MAX_VIEW_OUTPUT) : output;
}
