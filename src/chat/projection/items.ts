import type { ViewWindow } from '../../protocol/host/view-messages.js';
import { itemSize } from '../../protocol/item-size.js';
import type { ViewItem, ViewState } from '../../protocol/view-state.js';
import { waitsForUser } from '../../protocol/waits-for-user.js';
import type { ImageBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { TranscriptRequest } from '../../protocol/panel/transcript-requests.js';
import { wholeActivity } from './elf-view.js';
import { messageIndexOf } from './item-ids.js';

/** Items of the end of a transcript that a page gets at once. */
const END_ITEMS = 40;
/** Characters that items sent together may have; one that has more goes alone. */
const MAX_LENGTH = 500_000;

/** A conversation with the end of its transcript only, and which part that is. What waits for the user is always in it. */
export function endOf(state: ViewState): { readonly state: ViewState; readonly window: ViewWindow } {
  const total = state.items.length;
  const waiting = wholeActivity(state) === 'waiting' ? state.items.findIndex(waitsForUser) : -1;
  const fitting = endStart(state.items);
  const start = waiting < 0 ? fitting : Math.min(fitting, waiting);
  return { state: { ...state, items: state.items.slice(start) }, window: { start, total } };
}

/** Some items from an index on: at least one where there is one, and no more than may be sent together. */
export function pageOf(items: readonly ViewItem[], start: number, count: number): readonly ViewItem[] {
  const wanted = items.slice(start, start + count);
  let length = 0;
  const end = wanted.findIndex((item, index) => (length += itemSize(item)) > MAX_LENGTH && index > 0);
  return end < 0 ? wanted : wanted.slice(0, end);
}

function endStart(items: readonly ViewItem[]): number {
  const first = Math.max(0, items.length - END_ITEMS);
  let length = 0;
  for (let index = items.length - 1; index >= first; index -= 1) {
    const item = items[index];
    length += item === undefined ? 0 : itemSize(item);
    if (length > MAX_LENGTH) return Math.min(index + 1, items.length - 1);
  }
  return first;
}

/** A message as text: what the user wrote, or an answer as Markdown without its thinking and tool calls. */
export function itemText(item: ViewItem): string {
  if (item.kind === 'user') return item.text;
  if (item.kind !== 'answer') return '';
  const texts = item.blocks.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** The image that a page asks for: of a user's message by its item, else of what a call gave back. */
export function imageOf(messages: readonly Message[], { item, call, index }: Extract<TranscriptRequest, { type: 'load_image' }>): ImageBlock | undefined {
  const message = call === undefined ? messageAt(messages, item) : messages.findLast((each) => each.role === 'tool_result' && each.toolCallId === call);
  const blocks: Message['content'] = message?.content ?? [];
  return blocks.filter((block) => block.type === 'image')[index];
}

function messageAt(messages: readonly Message[], item: string): Message | undefined {
  const message = messages[messageIndexOf(item) ?? -1];
  return message?.role === 'user' ? message : undefined;
}
