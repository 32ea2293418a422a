import type { ViewAnswerItem, ViewBlock, ViewItem, ViewToolCall } from '../../../src/protocol/view-state.js';
import { longItems } from './long-items.js';
import { textOf } from './texts.js';

/** Messages before and after the giant one. */
const AROUND = 20;
/** How every giant answer ends, so that tests can tell when all of it is shown. */
export const GIANT_END = 'the very end of it';

/** Single answers that are hard to show, by name. */
export const GIANTS = {
  '1 MB of Markdown': () => [text(mixed(1_000_000))],
  'a block of 50,000 lines': () => [text(block(50_000))],
  'a line of 1 MB': () => [text(textOf('word', 1_000_000, `\n\n${GIANT_END}`))],
  'a table of 500 rows': () => [text(table(500))],
  '500 calls': () => [...Array.from({ length: 500 }, (_, index): ViewBlock => ({ type: 'tool', call: callAt(index) })), text(GIANT_END)],
  '500 reads': () => [...Array.from({ length: 500 }, (_, index): ViewBlock => ({ type: 'tool', call: readAt(index) })), text(GIANT_END)],
} as const satisfies Record<string, () => ViewBlock[]>;

/**
 * The same smaller, for tests of what becomes of them: all are beyond each bound of the page, which is what makes them hard.
 * What the full sizes cost is measured elsewhere.
 */
export const LARGE = {
  '150 kB of Markdown': () => [text(mixed(150_000))],
  'a block of 4,000 lines': () => [text(block(4_000))],
  'a line of 150 kB': () => [text(textOf('word', 150_000, `\n\n${GIANT_END}`))],
  'a table of 150 rows': () => [text(table(150))],
  '250 calls': () => [...Array.from({ length: 250 }, (_, index): ViewBlock => ({ type: 'tool', call: callAt(index) })), text(GIANT_END)],
  '250 reads': () => [...Array.from({ length: 250 }, (_, index): ViewBlock => ({ type: 'tool', call: readAt(index) })), text(GIANT_END)],
} as const satisfies Record<string, () => ViewBlock[]>;

/** Name of a giant answer. */
export type Giant = keyof typeof GIANTS | keyof typeof LARGE;

/** A conversation with a giant answer between others, of which one is the last when `ends`. */
export function giantItems(giant: Giant, ends: boolean): ViewItem[] {
  const before = longItems(AROUND);
  const after = longItems(AROUND).map((item) => ({ ...item, id: `after-${item.id}` }));
  return [...before, giantAnswer(giant), ...(ends ? [] : after)];
}

/** The giant answer itself. */
export function giantAnswer(giant: Giant): ViewAnswerItem {
  return { kind: 'answer', id: 'giant', blocks: { ...GIANTS, ...LARGE }[giant](), status: 'complete', time: '2026-01-01T00:00:00Z', summary: '' };
}

function text(words: string): ViewBlock {
  return { type: 'text', text: words };
}

const SENTENCE = 'Some **words** about `part` that go on for a while, as such sentences do. ';

/** Headings, paragraphs, lists and code by turns. */
function mixed(length: number): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < length; index += 1) {
    const code = `\`\`\`js\n${`const part = compute(${index}); // a line\n`.repeat(6)}\`\`\``;
    const part = `## Part ${index}\n\n${SENTENCE.repeat(6)}\n\n${SENTENCE.repeat(4)}\n\n- one entry\n- another entry with *words*\n\n${code}\n\n`;
    parts.push(part);
    size += part.length;
  }
  return `${parts.join('')}${GIANT_END}\n`;
}

function block(lines: number): string {
  return `\`\`\`ts\n${'const value = compute(alpha, beta); // a line\n'.repeat(lines)}\`\`\`\n\n${GIANT_END}\n`;
}

function table(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `| ${row} | a cell with words | \`code ${row}\` | 12,345 | another **cell** |`);
  return `| # | a | b | c | d |\n|---|---|---|---|---|\n${lines.join('\n')}\n\n${GIANT_END}\n`;
}

function callAt(index: number): ViewToolCall {
  return {
    id: `call-${index}`,
    name: 'bash',
    subject: `npm test -- part-${index}`,
    status: index % 7 === 0 ? 'failed' : 'done',
    output: `line of ${index}\n`.repeat(40),
  };
}

function readAt(index: number): ViewToolCall {
  return { id: `call-${index}`, name: 'read', subject: `src/part-${index}.ts`, status: 'done', output: `line of ${index}\n`.repeat(40) };
}
