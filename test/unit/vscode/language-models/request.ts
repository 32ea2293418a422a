import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';

const NOW = '2026-01-02T03:04:05.678Z';

/** A request with one user message; anything can be replaced. */
export function request(change: Partial<Request> = {}): Request {
  return { model: 'acme/m/1', systemPrompt: 'You are a test.', messages: [user('Hello')], tools: [], ...change };
}

/** A user message of one text. */
export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: NOW };
}
