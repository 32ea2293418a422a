/** The most places of one item that stand out. */
const MAX_RANGES = 2_000;
/** Elements that are not searched: those for screen readers only, and those outside of the conversation's text. */
const APART = '.screen-reader-only, [role="toolbar"], dialog';

/** Where a text is in an element, also across the elements in it; upper and lower case are the same. */
export function findRanges(root: Element, query: string): readonly Range[] {
  const nodes = textNodes(root);
  const text = folded(nodes.map(({ data }) => data).join(''));
  const wanted = folded(query);
  const cursor = new Cursor(nodes);
  const ranges: Range[] = [];
  if (wanted === '') return ranges;
  for (let at = text.indexOf(wanted); at >= 0 && ranges.length < MAX_RANGES; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(...cursor.placeOf(at, false));
    range.setEnd(...cursor.placeOf(at + wanted.length, true));
    ranges.push(range);
  }
  return ranges;
}

function textNodes(root: Element): readonly Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.parentElement?.closest(APART) === null) nodes.push(node);
  }
  return nodes;
}

/** Lower case, unless that would move characters. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Finds the nodes of places that come in order. */
class Cursor {
  private index = 0;
  private start = 0;

  constructor(private readonly nodes: readonly Text[]) {}

  /** @param isEnd whether a place between two nodes belongs to the first of them. */
  placeOf(at: number, isEnd: boolean): [Text, number] {
    for (;;) {
      const node = this.nodes[this.index];
      if (node === undefined) throw new Error('There is no such place in the text.');
      const offset = at - this.start;
      if (offset < node.length || (isEnd && offset === node.length)) return [node, offset];
      this.start += node.length;
      this.index += 1;
    }
  }
}
