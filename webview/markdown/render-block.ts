import DOMPurify from 'dompurify';
import type { Token } from 'marked';
import { t } from '../../src/protocol/l10n.js';
import { directionOf, hasRightToLeft } from '../state/direction.js';
import { decorateCode } from './code-block.js';
import { dialectFor, escapeHtml } from './dialect-html.js';
import { isList, lexAll } from './lexer.js';
import type { BlockSource } from './pieces.js';

/** The elements and attributes that Markdown needs. Everything else is dropped, whatever the renderer made. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li'],
    ...['strong', 'em', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'start', 'align', 'data-language', 'data-info', 'data-checked', 'data-display', 'data-file'],
  ALLOWED_URI_REGEXP: /^https?:/i,
  // Every other attribute would have to look like an address.
  ADD_URI_SAFE_ATTR: ['start', 'align', 'data-language', 'data-info', 'data-checked', 'data-display', 'data-file'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/**
 * Renders blocks that follow one another; only the first may continue with a block before them. Their elements are made by
 * the sanitizer: no text of a model ever reaches the page as HTML. One call for many blocks costs much less than many.
 */
export function renderBlocks(blocks: readonly BlockSource[]): DocumentFragment {
  const fragment = DOMPurify.sanitize(blocks.map(htmlOf).join(''), ALLOWED);
  if (blocks.some(({ source }) => hasRightToLeft(source))) giveDirections(fragment);
  for (const pre of fragment.querySelectorAll('pre')) decorateCode(pre);
  for (const task of fragment.querySelectorAll<HTMLElement>('.task')) task.replaceWith(checkbox(task.dataset['checked'] === 'true'));
  const continued = blocks[0]?.continued === true ? fragment.firstElementChild : null;
  for (const table of fragment.querySelectorAll('table')) frameTable(table, table === continued);
  return fragment;
}

/** Each block has the direction of its first letter outside of code, which is written from left to right, also in the middle of a sentence. */
function giveDirections(fragment: DocumentFragment): void {
  for (const element of fragment.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6, th, td')) element.dir = 'auto';
  // With `auto`, the browser ignores what has a direction of its own, which is all that these contain.
  for (const element of fragment.querySelectorAll<HTMLElement>('ul, ol, blockquote, table')) element.dir = blockDirection(element);
  for (const element of fragment.querySelectorAll<HTMLElement>('pre, code')) element.dir = 'ltr';
}

function blockDirection(element: Element): 'ltr' | 'rtl' {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) {
    const letter = texts.currentNode.parentElement?.closest('code') === null ? /\p{L}/u.exec(texts.currentNode.nodeValue ?? '')?.[0] : undefined;
    if (letter !== undefined) return directionOf(letter);
  }
  return 'ltr';
}

/** Text that the parser fails on is shown as it is written. */
function htmlOf(block: BlockSource): string {
  try {
    return parse(block);
  } catch {
    return `<p class="plain-text">${escapeHtml(block.source)}</p>`;
  }
}

function parse(block: BlockSource): string {
  const dialect = dialectFor(block.source);
  const tokens = [...lexAll(block.source, dialect)];
  const [first] = tokens;
  if (first !== undefined && isList(first) && block.start !== undefined) first.start = block.start;
  return first !== undefined && block.continued && isEmptyTable(first) ? '' : dialect.parser(tokens);
}

/** The rest of a table that was cut after its last row. */
function isEmptyTable(token: Token): boolean {
  return token.type === 'table' && 'rows' in token && Array.isArray(token.rows) && token.rows.length === 0;
}

/** The read-only checkbox of a task. */
function checkbox(checked: boolean): HTMLInputElement {
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.className = 'task';
  box.disabled = true;
  box.checked = checked;
  box.setAttribute('aria-label', checked ? t('Done') : t('Not done'));
  return box;
}

/**
 * Tables scroll sideways on their own, and then have to be within reach of the keyboard; the parts of one that was cut
 * have a fixed width. The head of a table that continues is there for screen readers only.
 */
function frameTable(table: HTMLTableElement, continued: boolean): void {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  if (!continued) {
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', t('Table'));
  }
  table.replaceWith(frame);
  frame.append(table);
  table.classList.toggle('continued', continued);
}
