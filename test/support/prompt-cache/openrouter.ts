import type { ChatBody } from '../openai-server/index.js';
import type { CacheableBody } from './units.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A request to OpenRouter as it reaches Claude: the system prompt by itself, results of tools in turns of the user, and
 * the mark of a text on the block that it becomes. A text is the same block whether it came alone or in a list.
 * Source: openrouter.ai/docs, "Prompt Caching" and "Reasoning Tokens".
 */
export function bodyForClaude({ tools, messages = [] }: ChatBody): CacheableBody {
  const [system, ...talk] = messages;
  if (system?.['role'] !== 'system') throw new Error('The request has no system prompt.');
  return {
    tools: tools as readonly object[],
    system: partsOf(system['content']),
    messages: talk.map((message) => ({ role: message['role'] === 'assistant' ? 'assistant' : 'user', content: blocksOf(message) })),
  };
}

function blocksOf(message: Fields): readonly object[] {
  const parts = partsOf(message['content']);
  if (message['role'] === 'tool') {
    const marked = parts.find((part) => 'cache_control' in part);
    const content = parts.map(({ cache_control: _mark, ...part }) => part);
    return [
      { type: 'tool_result', tool_use_id: message['tool_call_id'], content, ...(marked === undefined ? {} : { cache_control: marked['cache_control'] }) },
    ];
  }
  return [...listOf(message['reasoning_details']), ...parts, ...listOf(message['tool_calls'])];
}

function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content);
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}
