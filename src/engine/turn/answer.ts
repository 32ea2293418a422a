import type { Clock } from '../../domain/clock.js';
import { errorMessage } from '../../domain/errors.js';
import { malformedAnswer } from '../../domain/model/accumulator.js';
import type { EventStream } from '../../domain/model/event-stream.js';
import type { Log } from '../../domain/log.js';
import type { AssistantMessage } from '../../domain/model/message.js';
import type { Provider, Request } from '../../domain/model/provider.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import { type Usage, NO_USAGE } from '../../domain/model/usage.js';
import { validateMessage } from '../../domain/model/validate.js';
import { yieldEvery } from '../../concurrency/steps.js';
import type { CallIds } from './call-ids.js';
import { JoinedDeltas } from './joined-deltas.js';
import { isRefusal, refusal } from '../refusal.js';

/** Result of one request to the model. */
export interface Answer {
  /** The answer, whole or as far as it came; `undefined` when there is nothing to keep. */
  readonly message: AssistantMessage | undefined;
  readonly usage: Usage;
  /** Why it broke off, when it did, or was refused without a word. */
  readonly error?: unknown;
  /** Present when nothing of the request can have left this machine: it cost nothing and counts nowhere. */
  readonly unsent?: true;
}

/** The provider for one request, with the handlers that show and record its response as it streams. */
export interface AnswerDeps {
  readonly provider: Provider;
  readonly ids: CallIds;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  readonly event: (event: StreamEvent) => void;
  /** Records the answer as far as it is there. */
  readonly partial: (message: AssistantMessage) => Promise<void>;
}

/** Asks the model and takes its answer to the end, or as far as it comes. Never throws. */
export async function streamAnswer(request: Request, deps: AnswerDeps): Promise<Answer> {
  let stream: EventStream | undefined;
  try {
    const open = deps.provider.stream(request, deps.signal);
    stream = open;
    await consume(open, deps);
    return storable(deps.ids.message(open.message()));
  } catch (error) {
    const answer = brokenOff(stream, error, deps);
    return stream === undefined || stream.unsent ? { ...answer, unsent: true } : answer;
  } finally {
    await close(stream, deps);
  }
}

async function consume(stream: EventStream, deps: AnswerDeps): Promise<void> {
  const recording = new PartialAnswers(deps.clock, async () => {
    const message = deps.ids.message(stream.message());
    if (message.content.length > 0) await deps.partial(message);
  });
  const joined = new JoinedDeltas(deps.event);
  const pause = yieldEvery();
  try {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      joined.push(deps.ids.event(event));
      recording.changed();
      // The events of a stream whose bytes have arrived follow one another without a turn of the event loop between them.
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  } finally {
    joined.flush();
    recording.stop();
  }
}

function brokenOff(stream: EventStream | undefined, error: unknown, deps: AnswerDeps): Answer {
  if (stream === undefined || stream.state === 'new') return { message: undefined, usage: NO_USAGE, error };
  const message = deps.ids.message(stream.message());
  const reason = deps.signal.aborted ? 'aborted' : 'error';
  return { ...storable({ ...message, stopReason: reason, rawStopReason: reason }), error };
}

/** Drops a response without content, as there is nothing to show or to send again, and one that no session could store. */
function storable(message: AssistantMessage): Answer {
  if (message.content.length === 0) return { message: undefined, usage: message.usage, ...(isRefusal(message.rawStopReason) ? { error: refusal() } : {}) };
  try {
    validateMessage(message);
    return { message, usage: message.usage };
  } catch (error) {
    return { message: undefined, usage: NO_USAGE, error: malformedAnswer(errorMessage(error), error) };
  }
}

/** Always closes the stream. After a stop nothing waits for a connection that is slow to close. */
async function close(stream: EventStream | undefined, deps: AnswerDeps): Promise<void> {
  const closed = stream?.close().catch((error: unknown) => deps.log.warn(`A stream did not close: ${errorMessage(error)}`));
  if (!deps.signal.aborted) await closed;
}

/** Milliseconds between two recordings of an answer that is being streamed. */
const PARTIAL_INTERVAL_MS = 1_000;

/** Lets an answer be recorded while it grows: at most once a second, and no later than a second after each change. */
class PartialAnswers {
  private last: number;
  private timer: NodeJS.Timeout | undefined;
  private writing = false;

  constructor(
    private readonly clock: Clock,
    private readonly record: () => Promise<void>,
  ) {
    this.last = clock.monotonic();
  }

  /** Notes that the answer has grown. */
  changed(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.last + PARTIAL_INTERVAL_MS - this.clock.monotonic());
    this.timer = setTimeout(() => this.due(), wait);
  }

  /** Ends the recording. */
  stop(): void {
    clearTimeout(this.timer);
  }

  private due(): void {
    this.timer = undefined;
    this.last = this.clock.monotonic();
    // A slow disk gets one write at a time.
    if (this.writing) return this.changed();
    this.writing = true;
    void this.record().finally(() => {
      this.writing = false;
    });
  }
}
