import type { ViewEvent } from '../view-event.js';
import type { ViewItem, ViewState } from '../view-state.js';
import type { Fields, HostChecks } from './fields.js';
import { hasTexts, isCount, isFields, isListOf } from './fields.js';

/** Which part of a transcript a snapshot holds: its end, from an index on. */
export interface ViewWindow {
  /** Index of the first item that is there. */
  readonly start: number;
  /** How many items the transcript has. */
  readonly total: number;
}

/** What keeps a page's copy of a conversation equal to the host's. */
export type ViewMessage =
  /** The conversation as it is: the answer to `ready` when the panel's copy cannot be brought up to date by deltas. */
  | {
      readonly type: 'snapshot';
      readonly session: string;
      /** Changes when the host starts anew; sequence numbers of different epochs cannot be compared. */
      readonly epoch: string;
      /** Sequence number of the last event that `state` holds. */
      readonly seq: number;
      /** Of the items only the end, as `window` says. */
      readonly state: ViewState;
      /** Absent when all items are there. */
      readonly window?: ViewWindow;
    }
  /** Events numbered `first`, `first + 1`, … */
  | {
      readonly type: 'events';
      readonly session: string;
      readonly epoch: string;
      readonly first: number;
      readonly events: readonly ViewEvent[];
    }
  /** Items that were asked for, as they are after event `seq`, which is the last one that was sent before. */
  | {
      readonly type: 'items';
      readonly session: string;
      readonly epoch: string;
      readonly seq: number;
      /** Index of the first. */
      readonly start: number;
      /** Fewer than were asked for when they are long; none when there are none at that place. */
      readonly items: readonly ViewItem[];
      /** The item that was sought, for the answer to `find_item`: it is the first one, or there is none. */
      readonly sought?: string;
    };

/** Fields that hold a text, by type of event; `block` is a number wherever it is named. */
const EVENT_FIELDS: Readonly<Record<ViewEvent['type'], readonly string[]>> = {
  item_added: [],
  item_removed: ['item'],
  compaction: [],
  block_added: ['item'],
  blocks_removed: ['item'],
  delta: ['item', 'delta'],
  thinking_done: ['item'],
  call: ['item'],
  call_output: ['item', 'delta'],
  call_result: ['item', 'output'],
  answer_status: ['item', 'status', 'summary'],
  meta: [],
};
const BLOCK_EVENTS: ReadonlySet<string> = new Set(['delta', 'thinking_done', 'call', 'call_output', 'call_result']);
/** The event that brings an object, and under which name. */
const EVENT_OBJECTS: Readonly<Record<string, string>> = {
  item_added: 'item',
  compaction: 'item',
  block_added: 'block',
  call: 'call',
  meta: 'patch',
};

/** How they are checked on arrival. */
export const VIEW_CHECKS: HostChecks<ViewMessage> = {
  snapshot: (message) => isPlace(message) && isCount(message['seq']) && isState(message['state']) && isWindow(message['window'], message['state']),
  events: (message) => isPlace(message) && isCount(message['first']) && isListOf(message['events'], isEvent),
  items: (message) =>
    isPlace(message) && isCount(message['seq']) && isCount(message['start']) && isListOf(message['items'], isItem) && isSought(message['sought']),
};

function isPlace(message: Fields): boolean {
  return hasTexts(message, ['session', 'epoch']);
}

function isWindow(window: unknown, state: unknown): boolean {
  if (window === undefined) return true;
  if (!isFields(window) || !isFields(state) || !Array.isArray(state['items'])) return false;
  const { start, total } = window;
  return isCount(start) && isCount(total) && Number(start) + state['items'].length === total;
}

function isSought(sought: unknown): boolean {
  return sought === undefined || typeof sought === 'string';
}

function isEvent(event: Fields): boolean {
  const type = event['type'];
  if (typeof type !== 'string' || !isEventType(type) || !hasTexts(event, EVENT_FIELDS[type])) return false;
  if (BLOCK_EVENTS.has(type) && !isCount(event['block'])) return false;
  if (type === 'blocks_removed') return isCount(event['from']);
  const object = EVENT_OBJECTS[type];
  if (object === undefined) return true;
  const value = event[object];
  return isFields(value) && (type === 'item_added' || type === 'compaction' ? isItem(value) : type === 'block_added' ? isBlock(value) : true);
}

function isEventType(type: string): type is ViewEvent['type'] {
  return Object.hasOwn(EVENT_FIELDS, type);
}

function isState(state: unknown): boolean {
  if (!isFields(state) || !hasTexts(state, ['title', 'activity', 'model', 'mode', 'usage', 'effort'])) return false;
  return isListOf(state['items'], isItem) && isListOf(state['todos'], isTodo) && isListOf(state['instructions'], isInstruction);
}

function isItem(item: Fields): boolean {
  if (!hasTexts(item, ['id'])) return false;
  switch (item['kind']) {
    case 'user':
      return hasTexts(item, ['text', 'time']) && Array.isArray(item['images']);
    case 'answer':
      return hasTexts(item, ['status', 'time', 'summary']) && isListOf(item['blocks'], isBlock);
    case 'notice':
      return hasTexts(item, ['level', 'text']) && Array.isArray(item['actions']);
    case 'compaction':
      return hasTexts(item, ['trigger', 'summary', 'status']) && isCount(item['tokensBefore']) && isCount(item['tokensAfter']);
    default:
      return false;
  }
}

function isTodo(todo: Fields): boolean {
  return hasTexts(todo, ['text', 'status']);
}

function isInstruction(instruction: Fields): boolean {
  return hasTexts(instruction, ['display']);
}

function isBlock(block: Fields): boolean {
  if (block['type'] === 'text' || block['type'] === 'thinking') return typeof block['text'] === 'string';
  const call = block['call'];
  return block['type'] === 'tool' && isFields(call) && hasTexts(call, ['id', 'name', 'subject', 'status', 'output']);
}
