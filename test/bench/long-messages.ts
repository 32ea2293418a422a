import type { Message } from '../../src/domain/model/message.js';
import { NO_USAGE } from '../../src/domain/model/usage.js';

const timestamp = '2026-01-01T00:00:00Z';
const SENTENCE = 'The **quick** brown fox jumps over `the lazy` dog and goes on for a while, as such sentences do. ';
/** Sentences of an answer: from 1 to this. */
const MAX_SENTENCES = 12;
/** Characters of a file that was read. */
const OUTPUT_LENGTH = 2_000;

/** A conversation of so many messages: questions, a call with its result, and answers of different lengths with code. */
export function longMessages(count: number): readonly Message[] {
  return Array.from({ length: count }, (_, index) => messageAt(index));
}

function messageAt(index: number): Message {
  const turn = Math.floor(index / 4);
  const end = { rawStopReason: '', usage: NO_USAGE, timestamp };
  switch (index % 4) {
    case 0:
      return { role: 'user', content: [{ type: 'text', text: `Question ${turn}: what does this part do?` }], timestamp };
    case 1: {
      const call = { type: 'tool_call' as const, id: `c${turn}`, name: 'read', arguments: `{"path":"src/file-${turn}.ts"}` };
      return { role: 'assistant', content: [{ type: 'text', text: 'I will look at it.' }, call], stopReason: 'tool_use', ...end };
    }
    case 2:
      return {
        role: 'tool_result',
        toolCallId: `c${turn}`,
        toolName: 'read',
        content: [{ type: 'text', text: 'x'.repeat(OUTPUT_LENGTH) }],
        isError: false,
        timestamp,
      };
    default: {
      const words = SENTENCE.repeat(1 + (turn % MAX_SENTENCES));
      const text = `Answer ${turn}.\n\n${words}\n\n- one\n- two\n\n\`\`\`ts\nexport const value = ${turn};\n\`\`\`\n\nend of ${turn}`;
      return { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'end_turn', ...end };
    }
  }
}
