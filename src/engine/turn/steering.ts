import type { HookBlock } from '../../domain/hook/outcome.js';
import type { UserContent } from '../../domain/model/content.js';
import type { UserMessage } from '../../domain/model/message.js';
import type { MessageBlock } from '../events.js';
import type { SteeringMessage } from './turn.js';

/** A message that goes out, if there is one, or what blocked it. */
export type PreparedMessage<Block extends MessageBlock = MessageBlock> = { readonly message: UserMessage | undefined } | { readonly block: Block };

/** Messages that the user sends while a turn runs, by ids of the caller, until a round includes them. */
export class Steering {
  private readonly waiting = new Map<string, readonly UserContent[]>();
  /** Whether the turn takes more. */
  private open = false;

  /** To be called when a turn begins. */
  begin(): void {
    this.open = true;
  }

  /** Returns false when no turn takes more. */
  add(id: string, content: readonly UserContent[]): boolean {
    if (this.open) this.waiting.set(id, content);
    return this.open;
  }

  /**
   * Ends the turn for messages, in the same step as the last look at them.
   * @param heardOut whether the turn is to go on where some wait
   * @returns whether it has ended
   */
  end(heardOut: boolean): boolean {
    if (heardOut && this.waiting.size > 0) return false;
    this.open = false;
    return true;
  }

  /** Returns whether it was there. */
  remove(id: string): boolean {
    return this.waiting.delete(id);
  }

  clear(): void {
    this.open = false;
    this.waiting.clear();
  }

  /**
   * Takes all that waits, in its order.
   * @param prepare makes a message of one; does not reject
   * @param blocked called for each message that a hook blocked
   */
  async take(
    prepare: (content: readonly UserContent[]) => Promise<PreparedMessage<HookBlock>>,
    blocked: (id: string, block: HookBlock) => void,
  ): Promise<readonly SteeringMessage[]> {
    const taken = [...this.waiting];
    this.waiting.clear();
    const said: SteeringMessage[] = [];
    // Each note says what has changed since the one before.
    for (const [id, content] of taken) {
      const prepared = await prepare(content);
      if ('block' in prepared) blocked(id, prepared.block);
      else if (prepared.message !== undefined) said.push({ id, message: prepared.message });
    }
    return said;
  }
}
