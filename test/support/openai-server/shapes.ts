import type { PresetId } from '../../../src/provider/openai/models/presets.js';
import { type Step, DONE } from './reply.js';

/** A call as a server announces it. */
export interface ShapedCall {
  readonly id: string;
  readonly name: string;
  /** Its place among the calls of the answer. */
  readonly place: number;
}

/** How one server writes its answers. */
export interface Shape {
  text(delta: string): readonly Step[];
  thinking(delta: string): readonly Step[];
  /** A piece of a call's arguments; the first one announces the call. */
  call(call: ShapedCall, delta: string, first: boolean): readonly Step[];
  /** The end, with usage of 100 tokens read, 40 of them from a cache, and 20 written. */
  end(calls: boolean): readonly Step[];
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const CACHED = { ...USAGE, prompt_tokens_details: { cached_tokens: 40 } };

type Fields = Readonly<Record<string, unknown>>;

function maker(base: Fields, inChoice: Fields = {}): (delta: object | undefined, finish?: string | null, more?: object) => Step {
  return (delta, finish = null, more = {}) => ({
    data: { ...base, choices: delta === undefined ? [] : [{ index: 0, delta, finish_reason: finish, ...inChoice }], ...more },
  });
}

/** Number, id and name with the first piece, the number alone with the others. */
function byNumber({ id, name, place }: ShapedCall, delta: string, first: boolean): object {
  return first ? { index: place, id, type: 'function', function: { name, arguments: delta } } : { index: place, function: { arguments: delta } };
}

function openai(): Shape {
  const chunk = maker(
    {
      id: 'chatcmpl-CxYz',
      object: 'chat.completion.chunk',
      created: 1_793_000_000,
      model: 'gpt-5.6-terra',
      service_tier: 'default',
      system_fingerprint: null,
      usage: null,
      obfuscation: 'aQ2',
    },
    { logprobs: null },
  );
  return {
    text: (content) => [chunk({ content })],
    // Chat completions of OpenAI show no reasoning.
    thinking: () => [],
    call: (call, delta, first) => [chunk({ tool_calls: [byNumber(call, delta, first)] })],
    end: (calls) => [
      chunk({}, calls ? 'tool_calls' : 'stop'),
      chunk(undefined, null, { usage: { ...CACHED, completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 } } }),
      DONE,
    ],
  };
}

function mistral(): Shape {
  const chunk = maker({ id: 'cmpl-e5cc', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'mistral-medium-3-5', p: 'abcd' });
  return {
    text: (content) => [chunk({ content })],
    thinking: (text) => [chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })],
    call: ({ id, name, place }, delta, first) => [chunk({ tool_calls: [{ id, index: place, function: { name: first ? name : '', arguments: delta } }] })],
    // The last choice and the usage in one chunk.
    end: (calls) => [chunk({ content: '' }, calls ? 'tool_calls' : 'stop', { usage: CACHED }), DONE],
  };
}

function ollama(): Shape {
  const chunk = maker({ id: 'chatcmpl-319', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'qwen3:8b', system_fingerprint: 'fp_ollama' });
  return {
    text: (content) => [chunk({ role: 'assistant', content })],
    thinking: (reasoning) => [chunk({ role: 'assistant', content: '', reasoning })],
    // Every call has the number 0, and id and name are repeated.
    call: ({ id, name }, delta) => [
      chunk({ role: 'assistant', content: '', tool_calls: [{ id, index: 0, type: 'function', function: { name, arguments: delta } }] }),
    ],
    end: (calls) => [chunk({ role: 'assistant', content: '' }, calls ? 'tool_calls' : 'stop'), chunk(undefined, null, { usage: CACHED }), DONE],
  };
}

