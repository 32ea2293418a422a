import type TurndownService from 'turndown';
import { type Steps, inSlices } from '../../concurrency/steps.js';

/** Longest address that is kept of a link; longer ones only carry data. */
const MAX_LINK = 500;

/** What is asked of the nodes that the converter gives; its own types need those of a browser. */
interface HtmlNode {
  readonly parentNode: { readonly firstChild: unknown };
  readonly childNodes: ArrayLike<unknown>;
  getAttribute(name: string): string | null;
}

/** How long a page may be converted, in milliseconds. */
const TIME_LIMIT_MS = 10_000;

/** The beginning of a page as Markdown. */
export interface MarkdownPart {
  readonly text: string;
  /** `more` follows, it is `complete`, or it was `cut` because the rest would take too long. */
  readonly end: 'more' | 'complete' | 'cut';
}

/**
 * Converts the beginning of an HTML page to Markdown: at least the requested number of characters, or all of it, and little
 * more. Works piece by piece, so that a large page does not block other work. Links are absolute, images are only their
 * description.
 */
export async function htmlToMarkdown(html: string, base: string, wanted: number, signal: AbortSignal): Promise<MarkdownPart> {
  const [{ default: Turndown }, { htmlPieces }] = await Promise.all([import('turndown'), import('./html-pieces.js')]);
  return inSlices(convert(htmlPieces(html), createConverter(Turndown, base), wanted), signal);
}

function* convert(pieces: Iterable<string>, converter: TurndownService, wanted: number): Steps<MarkdownPart> {
  const deadline = performance.now() + TIME_LIMIT_MS;
  let text = '';
  for (const piece of pieces) {
    const markdown = piece === '' ? '' : converter.turndown(piece).trim();
    if (markdown !== '') text += text === '' ? markdown : `\n\n${markdown}`;
    if (text.length >= wanted) return { text, end: 'more' };
    if (performance.now() > deadline) return { text, end: 'cut' };
    yield;
  }
  return { text, end: 'complete' };
}

function createConverter(Turndown: typeof TurndownService, base: string): TurndownService {
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*', hr: '---' });
  const rule = (name: string, filter: TurndownService.Filter, replacement: (content: string, node: HtmlNode) => string): void => {
    converter.addRule(name, { filter, replacement: (content, node: unknown) => replacement(content, node as HtmlNode) });
  };
  rule('link', 'a', (content, node) => link(content, node.getAttribute('href'), base));
  rule(
    'cell',
    ['th', 'td'],
    (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  );
  rule('row', 'tr', (content, node) => {
    const isFirst = node.parentNode.firstChild === node;
    return `\n|${content}${isFirst ? `\n|${' --- |'.repeat(node.childNodes.length)}` : ''}`;
  });
  rule('table', 'table', (content) => `\n\n${content.trim()}\n\n`);
  rule('struck', ['del', 's'], (content) => (content.trim() === '' ? '' : `~~${content}~~`));
  return converter;
}

/** A link with its whole address; only its text when it leads nowhere on the web. */
function link(content: string, href: string | null, base: string): string {
  const text = content.replace(/\s*\n\s*/g, ' ').trim();
  if (text === '' || href === null || href.startsWith('#') || !URL.canParse(href, base)) return text;
  const url = new URL(href, base);
  if (!['http:', 'https:', 'mailto:'].includes(url.protocol) || url.href.length > MAX_LINK) return text;
  return `[${text}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
