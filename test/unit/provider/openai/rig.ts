import type { AssistantMessage, Message } from '../../../../src/domain/model/message.js';
import type { Provider, Request } from '../../../../src/domain/model/provider.js';
import type { StreamEvent } from '../../../../src/domain/model/stream-event.js';
import { type OpenAiOptions, createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { type PresetId, presetOf } from '../../../../src/provider/openai/models/presets.js';
import type { OpenAiServer, Reply } from '../../../support/openai-server/index.js';
import { drain } from '../../../support/stream-conformance.js';

/** A time for messages. */
export const NOW = '2026-01-02T03:04:05.678Z';

/** The options of a provider, pointed at a server. */
export function optionsFor(server: Pick<OpenAiServer, 'url'>, id: PresetId = 'openai', change: Partial<OpenAiOptions> = {}): OpenAiOptions {
  return { name: id, preset: presetOf(id), apiKey: () => Promise.resolve('test-key'), baseUrl: () => `${server.url}/v1`, now: () => NOW, ...change };
}

/** A provider, pointed at a server. */
export function providerFor(server: Pick<OpenAiServer, 'url'>, id: PresetId = 'openai', change: Partial<OpenAiOptions> = {}): Provider {
  return createOpenAiProvider(optionsFor(server, id, change));
}

/** Plays one answer and gives what the provider made of it. */
export async function play(server: OpenAiServer, answer: Reply, id: PresetId = 'openai'): Promise<{ events: StreamEvent[]; message: AssistantMessage }> {
  server.setScript(() => answer);
  const stream = providerFor(server, id).stream(request(), never());
  const events = await drain(stream);
  return { events, message: stream.message() };
}

/** A request with one user message; anything can be replaced. */
export function request(change: Partial<Request> = {}): Request {
  return { model: 'some-model', systemPrompt: 'You are a test.', messages: [user('Hello')], tools: [], ...change };
}

/** A user message of one text. */
export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: NOW };
}

/** A message of the model. */
export function assistant(...content: AssistantMessage['content']): AssistantMessage {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { role: 'assistant', content, stopReason: 'tool_use', rawStopReason: 'tool_calls', usage, timestamp: NOW };
}

/** A call of a tool. */
export function call(id: string): { type: 'tool_call'; id: string; name: string; arguments: string } {
  return { type: 'tool_call', id, name: 'read', arguments: '{"path":"x"}' };
}

/** The answer of a tool. */
export function result(toolCallId: string, text: string, isError = false): Message {
  return { role: 'tool_result', toolCallId, toolName: 'read', content: text === '' ? [] : [{ type: 'text', text }], isError, timestamp: NOW };
}

/** A signal that never fires. */
export function never(): AbortSignal {
  return new AbortController().signal;
}
