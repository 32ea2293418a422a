import type { BodyField } from '../refusal/body-fields.js';

/** The schema of the answer, as servers call it that take none, or not this one. Sources: Groq, DeepSeek (llm-exe/llm-exe#662), SiliconFlow. */
const OUTPUT = /\bresponse[ _]format\b|\bjson[ _](?:schema|mode|validate_failed)\b|\binvalid_json_schema\b|\bstructured[ _-]outputs?\b|\bguided[ _]json\b/i;
const EFFORT = /\breasoning[ _]?effort\b/i;

/** What a request over chat completions can do without. Not every server knows all of it, and OpenAI's newer models refuse some. */
export const CHAT_FIELDS: readonly BodyField[] = [
  { name: 'stream_options', words: /\binclude_usage\b/i },
  { name: 'temperature' },
  { name: 'max_tokens', instead: (words, _sent, isOut) => renamed('max_completion_tokens', words, isOut) },
  { name: 'max_completion_tokens', instead: (_words, _sent, isOut) => (isOut('max_tokens') ? undefined : { name: 'max_tokens' }) },
  { name: 'reasoning_effort', words: EFFORT },
  { name: 'reasoning.effort' },
  { name: 'reasoning' },
  { name: 'thinking' },
  { name: 'strict', paths: ['response_format.json_schema.strict'] },
  { name: 'response_format', holds: 'output', words: OUTPUT },
  { name: 'prompt_cache_key' },
  { name: 'session_id' },
  { name: 'cache_control', paths: ['messages.*.content.*.cache_control'] },
  { name: 'extra_content', paths: ['messages.*.tool_calls.*.extra_content'], words: /thought[_ ]?signature/i },
  { name: 'reasoning_content', paths: ['messages.*.reasoning_content'] },
  { name: 'reasoning_details', paths: ['messages.*.reasoning_details'] },
  { name: 'messages.reasoning', paths: ['messages.*.reasoning'] },
];

/** What a request over Responses can do without. */
export const RESPONSE_FIELDS: readonly BodyField[] = [
  // `Your organization must be verified to generate reasoning summaries`
  { name: 'reasoning.summary', words: /reasoning summar/i },
  { name: 'reasoning.effort', words: EFFORT },
  { name: 'reasoning' },
  { name: 'include' },
  { name: 'parallel_tool_calls' },
  { name: 'temperature' },
  { name: 'max_output_tokens' },
  { name: 'prompt_cache_key' },
  { name: 'strict', paths: ['tools.*.strict', 'text.format.strict'] },
  { name: 'text.format', holds: 'output', words: OUTPUT },
  { name: 'text', holds: 'output' },
  { name: 'phase', paths: ['input.*.phase'] },
];

/** The other name of a field, where the server asks for it. */
function renamed(name: string, words: string, isOut: (name: string) => boolean): { readonly name: string } | undefined {
  return words.includes(name) && !isOut(name) ? { name } : undefined;
}
