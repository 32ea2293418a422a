import type { UserContent } from '../../../domain/model/content.js';

/** A message that waits to be sent. What it mentions is looked up when it goes out. */
export interface QueuedMessage {
  readonly id: string;
  /** The text as it was written. */
  readonly text: string;
  /** What was attached, beside what the text mentions. */
  readonly attached: readonly UserContent[];
}

/** Messages in the order in which they are sent. Every message that came in is in it until it is taken out by name. */
export class MessageQueue {
  private list: readonly QueuedMessage[] = [];

  get messages(): readonly QueuedMessage[] {
    return this.list;
  }

  /** The one that goes out next. */
  get first(): QueuedMessage | undefined {
    return this.list[0];
  }

  /** Puts messages at the end. */
  add(...messages: readonly QueuedMessage[]): void {
    this.list = [...this.list, ...messages];
  }

  /** Takes a message out; `undefined` when it is not there any more. */
  take(id: string): QueuedMessage | undefined {
    const message = this.list.find((each) => each.id === id);
    this.list = this.list.filter((each) => each !== message);
    return message;
  }

  /** Changes places with the message before or behind it. */
  move(id: string, to: 'up' | 'down'): void {
    const at = this.list.findIndex((each) => each.id === id);
    const other = to === 'up' ? at - 1 : at + 1;
    const [a, b] = [this.list[at], this.list[other]];
    if (a !== undefined && b !== undefined) this.list = this.list.with(at, b).with(other, a);
  }

  /** Puts a message in front of all others. Returns whether it is there. */
  hurry(id: string): boolean {
    const message = this.take(id);
    if (message !== undefined) this.list = [message, ...this.list];
    return message !== undefined;
  }
}
