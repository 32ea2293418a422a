import { type Check, type Messages, type Of, anyText, count, fields, known, knownBy, listOf, oneOf, optional } from '../shape.js';
import { TASK_KINDS } from '../../domain/model/task-kind.js';
import type { ViewEvent } from '../view-event.js';
import type { ViewBlock, ViewItem, ViewState, ViewToolCall } from '../view-state.js';

const anyList: Check<readonly unknown[]> = (value) => Array.isArray(value);

const block = knownBy<ViewBlock, 'type'>('type', {
  text: { text: anyText },
  thinking: { text: anyText },
  tool: { call: known<ViewToolCall>({ id: anyText, name: anyText, subject: anyText, status: anyText, output: anyText }) },
});

const item = knownBy<ViewItem, 'kind'>('kind', {
  user: { id: anyText, text: anyText, time: anyText, images: anyList },
  answer: { id: anyText, status: anyText, time: anyText, summary: anyText, blocks: listOf(block) },
  notice: { id: anyText, level: anyText, text: anyText, actions: anyList },
  compaction: { id: anyText, trigger: anyText, summary: anyText, status: anyText, tokensBefore: count, tokensAfter: count },
});

const event = knownBy<ViewEvent, 'type'>('type', {
  item_added: { item },
  compaction: { item },
  block_added: { item: anyText, block },
  blocks_removed: { item: anyText, from: count },
  delta: { item: anyText, block: count, delta: anyText },
  thinking_done: { item: anyText, block: count },
  call: { item: anyText, block: count, call: fields({}) },
  call_output: { item: anyText, block: count, delta: anyText },
  call_result: { item: anyText, block: count, output: anyText },
  answer_status: { item: anyText, status: anyText, summary: anyText },
  routed: { item: anyText, kind: oneOf(TASK_KINDS) },
  held_back: { items: listOf(anyText) },
  meta: { patch: fields({}) },
});

const state = known<ViewState>({
  title: anyText,
  activity: anyText,
  model: anyText,
  mode: anyText,
  usage: anyText,
  effort: anyText,
  items: listOf(item),
  todos: listOf(fields({ text: anyText, status: anyText })),
  elves: listOf(fields({ id: anyText, state: anyText })),
  instructions: fields({ files: listOf(fields({ display: anyText, tokens: count })), leftOut: listOf(fields({ display: anyText, reason: anyText })) }),
});

const window = fields({
  /** Index of the first item that is there. */
  start: count,
  /** Number of items in the transcript. */
  total: count,
});
/** Range of a transcript that a snapshot contains: its end, from an index on. */
export type ViewWindow = Of<typeof window>;

/** Messages that keep a page's copy of a conversation in sync with the host's. */
export type ViewMessage = Messages<typeof VIEW_MESSAGES>;

/**
 * Its fields, by type. Of what is shown, only that is checked without which the page would fail, so that a batch of
 * events costs constant work for each.
 */
export const VIEW_MESSAGES = {
  /** The conversation as it is: the answer to `ready` when the panel's copy cannot be brought up to date by deltas. */
  snapshot: {
    session: anyText,
    /** Changes when the host starts anew; sequence numbers of different epochs cannot be compared. */
    epoch: anyText,
    /** Sequence number of the last event that `state` includes. */
    seq: count,
    /** Of the items only the end, as `window` says. */
    state,
    /** Absent when all items are there. */
    window: optional(window),
  },
  /** Events numbered `first`, `first + 1`, … */
  events: { session: anyText, epoch: anyText, first: count, events: listOf(event) },
  /** Items that were asked for, as they are after event `seq`, which is the last one that was sent before. */
  items: {
    session: anyText,
    epoch: anyText,
    seq: count,
    /** Index of the first. */
    start: count,
    /** Fewer than requested when they are long; empty beyond the end. */
    items: listOf(item),
    /** The item that `find_item` looked for: the first one here; absent when there is no such item. */
    sought: optional(anyText),
  },
};
