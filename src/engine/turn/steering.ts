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

  add(id: string, content: readonly UserContent[]): void {
    this.waiting.set(id, content);
  }

  /** Returns whether it was there. */
  remove(id: string): boolean {
    return this.waiting.delete(id);
  }

  clear(): void {
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
