import type { Page } from 'playwright-core';

/** What watches for the prompt of an edit in place. */
interface PromptWatch {
  /** Milliseconds from the keys that open it until it held the letter. */
  readonly typed: Promise<number>;
  /** Resolves when keys go to it. */
  readonly ready: Promise<void>;
}

declare global {
  var promptWatch: PromptWatch | undefined;
}

/** Waits until keys go to a box in which an edit in place can be described, whatever that is made of. */
export async function untilPromptTakesKeys(page: Page): Promise<void> {
  const watch = await watchPrompt(page, '');
  await watch.ready();
}

/**
 * Watches for a box in which an edit in place can be described: something that takes text, has the focus, and is not the
 * text of the file. Begins to count with the next keys.
 */
export async function watchPrompt(page: Page, letter: string): Promise<{ readonly ready: () => Promise<void>; readonly time: () => Promise<number> }> {
  await page.evaluate(watchInPage, letter);
  return {
    ready: () => page.evaluate(() => globalThis.promptWatch?.ready),
    time: () => page.evaluate(() => globalThis.promptWatch?.typed ?? Promise.resolve(0)),
  };
}

/** Runs in the page. */
function watchInPage(letter: string): void {
  const box = (): Element | undefined => {
    const focused = document.activeElement;
    if (focused?.matches('input, textarea, [contenteditable="true"], [role=textbox], .native-edit-context') !== true) return undefined;
    // The text of the file is an editor, too; that of a prompt is in a widget among its lines.
    const editor = focused.closest('.monaco-editor');
    if (editor === null) return focused;
    return editor.closest('.editor-instance') !== null &&
      editor.parentElement?.closest('.zone-widget, .review-widget, .quick-input-widget, .monaco-editor') === null
      ? undefined
      : editor;
  };
  const textOf = (element: Element): string =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : element.textContent;
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isSo()) resolve();
        else requestAnimationFrame(look);
      };
      look();
    });
  let begin = performance.now();
  window.addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      if (key.toLowerCase() === 'k') begin = timeStamp;
    },
    { capture: true, once: false },
  );
  const ready = until(() => box() !== undefined);
  const typed = ready.then(() => until(() => textOf(box() ?? document.body).includes(letter) && box() !== undefined)).then(() => performance.now() - begin);
  globalThis.promptWatch = { ready, typed };
}
