import type { BodyField } from '../refusal/body-fields.js';

/** Where a body has marks for the cache. */
const MARKED = ['tools.*', 'system.*', 'messages.*.content.*'];

/** Tokens of an answer where the server says only that those asked for are too many: every model has as many. */
const SAFE_TOKENS = 4_096;

/** What a request can do without. Gateways, and older or newer models, do not know all of it, and say so by its name. */
export const BODY_FIELDS: readonly BodyField[] = [
  { name: 'temperature' },
  { name: 'thinking.display' },
  { name: 'thinking', words: /\b(?:adaptive|extended) thinking\b|\bthinking (?:mode )?is not\b|not support thinking/i },
  { name: 'output_config.effort', words: /\beffort\b.{0,40}\bnot\b|\bnot\b.{0,40}\beffort\b/i },
  { name: 'output_config.format', holds: 'output', words: /\bstructured[ _-]outputs?\b|\boutput[ _](?:format|schema)\b|\bjson[ _]schema\b/i },
  // Refused as a whole by gateways that know neither (anthropics/anthropic-sdk-csharp#132): the schema goes in words first, then the effort goes.
  { name: 'output_config', holds: 'output' },
  { name: 'cache_control.ttl', paths: MARKED.map((place) => `${place}.cache_control.ttl`) },
  { name: 'cache_control', paths: MARKED.map((place) => `${place}.cache_control`), words: /prompt caching/i },
  { name: 'eager_input_streaming', paths: ['tools.*.eager_input_streaming'] },
  // The API demands it.
  { name: 'max_tokens', instead: (words, sent) => ({ value: smaller(words, Number(sent)) }) },
];

/** The largest number in a refusal that is smaller than what was asked for, and no status. */
function smaller(words: string, asked: number): number {
  const named = [...words.matchAll(/\d{4,}/g)].map(([digits]) => Number(digits)).filter((tokens) => tokens < asked);
  return named.length > 0 ? Math.max(...named) : asked > SAFE_TOKENS ? SAFE_TOKENS : Math.ceil(asked / 2);
}