function openrouter(): Shape {
  const chunk = maker(
    { id: 'gen-1793', provider: 'Anthropic', model: 'anthropic/claude-sonnet-5', object: 'chat.completion.chunk', created: 1_793_000_000 },
    { native_finish_reason: null, logprobs: null },
  );
  const comment: Step = { raw: ': OPENROUTER PROCESSING\n\n' };
  return {
    text: (content) => [comment, chunk({ role: 'assistant', content })],
    thinking: (reasoning) => [
      chunk({
        role: 'assistant',
        content: '',
        reasoning,
        reasoning_details: [{ type: 'reasoning.text', text: reasoning, format: 'anthropic-claude-v1', index: 0 }],
      }),
    ],
    call: (call, delta, first) => [
      chunk({ role: 'assistant', content: null, tool_calls: [{ ...byNumber(call, delta, first), ...(first ? {} : { id: null }) }] }),
      comment,
    ],
    end: (calls) => [
      chunk({ role: 'assistant', content: '' }, calls ? 'tool_calls' : 'stop'),
      chunk({ role: 'assistant', content: '' }, null, { usage: { ...CACHED, cost: 0.0012 } }),
      DONE,
    ],
  };
}

function lmstudio(): Shape {
  const chunk = maker(
    { id: 'chatcmpl-kx9', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'qwen2.5-coder-14b', system_fingerprint: 'qwen2.5-coder-14b' },
    { logprobs: null },
  );
  return {
    text: (content) => [chunk({ role: 'assistant', content })],
    thinking: (reasoning_content) => [chunk({ role: 'assistant', reasoning_content })],
    call: (call, delta, first) => [chunk({ tool_calls: [byNumber(call, delta, first)] })],
    // It says `stop` beside calls, as several local servers do.
    end: () => [chunk({}, 'stop'), chunk(undefined, null, { usage: USAGE }), DONE],
  };
}

function vllm(): Shape {
  let written = 0;
  const base = maker(
    { id: 'chatcmpl-7f3', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'Qwen/Qwen3-32B', prompt_token_ids: null },
    { logprobs: null, stop_reason: null, token_ids: null },
  );
  // Usage in every chunk, growing.
  const chunk = (delta: object, finish: string | null = null): Step => {
    written += 1;
    return base(delta, finish, { usage: { prompt_tokens: 100, completion_tokens: Math.min(written, 19), total_tokens: 100 + Math.min(written, 19) } });
  };
  return {
    text: (content) => [chunk({ content })],
    thinking: (text) => [chunk({ reasoning: text, reasoning_content: text })],
    call: (call, delta, first) => [chunk({ tool_calls: [byNumber(call, delta, first)] })],
    end: (calls) => [chunk({ content: '' }, calls ? 'tool_calls' : 'stop'), base(undefined, null, { usage: CACHED }), DONE],
  };
}

function deepseek(): Shape {
  const chunk = maker(
    { id: '5b1c', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'deepseek-flash', system_fingerprint: 'fp_8802', usage: null },
    { logprobs: null },
  );
  return {
    text: (content) => [chunk({ content, reasoning_content: null })],
    thinking: (reasoning_content) => [{ raw: ': keep-alive\n\n' }, chunk({ content: null, reasoning_content })],
    call: (call, delta, first) => [chunk({ content: null, tool_calls: [byNumber(call, delta, first)] })],
    end: (calls) => [
      chunk({ content: '', reasoning_content: null }, calls ? 'tool_calls' : 'stop', {
        usage: { ...USAGE, prompt_cache_hit_tokens: 40, prompt_cache_miss_tokens: 60 },
      }),
      DONE,
    ],
  };
}

function gemini(): Shape {
  const chunk = maker({ id: 'aB3', object: 'chat.completion.chunk', created: 1_793_000_000, model: 'gemini-3.8-flash' });
  return {
    text: (content) => [chunk({ role: 'assistant', content })],
    thinking: () => [],
    // No numbers; each piece names its call.
    call: ({ id, name }, delta, first) => [
      chunk({ role: 'assistant', tool_calls: [{ id, type: 'function', function: first ? { name, arguments: delta } : { arguments: delta } }] }),
    ],
    // Its thoughts count in the total only.
    end: () => [
      chunk({ role: 'assistant' }, 'stop', {
        usage: { prompt_tokens: 100, completion_tokens: 12, total_tokens: 120, prompt_tokens_details: { cached_tokens: 40 } },
      }),
      DONE,
    ],
  };
}

/** The form of each server's stream, after its documentation and recordings in public issues. */
export const SHAPES: Readonly<Record<PresetId, () => Shape>> = { openai, mistral, ollama, openrouter, lmstudio, vllm, deepseek, gemini };
