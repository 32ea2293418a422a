import type { Page } from 'playwright-core';

/** A line of the active editor, with what is drawn on it. */
interface MarkedLine {
  /** Its own text, without what is only drawn. */
  readonly text: string;
  /** Whether it has the color of added lines. */
  readonly added: boolean;
  /** How many stretches of it have the color of added words. */
  readonly words: number;
  /** Removed words within it. */
  readonly gone: readonly string[];
  /** The removed line to its right; empty for none. */
  readonly beside: string;
}

/** The lines in view of an editor, by what a person sees of them. @param editor a CSS selector; the active one when absent */
export function markedLines(page: Page, editor = '.editor-group-container.active .editor-instance'): Promise<readonly MarkedLine[]> {
  return page
    .locator(editor)
    .first()
    .evaluate((root) => {
      const probe = root.appendChild(root.ownerDocument.createElement('div'));
      const colorOf = (name: string): string => {
        probe.style.backgroundColor = `var(--vscode-diffEditor-${name})`;
        return getComputedStyle(probe).backgroundColor;
      };
      const [line, word] = [colorOf('insertedLineBackground'), colorOf('insertedTextBackground')];
      probe.remove();
      const overlays = [...root.querySelectorAll('.view-overlays .cdr')].map((each) => ({
        top: each.getBoundingClientRect().top,
        height: each.getBoundingClientRect().height,
        color: getComputedStyle(each).backgroundColor,
      }));
      const noted = (span: Element, side: '::before' | '::after'): string => {
        const { content } = getComputedStyle(span, side);
        return content === 'none' || content === 'normal' ? '' : content.slice(1, -1).replaceAll('\u00A0', ' ').trimEnd();
      };
      const lines = [...root.querySelectorAll('.view-lines .view-line')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
      return lines.map((each) => {
        const { top } = each.getBoundingClientRect();
        const on = (color: string): number => overlays.filter((overlay) => overlay.color === color && Math.abs(overlay.top - top) < overlay.height / 2).length;
        const spans = [...each.querySelectorAll('span span')];
        return {
          text: each.textContent.replaceAll('\u00A0', ' '),
          added: on(line) > 0,
          words: on(word),
          gone: spans.map((span) => noted(span, '::before')).filter((text) => text !== ''),
          beside: spans
            .map((span) => noted(span, '::after'))
            .filter((text) => text !== '')
            .join(' '),
        };
      });
    });
}

/**
 * What is drawn in an editor, line by line, in words, without lines on which nothing is: `+` before an added line, behind it
 * how many stretches are changed words, what is gone within it, and the removed line beside it.
 * @param editor a CSS selector; the active one when absent
 */
export async function marksIn(page: Page, editor?: string): Promise<readonly string[]> {
  return (await markedLines(page, editor)).filter(isMarked).map(wordsOf);
}

function isMarked({ added, words, gone, beside }: MarkedLine): boolean {
  return added || words > 0 || gone.length > 0 || beside !== '';
}

function wordsOf({ text, added, words, gone, beside }: MarkedLine): string {
  const parts = [...(words > 0 ? [`${words} changed`] : []), ...gone.map((each) => `gone: ${each}`), ...(beside === '' ? [] : [`beside: ${beside}`])];
  return [`${added ? '+' : ' '}${text.trim()}`, ...parts].join(' | ');
}
