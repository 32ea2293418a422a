/** Shapes of long answers that are hard to show while they stream. */
export const SHAPES = {
  paragraphs: 'The **quick** brown fox jumps over `the lazy` dog and goes on for a while, as such sentences do.\n\n',
  paragraph: 'The **quick** brown fox jumps over `the lazy` dog and goes on for a while, as such sentences do. ',
  word: 'abcdefghijklmnopqrstuvwxyz0123456789',
  code: 'const value = compute(alpha, beta) + await fetchSomething(); // a line of code\n',
  code_line: 'const value = compute(alpha, beta); ',
  list: '- An entry of the list with **some** words and `code` in it\n',
  nested: '- An entry\n  - with an entry in it that has a few words\n    1. and a numbered one\n',
  table: '| a cell | another cell with words | `code` | 12,345 |\n',
  quote: '> Quoted words that go on and on, *as they do*, line after line.\n',
} as const;

/** Name of a shape. */
export type Shape = keyof typeof SHAPES;

/** A text of the shape, of so many characters, that ends with `end`. */
export function textOf(shape: Shape, length: number, end: string): string {
  const unit = SHAPES[shape];
  const head = shape.startsWith('code') ? '```ts\n' : shape === 'table' ? '| a | b | c | d |\n|---|---|---|---|\n' : '';
  const body = unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length - head.length - end.length));
  return head + body + end;
}
