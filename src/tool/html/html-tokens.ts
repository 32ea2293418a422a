/** A part of a page. The text is as written, with its entities. */
export type HtmlToken =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'open' | 'close'; readonly name: string; readonly attributes: string };

/** Elements whose content is not markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noscript', 'noembed', 'noframes', 'xmp']);
/** Longest run of text in one token, and what is read of the attributes of a tag, in characters. */
const MAX_TEXT = 4_096;
const MAX_ATTRIBUTES = 4_096;

/** Stands for what is left out, so that a page of nothing else can be read step by step too. */
const NOTHING: HtmlToken = { type: 'text', text: '' };

/**
 * The tags and texts of a page, in order, in time proportional to its size whatever is in it. Comments, declarations and
 * the content of scripts and the like are left out, the title is text; what never ends, ends the page.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const start = nextMarkup(html, at);
    yield* textTokens(html, at, start);
    if (start >= html.length) return;
    const end = html.startsWith('<!--', start) ? after(html, '-->', start + 4) : tagEnd(html, start + 1);
    if (end === undefined) return;
    const tag = /^<(\/?)([a-z][^\s/>]{0,30})/i.exec(html.slice(start, start + 40));
    at = end;
    if (tag === null) {
      yield NOTHING;
      continue;
    }
    const name = (tag[2] ?? '').toLowerCase();
    const attributes = html.slice(start + tag[0].length, Math.min(end - 1, start + MAX_ATTRIBUTES));
    yield { type: tag[1] === '/' ? 'close' : 'open', name, attributes };
    if (tag[1] === '' && RAW.has(name)) {
      const close = rawEnd(html, at, name);
      if (name === 'title') yield* textTokens(html, at, close);
      at = close;
    }
  }
}

/** The value of an attribute, as written; `undefined` when there is none. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, key, double, single, bare] of attributes.matchAll(/([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g)) {
    if (key?.toLowerCase() === name) return double ?? single ?? bare;
  }
  return undefined;
}

/** Where the next tag, comment or declaration begins; other `<` are text. */
function nextMarkup(html: string, from: number): number {
  const pattern = /<(?=[a-z/!?])/gi;
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

/** Behind the `>` of a tag; those within quotes do not count. */
function tagEnd(html: string, from: number): number | undefined {
  const pattern = /[>"']/g;
  pattern.lastIndex = from;
  for (let found = pattern.exec(html); found !== null; found = pattern.exec(html)) {
    if (found[0] === '>') return pattern.lastIndex;
    // A quote means something only behind an equals sign.
    if (!/=\s*$/.test(html.slice(Math.max(from, found.index - 8), found.index))) continue;
    const close = html.indexOf(found[0], pattern.lastIndex);
    if (close === -1) return undefined;
    pattern.lastIndex = close + 1;
  }
  return undefined;
}

function rawEnd(html: string, from: number, name: string): number {
  const pattern = new RegExp(`</${name}[\\s/>]`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number | undefined {
  const at = html.indexOf(mark, from);
  return at === -1 ? undefined : at + mark.length;
}

function* textTokens(html: string, from: number, to: number): Generator<HtmlToken> {
  for (let at = from; at < to; ) {
    const end = Math.min(at + MAX_TEXT, to);
    // Not within an entity or a pair of surrogates.
    const back = end === to ? null : /[&\uD800-\uDBFF][^\s;&]{0,40}$/.exec(html.slice(Math.max(at + 1, end - 42), end));
    const cut = end - (back?.[0].length ?? 0);
    yield { type: 'text', text: html.slice(at, cut) };
    at = cut;
  }
}
