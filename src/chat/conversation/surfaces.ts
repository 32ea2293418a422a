import type { HostMessage } from '../../protocol/messages.js';

/** A part of the window that shows conversations, or what they make: the panes of the chat, inline edits, code reviews. */
export interface Surface {
  /** Whether the user sees a conversation there. */
  isSeen(id: string): boolean;
  /** Posts to a page of the chat that is in view. Returns whether there is one. */
  postToVisible?(message: HostMessage): boolean;
  /** Closes a conversation in every place. */
  close?(id: string): Promise<void>;
}

/** All surfaces of the window. Made before them, so that what they depend on can ask about them; each adds itself. */
export class Surfaces implements Required<Surface> {
  private readonly all: Surface[] = [];

  add(surface: Surface): void {
    this.all.push(surface);
  }

  isSeen(id: string): boolean {
    return this.all.some((surface) => surface.isSeen(id));
  }

  postToVisible(message: HostMessage): boolean {
    return this.all.some((surface) => surface.postToVisible?.(message) === true);
  }

  async close(id: string): Promise<void> {
    for (const surface of this.all) await surface.close?.(id);
  }
}
