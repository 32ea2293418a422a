import type { McpElicitation, McpField, McpSampleQuestion } from '../domain/mcp/request.js';
import { type Of, anyText, count, fields, flag, known, knownBy, listOf, oneOf, optional } from './shape.js';

const option = fields({ value: anyText, title: anyText });
const named = { name: anyText, title: optional(anyText), description: optional(anyText), required: flag };

const field = knownBy<McpField, 'type'>('type', {
  text: {
    ...named,
    format: optional(oneOf(['email', 'uri', 'date', 'date-time'])),
    minLength: optional(count),
    maxLength: optional(count),
    pattern: optional(anyText),
    default: optional(anyText),
  },
  number: { ...named, integer: flag },
  boolean: { ...named, default: optional(flag) },
  choice: { ...named, options: listOf(option), default: optional(anyText) },
  choices: { ...named, options: listOf(option), minItems: optional(count), maxItems: optional(count), default: optional(listOf(anyText)) },
});

const sampled = fields({ role: oneOf(['user', 'assistant']), text: anyText });

const asked = knownBy<McpElicitation | McpSampleQuestion, 'mode'>('mode', {
  form: { message: anyText, fields: listOf(field) },
  url: { message: anyText, url: anyText, id: anyText },
  sample: { model: anyText, systemPrompt: optional(anyText), messages: listOf(sampled), inputTokens: count, maxTokens: count, tokensLeft: count },
});

/** Elicitation or sampling request of a server, as a page shows it. */
export const viewElicitation = known<{
  readonly id: string;
  readonly server: string;
  readonly asked: McpElicitation | McpSampleQuestion;
  readonly ownHost?: string;
}>({
  /** Names it in the answer. */
  id: anyText,
  /** The name that the user knows the server by. */
  server: anyText,
  asked,
  /** The server's own host, when an address leads to another one. */
  ownHost: optional(anyText),
});
/** Request of a server, as a page shows it. */
export type ViewElicitation = Of<typeof viewElicitation>;
