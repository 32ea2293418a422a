import type { ViewItem } from '../../../src/protocol/view-state.js';

/** Primes, so that the lengths of messages follow no pattern. */
const STEP = 7_919;
const LENGTHS = 97;

/** A question and an answer by turns, of very different lengths. Message 7 is always the same, in every conversation. */
export function longItems(count: number): ViewItem[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? question(index) : answer(index)));
}

function question(index: number): ViewItem {
  return { kind: 'user', id: `u${index}`, text: `Question ${index}`, images: [], time: '2026-01-01T00:00:00Z' };
}

function answer(index: number): ViewItem {
  const words = 'and some more words '.repeat((index * STEP) % LENGTHS);
  const text = `Answer **${index}** to what was asked.\n\n- one\n- two\n\n\`\`\`js\ncode(${index});\n\`\`\`\n\n${words}`;
  return { kind: 'answer', id: `a${index}`, blocks: [{ type: 'text', text }], status: 'complete', time: '2026-01-01T00:00:00Z', summary: '' };
}
