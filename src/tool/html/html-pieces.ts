import type { HtmlToken } from './html-tokens.js';
import { attributeOf, htmlTokens } from './html-tokens.js';

/** Size of a piece: from the first on it ends where no element is open, from the second on anywhere. In characters. */
const PIECE = 8_192;
const LONGEST_PIECE = 16_384;
/** After so many tags and texts an empty piece is given, so that whoever waits can see to other things. */
const TOKENS_A_PIECE = 5_000;
/** Elements that may lie in each other; tags of deeper ones are left out, their text stays. */
const MAX_DEPTH = 24;

/** Left out with everything in them: no text, or none that belongs to the page. */
const DROPPED = new Set(
  'script style noscript template svg math iframe object canvas video audio nav button select textarea dialog datalist noembed noframes'.split(' '),
);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const LINES = new Set(['p', ...HEADINGS]);
const INLINE = new Set(['a', 'em', 'i', 'strong', 'b', 'del', 's', 'code']);
const CONTAINERS = new Set(['ul', 'ol', 'li', 'blockquote', 'table', 'tr', 'th', 'td', 'pre']);
/** Elements that make a break and say nothing else. */
const BREAKS = new Set(
  'div section article main header footer aside address figure figcaption details summary fieldset form dl dt dd center hgroup title body head caption'.split(' '),
);
/** What an element must directly lie in; without that, it is only a break. */
const PARENTS: Readonly<Record<string, readonly string[]>> = { li: ['ul', 'ol'], tr: ['table'], th: ['tr'], td: ['tr'] };

/**
 * A page as a row of small HTML documents that together hold its text and only the elements that Markdown has, each
 * closed in good order and not deeply nested: safe food for a parser and a converter that work recursively, and whose
 * time grows faster than the input when elements are left open.
 */
export function* htmlPieces(html: string): Generator<string> {
  const builder = new PieceBuilder();
  let dropped: { name: string; depth: number } | undefined;
  let tokens = 0;
  for (const token of htmlTokens(html)) {
    tokens += 1;
    if (tokens % TOKENS_A_PIECE === 0) yield '';
    if (dropped !== undefined) {
      if (token.type !== 'text' && token.name === dropped.name) dropped.depth += token.type === 'open' ? 1 : -1;
      if (dropped.depth === 0) dropped = undefined;
    } else if (token.type === 'open' && DROPPED.has(token.name)) {
      dropped = { name: token.name, depth: token.attributes.endsWith('/') && token.name === 'svg' ? 0 : 1 };
      if (dropped.depth === 0) dropped = undefined;
    } else {
      builder.take(token);
      if (builder.isReady()) yield builder.finish();
    }
  }
  yield builder.finish();
}

interface Element {
  readonly name: string;
  /** The tag that opens it. */
  readonly tag: string;
}

class PieceBuilder {
  private readonly open: Element[] = [];
  private parts: string[] = [];
  private length = 0;
  /** Whether a new paragraph would begin here anyway. */
  private fresh = true;
  private hasText = false;

  take(token: HtmlToken): void {
    if (token.type === 'text') this.text(token.text);
    else if (this.isOpen('pre')) this.inPre(token);
    else if (token.type === 'close') this.close(token.name);
    else this.start(token.name, token.attributes);
  }

  isReady(): boolean {
    return this.length >= LONGEST_PIECE || (this.length >= PIECE && this.open.length === 0 && this.fresh);
  }

  /** Closes what is open and opens it again in the next piece. A piece without text is empty. */
  finish(): string {
    const closing = this.open.toReversed().map(({ name }) => closingTag(name));
    const piece = this.parts.join('') + closing.join('');
    this.parts = this.open.map(({ tag }) => tag);
    this.length = 0;
    const empty = !this.hasText;
    this.hasText = false;
    return empty ? '' : piece;
  }

