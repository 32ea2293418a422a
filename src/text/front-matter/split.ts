import { contentOf, eachLine } from '../lines.js';
import { isLimitingField } from './field-kinds.js';

/** Where the front matter of a text is. Offsets are those of the text as it is. */
export type FrontMatterSplit =
  /** The text begins with something else. */
  | { readonly type: 'none'; readonly bodyStart: number }
  /** The text begins with `---`, and no later line ends that. */
  | { readonly type: 'unclosed' }
  | {
      readonly type: 'found';
      /** Where the lines between the two `---` begin. */
      readonly start: number;
      /** Where the line that ends it begins. */
      readonly end: number;
      readonly bodyStart: number;
      /** The line of {@link bodyStart}, from 1 on. */
      readonly bodyLine: number;
    };

/**
 * Finds the front matter of a text: what is between a first line `---` and the next such line, or one with the `...` that ends a document of YAML
 * (YAML 1.2.2, 9.1.2 "Document Markers"). A byte order mark may come first.
 */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const bodyStart = text.startsWith('\uFEFF') ? 1 : 0;
  if (!text.startsWith('---', bodyStart)) return { type: 'none', bodyStart };
  let start: number | undefined;
  let dots: Extract<FrontMatterSplit, { readonly type: 'found' }> | undefined;
  let bodyLine = 1;
  for (const line of eachLine(text)) {
    bodyLine += 1;
    const content = contentOf(text, line).replace('\uFEFF', '').trimEnd();
    const isFence = content === '---';
    if (start === undefined && !isFence) return { type: 'none', bodyStart };
    if (start === undefined) start = line.next;
    else if (isFence && dots !== undefined && !hasFields(text.slice(dots.bodyStart, line.start))) return dots;
    else if (isFence || (dots === undefined && (content === '...' || content === '…'))) {
      const found = { type: 'found', start, end: line.start, bodyStart: line.next, bodyLine } as const;
      if (isFence) return found;
      dots = found;
    }
  }
  return dots ?? { type: 'unclosed' };
}

/** Whether what is between dots and a line `---` is meant as front matter, too: it has a limit, or nothing but fields. */
function hasFields(between: string): boolean {
  const names = between
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => /^([A-Za-z_][\w.-]*)[ \t]*:(?:\s|$)/.exec(line)?.[1]);
  return names.some((name) => name !== undefined && isLimitingField(name)) || (names.length > 0 && names.every((name) => name !== undefined));
}
