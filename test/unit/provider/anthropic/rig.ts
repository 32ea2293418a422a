import type { Message } from '../../../../src/domain/model/message.js';
import type { Provider, Request } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import type { ModelServer } from '../../../support/model-server/index.js';

/** A time for messages. */
export const NOW = '2026-01-02T03:04:05.678Z';

/** The provider, pointed at a server. */
export function providerFor(server: Pick<ModelServer, 'url'>): Provider {
  return createAnthropicProvider({ apiKey: () => Promise.resolve('test-key'), baseUrl: () => server.url, now: () => NOW });
}

/** A request with one user message; anything can be replaced. */
export function request(change: Partial<Request> = {}): Request {
  return { model: 'claude-sonnet-5-5', systemPrompt: 'You are a test.', messages: [user('Hello')], tools: [], ...change };
}

/** A user message of one text. */
export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: NOW };
}

/** The answer of a tool. */
export function result(toolCallId: string, text: string, isError = false): Message {
  return { role: 'tool_result', toolCallId, toolName: 'read', content: text === '' ? [] : [{ type: 'text', text }], isError, timestamp: NOW };
}

/** A signal that never fires. */
export function never(): AbortSignal {
  return new AbortController().signal;
}
