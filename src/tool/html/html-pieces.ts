import { Tokenizer } from 'htmlparser2';

/** Size of a piece: from the first on it ends where no element is open, from the second on anywhere. In characters. */
const PIECE = 8_192;
const LONGEST_PIECE = 16_384;
/** Characters of a page that are read between yields. */
const STEP = 4_096;
/** Longest value of an attribute that is read, in characters. */
const MAX_VALUE = 4_096;
/** Elements that may lie in each other; tags of deeper ones are left out, their text stays. */
const MAX_DEPTH = 24;

/** Left out with everything in them: no text, or none that belongs to the page. */
const DROPPED = new Set(
  'script style noscript template svg math iframe object canvas video audio nav button select textarea dialog datalist noembed noframes xmp'.split(' '),
);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const LINES = new Set(['p', ...HEADINGS]);
/** Elements whose end is the end of a line in text that is set as written. */
const PRE_LINES = new Set(['br', 'div', 'p', 'tr']);
const INLINE = new Set(['a', 'em', 'i', 'strong', 'b', 'del', 's', 'code']);
const CONTAINERS = new Set(['ul', 'ol', 'li', 'blockquote', 'table', 'tr', 'th', 'td', 'pre']);
/** Elements that make a break and say nothing else. */
const BREAKS = new Set(
  'div section article main header footer aside address figure figcaption details summary fieldset form dl dt dd center hgroup title body head caption'.split(
    ' ',
  ),
);
/** What an element must directly lie in; without that, it is only a break. */
const PARENTS: Readonly<Record<string, readonly string[]>> = { li: ['ul', 'ol'], tr: ['table'], th: ['tr'], td: ['tr'] };

/**
 * Splits a page into small HTML documents that together contain its text and only the elements that Markdown has, each
 * well-formed and not deeply nested: safe input for a parser and a converter that work recursively, and whose
 * time grows faster than the input when elements are left open. Takes time proportional to the size of the page
 * whatever is in it, and yields an empty piece after each step of bounded size.
 */
export function* htmlPieces(html: string): Generator<string> {
  const reader = new PageReader(html);
  // The tokenizer alone: the parser around it keeps a stack of open elements, which takes quadratic time when they are many.
  const tokenizer = new Tokenizer({ decodeEntities: false }, reader);
  for (let at = 0; at < html.length;) {
    const end = stepEnd(html, at);
    tokenizer.write(html.slice(at, end));
    at = end;
    yield* reader.pieces.splice(0);
    yield '';
  }
  tokenizer.end();
  yield* reader.pieces.splice(0);
  yield reader.builder.finish();
}

/** Where a step ends that begins at an index: not within an entity or a pair of surrogates. */
function stepEnd(html: string, at: number): number {
  const end = at + STEP;
  if (end >= html.length) return html.length;
  return end - (/[&\uD800-\uDBFF][^\s;&]{0,40}$/.exec(html.slice(end - 42, end))?.[0].length ?? 0);
}

type Attributes = Partial<Record<'href' | 'alt', string>>;

/** Receives the tags and texts of a page, as positions in it, and builds the pieces from them. */
class PageReader {
  readonly builder = new PieceBuilder();
  /** Those that are full. */
  readonly pieces: string[] = [];
  private name = '';
  private attributes: Attributes = {};
  private attribute = '';
  /** Where the value of the attribute begins and ends. */
  private value: { readonly start: number; readonly end: number } | undefined;
  private dropped: { readonly name: string; depth: number } | undefined;

  constructor(private readonly html: string) {}

  ontext(start: number, end: number): void {
    if (this.dropped !== undefined) return;
    this.builder.text(this.html.slice(start, end));
    this.keepFull();
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = undefined;
  }

  onattribdata(start: number, end: number): void {
    this.value = { start: this.value?.start ?? start, end };
  }

  onattribend(): void {
    const { attribute, value } = this;
    if ((attribute !== 'href' && attribute !== 'alt') || value === undefined || value.end - value.start > MAX_VALUE) return;
    this.attributes[attribute] ??= this.html.slice(value.start, value.end);
  }

  onopentagend(): void {
    if (this.dropped?.name === this.name) this.dropped.depth += 1;
    if (this.dropped !== undefined) return;
    if (DROPPED.has(this.name)) this.dropped = { name: this.name, depth: 1 };
    else this.builder.start(this.name, this.attributes);
    this.keepFull();
  }

  onselfclosingtag(): void {
    if (this.name !== 'svg') this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (this.dropped === undefined) this.builder.end(name);
    else if (this.dropped.name === name) this.dropped.depth -= 1;
    if (this.dropped?.depth === 0) this.dropped = undefined;
    this.keepFull();
  }

  // Not text, or not reported because entities stay as written.
  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}
  onattribentity(): void {}
  onend(): void {}

  private keepFull(): void {
    if (this.builder.isReady()) this.pieces.push(this.builder.finish());
  }
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

  start(name: string, { href, alt = '' }: Attributes): void {
    if (this.isOpen('pre')) return name === 'br' ? this.write('\n') : undefined;
    if (name === 'br' || name === 'hr') this.write(`<${name}>`);
    else if (name === 'img') this.image(alt);
    else if (INLINE.has(name)) this.startInline(name, href);
    else if (LINES.has(name) || CONTAINERS.has(name)) this.startBlock(name);
    else if (BREAKS.has(name)) this.breakLine();
  }

  /** Only its own end and what ends a line count in text that is set as written. */
  end(name: string): void {
    if (name === 'pre' || !this.isOpen('pre')) this.close(name);
    else if (PRE_LINES.has(name)) this.write('\n');
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

  private startInline(name: string, href: string | undefined): void {
    if (this.isOpen('code')) return;
    if (name === 'a') this.close('a');
    this.push({ name, tag: name !== 'a' || href === undefined ? `<${name}>` : `<${name} href="${href.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">` });
  }

  private startBlock(name: string): void {
    const parents = PARENTS[name];
    if (parents === undefined) this.endLine();
    else if (!this.closeUpTo(parents)) return this.breakLine();
    if (this.open.some((element) => INLINE.has(element.name)) && LINES.has(name)) return;
    this.push({ name, tag: name === 'pre' ? '<pre><code>' : `<${name}>` });
  }

  /** Describes the image as text: a viewer of the result could request an address in it. */
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

  text(text: string): void {
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
