import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { EventStream, StreamPart } from '../../src/domain/model/event-stream.js';
import type { AssistantMessage } from '../../src/domain/model/message.js';
import { textContent, toolCalls } from '../../src/domain/model/message-helpers.js';
import type { Provider, Request } from '../../src/domain/model/provider.js';
import { PartStream } from '../../src/provider/part-stream.js';
import { type Recording, type RecordedAnswer, closestMatch } from './recording.js';
import { normalised, requestHash } from './request-hash.js';
import type { EvalTask, WrittenAnswer } from './task.js';

/** Plays a recording: the answer of a request is the one recorded for its hash. On a miss it names the closest match. */
export function replayProvider(recording: Recording, folder: string): Provider {
  return provider((request) => {
    const hash = requestHash(request, folder);
    const answer = recording.answers.find((candidate) => candidate.request === hash);
    if (answer !== undefined) return partsOf(answer);
    throw new Error(`No answer is recorded for this request. ${closestMatch(recording, normalised(request, folder))}`);
  });
}

/** Plays the answers of a task that were written by hand, in order. */
export function writtenProvider(task: EvalTask): Provider {
  const answers = [...task.answers];
  return provider((request) => {
    const next = answers.shift();
    if (next === undefined) throw new Error(`${task.name} has no more written answers.`);
    return partsOf(written(next, request));
  });
}

/** Notes every answer of another provider. */
export function recordingProvider(inner: Provider, folder: string, note: (answer: RecordedAnswer) => void): Provider {
  return {
    name: inner.name,
    stream(request, signal) {
      const stream = inner.stream(request, signal);
      return watched(stream, (message) => note(recorded(message, request, folder)));
    },
  };
}

function provider(parts: (request: Request) => readonly StreamPart[]): Provider {
  return {
    name: 'recorded',
    // oxlint-disable-next-line typescript/require-await -- a source of parts is asynchronous by its type
    stream: (request, signal) => new PartStream(async function* () {
      yield parts(request);
    }, signal),
  };
}

function partsOf({ text, calls, usage, request }: RecordedAnswer): readonly StreamPart[] {
  const said: StreamPart[] = text === '' ? [] : [{ type: 'text', index: 0, delta: text }, { type: 'block_end', index: 0 }];
  const called = calls.flatMap((call, at): StreamPart[] => [
    { type: 'tool_call_begin', index: at + 1, id: `call-${request}-${at}`, name: call.name },
    { type: 'tool_call_delta', index: at + 1, delta: call.arguments },
    { type: 'block_end', index: at + 1 },
  ]);
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [...said, ...called, { type: 'usage', usage }, { type: 'stop', stopReason: reason, rawStopReason: reason }];
}

function written({ say = '', calls = [] }: WrittenAnswer, request: Request): RecordedAnswer {
  const asked = calls.map(([name, args]) => ({ name, arguments: JSON.stringify(args) }));
  const usage = { inputTokens: tokensOf(normalised(request, '')), outputTokens: tokensOf([say, asked]), cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { request: requestHash(request, ''), conversation: [], text: say, calls: asked, usage };
}

function tokensOf(value: unknown): number {
  return encode(JSON.stringify(value)).length;
}

function recorded(message: AssistantMessage, request: Request, folder: string): RecordedAnswer {
  const calls = toolCalls(message).map(({ name, arguments: json }) => ({ name, arguments: json }));
  return { request: requestHash(request, folder), conversation: normalised(request, folder), text: textContent(message), calls, usage: message.usage };
}

/** The same stream; its whole message is handed on at the end. */
function watched(stream: EventStream, whole: (message: AssistantMessage) => void): EventStream {
  const next = stream.next.bind(stream);
  stream.next = async () => {
    const event = await next();
    if (event === undefined) whole(stream.message());
    return event;
  };
  return stream;
}
