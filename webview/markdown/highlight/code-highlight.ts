import type { Token } from './line-tokenizer.js';
import type { LineTokenizer } from './line-tokenizer.js';

/** Characters that are colored in a step. */
const PORTION = 2_048;
/** Longer lines stay plain: they are data rather than code. */
const MAX_LINE = 2_000;
/** Maximum characters of a block that are highlighted; the rest stays plain, to bound the cost of a long one. */
const MAX_BLOCK = 60_000;

/**
 * Colors the code in an element line by line while more of it comes. Only lines that are complete are looked at, each
 * once; the text content of the element stays the same at every moment.
 *
 * The code is text in the element itself, or in chunks in it to whose last text node more is added.
 */
export class CodeHighlight {
  private at = 0;
  private colored = 0;
  private closed = false;

  constructor(
    private readonly code: HTMLElement,
    private readonly tokenizer: LineTokenizer,
  ) {}

  /** Whether there is nothing left to color, now and later. */
  get finished(): boolean {
    return this.colored >= MAX_BLOCK || (this.closed && this.ready() === undefined);
  }

  /** Says that no more code comes. */
  close(): void {
    this.closed = true;
  }

  /** Colors some lines; `false` when there are none to color now. */
  step(): boolean {
    const ready = this.colored >= MAX_BLOCK ? undefined : this.ready();
    if (ready === undefined) return false;
    const tokens: Token[] = [];
    let length = 0;
    while (length < ready.length && length < PORTION) length += this.takeLine(ready.tail.data, length, tokens);
    ready.tail.before(...joined(tokens).map(nodeOf));
    ready.tail.deleteData(0, length);
    this.colored += length;
    return true;
  }

  /** The text that is not colored yet and how much of it is complete lines. Continues with the next chunk after the last one. */
  private ready(): { readonly tail: Text; readonly length: number } | undefined {
    for (;;) {
      const chunk = this.code.childElementCount === 0 || this.code.lastChild instanceof Text ? this.code : this.code.children[this.at];
      const tail = chunk?.lastChild;
      if (!(tail instanceof Text)) return undefined;
      const isLast = chunk === this.code || this.at === this.code.childElementCount - 1;
      const length = isLast && !this.closed ? tail.data.lastIndexOf('\n') + 1 : tail.length;
      if (length > 0) return { tail, length };
      if (isLast) return undefined;
      this.at += 1;
    }
  }

  /** Takes the line that begins at `from`, with its line feed. @returns its length. */
  private takeLine(text: string, from: number, tokens: Token[]): number {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? undefined : end);
    if (line.length > MAX_LINE) tokens.push({ text: line });
    else tokens.push(...this.tokenizer.tokens(line));
    if (end >= 0) tokens.push({ text: '\n' });
    return line.length + (end < 0 ? 0 : 1);
  }
}

/** The same tokens with neighbors of one kind as one: fewer nodes. */
function joined(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = [];
  for (const token of tokens) {
    const last = result.at(-1);
    // White space has no color, whatever it belongs to.
    if (last !== undefined && (last.kind === token.kind || token.text.trim() === '')) result[result.length - 1] = { ...last, text: last.text + token.text };
    else result.push(token);
  }
  return result;
}

function nodeOf({ text, kind }: Token): Node {
  const node = document.createTextNode(text);
  if (kind === undefined) return node;
  const element = document.createElement('span');
  element.className = `hl-${kind}`;
  element.append(node);
  return element;
}
