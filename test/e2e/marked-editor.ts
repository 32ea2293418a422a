import type { Page } from 'playwright-core';

/** A line of the active editor, with what is drawn on it. */
export interface MarkedLine {
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
  return page.locator(editor).first().evaluate((root) => {
    const probe = root.appendChild(root.ownerDocument.createElement('div'));
    const colorOf = (name: string): string => {
      probe.style.backgroundColor = `var(--vscode-diffEditor-${name})`;
      return getComputedStyle(probe).backgroundColor;
    };
    const [line, word] = [colorOf('insertedLineBackground'), colorOf('insertedTextBackground')];
    probe.remove();
    const overlays = [...root.querySelectorAll('.view-overlays .cdr')].map((each) => ({ top: each.getBoundingClientRect().top, height: each.getBoundingClientRect().height, color: getComputedStyle(each).backgroundColor }));
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
        beside: spans.map((span) => noted(span, '::after')).filter((text) => text !== '').join(' '),
      };
    });
  });
}
