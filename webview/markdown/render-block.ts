import DOMPurify from 'dompurify';
import type { Token } from 'marked';
import { decorateCode } from './code-block.js';
import { dialect } from './dialect-html.js';
import { isList, lexAll } from './lexer.js';
import type { BlockSource } from './pieces.js';

/** The elements and attributes that Markdown needs. Everything else is dropped, whatever the renderer made. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
    ...['strong', 'em', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'start', 'align', 'data-language'],
  ALLOWED_URI_REGEXP: /^https?:/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Renders blocks. Their elements are made by the sanitiser; no text of a model ever reaches the page as HTML. */
export function renderBlock(block: BlockSource): DocumentFragment {
  let html: string;
  try {
    html = htmlOf(block);
  } catch {
    return asWritten(block.source);
  }
  const fragment = DOMPurify.sanitize(html, ALLOWED);
  for (const pre of fragment.querySelectorAll('pre')) decorateCode(pre);
  for (const table of fragment.querySelectorAll('table')) frameTable(table, block.continued);
  return fragment;
}

function htmlOf(block: BlockSource): string {
  const tokens = [...lexAll(block.source)];
  const [first] = tokens;
  if (first !== undefined && isList(first) && block.start !== undefined) first.start = block.start;
  return first !== undefined && block.continued && isEmptyTable(first) ? '' : dialect.parser(tokens);
}

/** The rest of a table that was cut after its last row. */
function isEmptyTable(token: Token): boolean {
  return token.type === 'table' && 'rows' in token && Array.isArray(token.rows) && token.rows.length === 0;
}

/** Text that the parser fails on is shown as it is written. */
function asWritten(source: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const text = document.createElement('p');
  text.className = 'plain-text';
  text.textContent = source;
  fragment.append(text);
  return fragment;
}

/** Tables scroll sideways by themselves. The head of a table that goes on is there for screen readers only. */
function frameTable(table: HTMLTableElement, continued: boolean): void {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', 'Table');
  table.replaceWith(frame);
  frame.append(table);
  table.classList.toggle('continued', continued);
}
