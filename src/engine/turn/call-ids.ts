import type { AssistantContent, ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, Message } from '../../domain/model/message.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';

/** Ids of calls that every model API accepts. Empty ones were replaced before. */
const USABLE = /^[\w-]{1,64}$/;

/**
 * Gives the calls of one answer ids that are usable and unique in the whole conversation, and the names of the tools that
 * they mean. An id of the model that is both is kept. Events and message of the answer get the same ids and names.
 */
export class CallIds {
  private readonly taken = new Set<string>();
  private readonly prefix: string;
  /** By index of the block. */
  private readonly assigned = new Map<number, string>();

  /** @param named the name of the tool that a call means, by the name that the model wrote. */
  constructor(
    history: readonly Message[],
    private readonly named: (name: string) => string = (name) => name,
  ) {
    for (const message of history) {
      if (message.role !== 'assistant') continue;
      for (const block of message.content) if (block.type === 'tool_call') this.taken.add(block.id);
    }
    this.prefix = `call_${history.length}_`;
  }

  /** The event with the id that its call has here. */
  event(event: StreamEvent): StreamEvent {
    switch (event.type) {
      case 'tool_call_begin':
        return { ...event, id: this.assign(event.index, event.id), name: this.named(event.name) };
      case 'tool_call_delta':
        return { ...event, id: this.assigned.get(event.index) ?? event.id };
      case 'tool_call_end':
        return { ...event, call: this.call(event.call, this.assigned.get(event.index)) };
      default:
        return event;
    }
  }

  /** The answer with the ids that its calls have here. */
  message(message: AssistantMessage): AssistantMessage {
    // Blocks are in the order of their indexes, so the calls pair off with the ids in that order.
    const ids = [...this.assigned].sort(([a], [b]) => a - b).map(([, id]) => id);
    let next = 0;
    const content = message.content.map((block): AssistantContent => (block.type === 'tool_call' ? this.call(block, ids[next++]) : block));
    return { ...message, content };
  }

  private call(block: ToolCallBlock, id: string | undefined): ToolCallBlock {
    return { ...block, id: id ?? this.fresh(), name: this.named(block.name) };
  }

  private assign(index: number, id: string): string {
    const mine = USABLE.test(id) && !this.taken.has(id) ? id : this.fresh();
    this.taken.add(mine);
    this.assigned.set(index, mine);
    return mine;
  }

  private fresh(): string {
    let number = 1;
    while (this.taken.has(this.prefix + String(number))) number += 1;
    this.taken.add(this.prefix + String(number));
    return this.prefix + String(number);
  }
}
