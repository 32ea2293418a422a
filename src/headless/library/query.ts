import { checkOptions } from './check-options.js';
import type { UserFrame } from './content.js';
import { Controls } from './controls.js';
import { Conversation } from './conversation.js';
import { InvalidInputError } from './errors.js';
import type { AgentMessage } from './messages.js';
import type { Options } from './options.js';
import { userFrame } from './user-frame.js';

/** What is asked, and how. */
export interface QueryInput {
  /** A text; or messages, each sent when it comes, for a conversation. One that waits for a result before it gives its next message works, too. */
  readonly prompt: string | AsyncIterable<UserFrame>;
  readonly options?: Options;
}

/**
 * Runs a prompt, or several in one session.
 *
 * Nothing is started before the first message is asked for, or something else is. There is a result for each message that was sent, whatever
 * happens; then the program ends, and the messages do. Leaving a loop over them ends the program, too. One loop can go over them.
 *
 * @throws InvalidInputError at once for an option that is not known, or cannot be used
 * @example
 * for await (const message of query({ prompt: 'Fix the failing test', options: { permissionMode: 'acceptEdits' } }))
 *   if (message.type === 'result') console.log(message.is_error ? message.errors : message.result);
 */
export function query({ prompt, options = {} }: QueryInput): Query {
  checkOptions(options);
  if (typeof prompt !== 'string' && !isIterable(prompt)) throw new InvalidInputError('The prompt is neither a text nor messages as they come.');
  return new Query(typeof prompt === 'string' ? only(userFrame(prompt)) : prompt, options);
}

/**
 * The messages of a run, with what it can be asked for meanwhile. Its loop throws a `GnomonError` where the program fails, breaks off, or ends
 * without a result, and an `AbortError` where the run was aborted: never does it end as if all were well. The program has ended by then.
 */
export class Query extends Controls implements AsyncIterableIterator<AgentMessage, undefined> {
  private feeding: Promise<void> | undefined;

  constructor(
    private readonly prompt: AsyncIterable<UserFrame>,
    options: Options,
  ) {
    super(new Conversation(options));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next message. Sends the prompt with the first one, so that what is set before counts for it. */
  next(): Promise<IteratorResult<AgentMessage, undefined>> {
    this.feeding ??= this.feed();
    return this.conversation.next();
  }

  /** Ends the run: what a loop calls that is left. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  private async feed(): Promise<void> {
    const { conversation } = this;
    try {
      await conversation.start();
      for await (const frame of until(conversation.ended, this.prompt)) await conversation.send(userFrame(frame));
      conversation.endInput();
    } catch (error) {
      conversation.fail(error);
    }
  }
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* only(frame: UserFrame): AsyncGenerator<UserFrame> {
  await Promise.resolve();
  yield frame;
}

/** What comes, until something has ended; also when nothing more comes. */
async function* until<T>(ended: Promise<undefined>, all: AsyncIterable<T>): AsyncGenerator<T> {
  const source = all[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    for (;;) {
      // One that fails, or has come to its end, is closed.
      isOpen = false;
      const next = await Promise.race([source.next(), ended]);
      if (next?.done === true) return;
      isOpen = true;
      if (next === undefined) return;
      yield next.value;
    }
  } finally {
    // It may wait for something that never comes, and would be waited for with that.
    if (isOpen) Promise.resolve(source.return?.()).catch(() => undefined);
  }
}
