import { checkOptions } from './check-options.js';
import type { UserBlock, UserFrame } from './content.js';
import { Controls } from './controls.js';
import { Conversation } from './conversation.js';
import type { AgentMessage } from './messages.js';
import type { Options } from './options.js';
import { userFrame } from './user-frame.js';

/**
 * A conversation that goes on until it is closed. A message that is sent while another is worked on waits for it. Each has exactly one result.
 *
 * @example
 * const session = new Session({ cwd: '/project' });
 * await session.send('What does this project do?');
 * for await (const message of session.events) if (message.type === 'result') break;
 * await session.send('And who uses it?');
 */
export class Session extends Controls {
  /**
   * What is said. A loop over it can be left, and another one goes on where it was: the session does not end with it. The loop ends when the session
   * is closed, and throws as that of a query does; an end of the program that nobody asked for is an error, too. When 256 messages are not read, no more are
   * taken from the program, so that it waits.
   */
  readonly events: AsyncIterable<AgentMessage> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        // What it throws is what the next message is.
        this.conversation.start().catch(() => undefined);
        return this.conversation.next();
      },
    }),
  };

  /** @throws InvalidInputError for an option that is not known, or cannot be used */
  constructor(options: Options = {}) {
    checkOptions(options);
    super(new Conversation(options));
  }

  /**
   * Sends a message. Resolves when the program has taken it; what becomes of it is in {@link events}.
   * @param message a text, blocks of text and images, or a whole frame
   * @throws InvalidInputError, NotConnectedError, and what the program could not be started for
   */
  async send(message: string | readonly UserBlock[] | UserFrame): Promise<void> {
    await this.conversation.send(userFrame(message));
  }
}
