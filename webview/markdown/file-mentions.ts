import { fileMentions, mayBeFile } from '../../src/protocol/file-place.js';

/** The most mentions of files that one block is looked through for. */
const MAX_MENTIONS = 200;
/** Text of these is no running text. */
const APART = 'pre, a, code, button, [data-file]';

/**
 * Marks what may name a file in a finished block: links that are not web addresses, inline code, and paths in the text.
 * @returns what was marked; what it may name is in `data-file`.
 */
export function markFileMentions(block: Element): readonly HTMLElement[] {
  const marked = [...block.querySelectorAll<HTMLElement>('[data-file]')];
  for (const code of block.querySelectorAll<HTMLElement>('code')) {
    const text = code.textContent;
    if (code.closest('pre, a, [data-file]') !== null || !mayBeFile(text)) continue;
    code.dataset['file'] = text;
    marked.push(code);
  }
  for (const node of textNodes(block)) {
    if (marked.length >= MAX_MENTIONS) break;
    marked.push(...markIn(node));
  }
  return marked.slice(0, MAX_MENTIONS);
}

function textNodes(block: Element): readonly Text[] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.data.includes('.') && node.parentElement?.closest(APART) === null) nodes.push(node);
  }
  return nodes;
}

/** Puts each path in a text into an element of its own. From the end, so that the earlier offsets stay valid. */
function markIn(node: Text): readonly HTMLElement[] {
  const mentions = fileMentions(node.data);
  return mentions.toReversed().map(({ at, text }) => {
    const path = node.splitText(at);
    path.splitText(text.length);
    const span = document.createElement('span');
    span.dataset['file'] = text;
    path.replaceWith(span);
    span.append(path);
    return span;
  });
}
