import type { WireMark, WireMessage, WirePart } from './wire.js';

/** How many of the last turns of the user end with a mark for Claude. With the system prompt that is 3 of the 4 allowed. */
const CLAUDE_TURNS = 2;
/** Turns of the user between two places of Gemini's mark. */
const GEMINI_STEP = 8;

const MARK: WireMark = { cache_control: { type: 'ephemeral' } };

/**
 * Marks up to where a conversation is kept in the cache of its provider, for the models that OpenRouter caches only if
 * asked to. A turn of the user is what comes between two answers: results of tools, or a message.
 *
 * Claude: the ends of the last two turns, as in `anthropic/request.ts`. Gemini keeps only what is before the last mark,
 * writes all of it anew whenever the mark has moved, and cannot read a part; so the mark moves only with every eighth
 * turn. Marked or not, texts are in lists, so that nothing but the mark changes from one request to the next.
 * Source: openrouter.ai/docs, "Prompt Caching".
 */
export function withCacheMarks(messages: readonly WireMessage[], model: string): readonly WireMessage[] {
  const family = /claude|gemini/.exec(model)?.[0];
  if (family === undefined) return messages;
  const ends = messages.flatMap(({ role }, index) => (isUsers(role) && !isUsers(messages[index + 1]?.role) ? [index] : []));
  const marked = new Set(
    family === 'claude' ? ends.slice(-CLAUDE_TURNS) : ends.filter((_, turn) => turn === ends.length - 1 - ((ends.length - 1) % GEMINI_STEP)),
  );
  return messages.map((message, index) => {
    if (message.role === 'assistant') return message;
    const parts = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
    const mark = marked.has(index) || message.role === 'system';
    return { ...message, content: mark ? markLast(parts) : parts };
  });
}

function isUsers(role: WireMessage['role'] | undefined): boolean {
  return role === 'user' || role === 'tool';
}

/** Marks the last text: no other part takes a mark. */
function markLast(parts: readonly WirePart[]): readonly WirePart[] {
  const last = parts.findLastIndex(({ type }) => type === 'text');
  return parts.map((part, index) => (index === last ? { ...part, ...MARK } : part));
}
