import type { HostMessage } from './messages.js';
import type { ViewEvent } from './view-event.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that hold a text, by type of event; `block` is a number wherever it is named. */
const EVENT_FIELDS: Readonly<Record<ViewEvent['type'], readonly string[]>> = {
  item_added: [],
  item_removed: ['item'],
  compaction: [],
  block_added: ['item'],
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

const CHECKS: Readonly<Record<HostMessage['type'], (message: Fields) => boolean>> = {
  snapshot: (message) => isPlace(message) && isCount(message['seq']) && isState(message['state']),
  events: (message) => isPlace(message) && isCount(message['first']) && isListOf(message['events'], isEvent),
  choices: (message) => isListOf(message['models'], isChoice) && isListOf(message['modes'], isChoice) && isListOf(message['efforts'], isChoice),
  history: (message) => isListOf(message['sessions'], isHistoryEntry),
  attachments: (message) => isListOf(message['attachments'], isAttachment),
  accepted: (message) => hasTexts(message, ['sendId']),
  rejected: (message) => hasTexts(message, ['sendId', 'reason']),
  focus_composer: () => true,
};

/**
 * Checks what arrived in a panel: enough that no code after it can fail on a missing field, cheap enough for every
 * batch (constant work per event, nothing of a text is read). `undefined` for anything that is not of the protocol.
 */
export function validateHostMessage(raw: unknown): HostMessage | undefined {
  return isHostMessage(raw) ? raw : undefined;
}

function isHostMessage(raw: unknown): raw is HostMessage {
  if (!isFields(raw)) return false;
  const type = raw['type'];
  return typeof type === 'string' && isType(type) && CHECKS[type](raw);
}

function isType(type: string): type is HostMessage['type'] {
  return Object.hasOwn(CHECKS, type);
}

function isPlace(message: Fields): boolean {
  return hasTexts(message, ['session', 'epoch']);
}

function isEvent(event: Fields): boolean {
  const type = event['type'];
  if (typeof type !== 'string' || !isEventType(type) || !hasTexts(event, EVENT_FIELDS[type])) return false;
  if (BLOCK_EVENTS.has(type) && !isCount(event['block'])) return false;
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

function isChoice(choice: Fields): boolean {
  return hasTexts(choice, ['id', 'label']);
}

function isHistoryEntry(entry: Fields): boolean {
  return hasTexts(entry, ['id', 'title', 'updatedAt']) && isCount(entry['messageCount']);
}

function isAttachment(attachment: Fields): boolean {
  return hasTexts(attachment, ['id', 'name', 'kind']);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, check: (entry: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => isFields(entry) && check(entry));
}

function hasTexts(value: Fields, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
