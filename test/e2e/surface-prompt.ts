import type { Page } from 'playwright-core';

/**
 * Waits until keys go to a box in which an edit in place can be described, whatever that is made of: something that takes
 * text, is not the text of the file, and can be seen.
 */
export async function untilPromptTakesKeys(page: Page): Promise<void> {
  await page.waitForFunction(isPrompt);
}

/** What the focused box holds, where it is the box of a prompt; runs in the page. */
export function isPrompt(): boolean {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !focused.matches('input, textarea, [contenteditable="true"], [role=textbox], .native-edit-context')) return false;
  // The text of the file is an editor, too: the one that an editor group holds directly.
  const editor = focused.closest('.monaco-editor');
  const isFile = editor !== null && editor.parentElement?.closest('.monaco-editor, .zone-widget, .review-widget, .quick-input-widget') === null && editor.closest('.editor-instance') !== null;
  return !isFile;
}
