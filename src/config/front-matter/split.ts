import { type Line, contentOf, eachLine } from '../../text/lines.js';

/** Where the front matter of a text is. Offsets are those of the text as it is. */
export type FrontMatterSplit =
  /** The text begins with something else. */
  | { readonly type: 'none'; readonly bodyStart: number }
  /** The text begins with `---`, and no later line is `---`. */
  | { readonly type: 'unclosed' }
  | {
      readonly type: 'found';
      /** Where the lines between the two `---` begin. */
      readonly start: number;
      /** Where the second `---` begins. */
      readonly end: number;
      readonly bodyStart: number;
      /** The line of {@link bodyStart}, from 1 on. */
      readonly bodyLine: number;
    };

/** Finds the front matter of a text: what is between a first line `---` and the next such line. A byte order mark may come first. */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const bodyStart = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', bodyStart)) return { type: 'none', bodyStart };
  let first: Line | undefined;
  let bodyLine = 1;
  for (const line of eachLine(text)) {
    bodyLine += 1;
    const isFence = contentOf(text, line).replace('\uFEFF', '').trimEnd() === '---';
    if (first === undefined && !isFence) return { type: 'none', bodyStart };
    if (first === undefined) first = line;
    else if (isFence) return { type: 'found', start: first.next, end: line.start, bodyStart: line.next, bodyLine };
  }
  return { type: 'unclosed' };
}
