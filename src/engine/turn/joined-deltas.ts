import type { StreamEvent } from '../../domain/model/stream-event.js';

type Delta = Extract<StreamEvent, { readonly delta: string }>;

/**
 * Passes on the events of an answer, with deltas of one block that came together as one: listeners of a session do work for each
 * event, and a fast model sends hundreds in what is one piece for the network. Nothing waits for what is still to come.
 */
export class JoinedDeltas {
  /** The one that was passed on at once; absent in a turn of the event loop in which none has come yet. */
  private first: Delta | undefined;
  /** Texts of those that came behind it. */
  private readonly texts: string[] = [];
  private turn: NodeJS.Immediate | undefined;

  constructor(private readonly pass: (event: StreamEvent) => void) {}

  /** Takes the next event. The first delta goes on at once; those that come in the same turn of the event loop, at its end. */
  push(event: StreamEvent): void {
    if ('delta' in event && this.first?.type === event.type && this.first.index === event.index) {
      this.texts.push(event.delta);
      return;
    }
    this.flush();
    this.pass(event);
    if (!('delta' in event)) return;
    this.first = event;
    this.turn = setImmediate(() => this.flush());
  }

  /** Passes on what is held. */
  flush(): void {
    clearImmediate(this.turn);
    const { first } = this;
    this.first = undefined;
    if (first !== undefined && this.texts.length > 0) this.pass({ ...first, delta: this.texts.splice(0).join('') });
  }
}
