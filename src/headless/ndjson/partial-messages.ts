import { assertNever } from '../../domain/assert-never.js';
import type { AssistantMessage } from '../../domain/model/message.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import { NO_USAGE } from '../../domain/model/usage.js';
import { messageId, nameOnWire, stopReasonOf, usageOf } from './wire-content.js';

/** Makes the events of the Messages API of what a stream means: providers give no others, and not all of them have such. */
export class PartialMessages {
  /** The blocks that are open, by their index in Gnomon, and their place in the message. */
  private readonly blocks = new Map<number, { readonly at: number; readonly kind: 'text' | 'thinking' | 'tool_use' }>();
  private count = 0;
  private begun = false;

  begin(model: string): readonly object[] {
    this.blocks.clear();
    this.count = 0;
    this.begun = true;
    const message = { id: messageId(), type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
    return [{ type: 'message_start', message: { ...message, usage: usageOf(NO_USAGE) } }];
  }

  of(event: StreamEvent): readonly object[] {
    switch (event.type) {
      case 'text_delta':
        return [...this.open(event.index, 'text', { type: 'text', text: '' }), this.delta(event.index, { type: 'text_delta', text: event.delta })];
      case 'thinking_delta':
        return [
          ...this.open(event.index, 'thinking', { type: 'thinking', thinking: '', signature: '' }),
          this.delta(event.index, { type: 'thinking_delta', thinking: event.delta }),
        ];
      case 'tool_call_begin':
        return this.open(event.index, 'tool_use', { type: 'tool_use', id: event.id, name: nameOnWire(event.name), input: {} });
      case 'tool_call_delta':
        return [this.delta(event.index, { type: 'input_json_delta', partial_json: event.delta })];
      case 'tool_call_end':
        return this.close(event.index);
      default:
        return assertNever(event);
    }
  }

  end({ stopReason, usage }: AssistantMessage): readonly object[] {
    if (!this.begun) return [];
    this.begun = false;
    return [
      ...[...this.blocks.keys()].flatMap((index) => this.close(index)),
      { type: 'message_delta', delta: { stop_reason: stopReasonOf(stopReason), stop_sequence: null }, usage: usageOf(usage) },
      { type: 'message_stop' },
    ];
  }

  private open(index: number, kind: 'text' | 'thinking' | 'tool_use', block: object): readonly object[] {
    if (this.blocks.has(index)) return [];
    // Blocks of the Messages API follow one another; what comes for one that is closed by then begins another.
    const before = [...this.blocks].filter(([, open]) => open.kind !== 'tool_use').flatMap(([open]) => this.close(open));
    const at = this.count;
    this.count += 1;
    this.blocks.set(index, { at, kind });
    return [...before, { type: 'content_block_start', index: at, content_block: block }];
  }

  private delta(index: number, delta: object): object {
    return { type: 'content_block_delta', index: this.blocks.get(index)?.at ?? index, delta };
  }

  private close(index: number): readonly object[] {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    return block === undefined ? [] : [{ type: 'content_block_stop', index: block.at }];
  }
}