  private start(name: string, attributes: string): void {
    if (name === 'br' || name === 'hr') this.write(`<${name}>`);
    else if (name === 'img') this.image(attributeOf(attributes, 'alt') ?? '');
    else if (INLINE.has(name)) this.startInline(name, attributes);
    else if (LINES.has(name) || CONTAINERS.has(name)) this.startBlock(name);
    else if (BREAKS.has(name)) this.breakLine();
  }

  private startInline(name: string, attributes: string): void {
    if (this.isOpen('code')) return;
    if (name === 'a') this.close('a');
    const href = name === 'a' ? attributeOf(attributes, 'href') : undefined;
    this.push({ name, tag: href === undefined ? `<${name}>` : `<${name} href="${href.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">` });
  }

  private startBlock(name: string): void {
    const parents = PARENTS[name];
    if (parents === undefined) this.endLine();
    else if (!this.closeUpTo(parents)) return this.breakLine();
    if (this.open.some((element) => INLINE.has(element.name)) && LINES.has(name)) return;
    this.push({ name, tag: name === 'pre' ? '<pre><code>' : `<${name}>` });
  }

  /** Only the end and line breaks count in text that is set as written. */
  private inPre({ type, name }: { readonly type: 'open' | 'close'; readonly name: string }): void {
    if (type === 'close' && name === 'pre') this.close('pre');
    else if (name === 'br' || (type === 'close' && (name === 'div' || name === 'p' || name === 'tr'))) this.write('\n');
  }

  /** What the picture shows, as text: an address in the result could be asked for by whoever shows it. */
  private image(alt: string): void {
    const text = alt.trim();
    if (text !== '') this.text(`(image: ${text})`);
  }

  /** Parts what follows from what comes before. */
  private breakLine(): void {
    if (!this.endLine() && !this.fresh) this.write('<p></p>');
    this.fresh = true;
  }

  /** Ends a paragraph or heading with what is open in it; within other inline elements a space has to do. */
  private endLine(): boolean {
    const line = this.open.findLastIndex(({ name }) => LINES.has(name));
    const container = this.open.findLastIndex(({ name }) => CONTAINERS.has(name));
    const last = this.open.at(-1);
    if (line > container) this.popTo(line);
    else if (last !== undefined && INLINE.has(last.name)) this.write(' ');
    else return false;
    return true;
  }

  private close(name: string): void {
    const at = this.open.findLastIndex((element) => element.name === name);
    if (at === -1) {
      if (BREAKS.has(name) || name === 'p') this.breakLine();
      return;
    }
    // The end of something inline does not reach out of a list item or a cell.
    if (INLINE.has(name) && this.open.slice(at).some((element) => CONTAINERS.has(element.name))) return;
    this.popTo(at);
  }

  /** Closes everything within the innermost of some elements; `false` when none is open in the same table or list. */
  private closeUpTo(names: readonly string[]): boolean {
    const at = this.open.findLastIndex(({ name }) => names.includes(name));
    const inner = this.open.slice(at + 1).map(({ name }) => name);
    if (at === -1 || inner.some((name) => name === 'table' || name === 'ul' || name === 'ol' || name === 'blockquote')) return false;
    this.popTo(at + 1);
    return true;
  }

  private isOpen(name: string): boolean {
    return this.open.some((element) => element.name === name);
  }

  private push(element: Element): void {
    if (this.open.length >= MAX_DEPTH) return;
    this.open.push(element);
    this.write(element.tag);
    this.fresh = !INLINE.has(element.name);
  }

  private popTo(depth: number): void {
    for (const { name } of this.open.splice(depth).reverse()) {
      this.write(closingTag(name));
      this.fresh = !INLINE.has(name);
    }
  }

  private text(text: string): void {
    this.write(text.replaceAll('<', '&lt;'));
    if (!/\S/.test(text)) return;
    this.fresh = false;
    this.hasText = true;
  }

  private write(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }
}

function closingTag(name: string): string {
  return name === 'pre' ? '</code></pre>' : `</${name}>`;
}
