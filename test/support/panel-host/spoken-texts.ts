import type { Page } from 'playwright-core';

/** Attributes whose values people see or hear. */
const SPOKEN = ['aria-label', 'aria-valuetext', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt'];

/** All that the page shows and says to people but code: its texts, also those for screen readers only, and the names of its parts. */
export function spokenTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate((attributes) => {
    const texts = new Set<string>();
    const visit = (root: ParentNode): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.matches('script, style')) continue;
        for (const name of attributes) texts.add(element.getAttribute(name) ?? '');
        if (element.closest('pre') === null) for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.add(node.textContent ?? '');
        if (element.shadowRoot !== null) visit(element.shadowRoot);
      }
    };
    visit(document.body);
    return [...texts].map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  }, SPOKEN);
}

/**
 * Finds those of some texts that are English ones of the page.
 * @param english the keys of the page whose translations differ from them.
 */
export function englishFinder(english: readonly string[]): (texts: readonly string[]) => readonly string[] {
  const patterns = english
    .filter(isTelling)
    .map((key) => new RegExp(key.includes(' ') && !key.includes('{') ? escaped(key) : `^${escaped(key).replaceAll(/\\\{\d\\\}/g, '.+')}$`));
  return (texts) => texts.filter((text) => patterns.some((pattern) => pattern.test(text)));
}

/** What is but a place and a word may be anything. */
function isTelling(key: string): boolean {
  return !key.includes('{') || (key.match(/\p{L}{2,}/gu) ?? []).length > 1;
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
