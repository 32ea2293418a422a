import type * as vscode from 'vscode';

/**
 * Milliseconds to wait until an editor shows what is on disk. VS Code needs a few hundred to notice that another program
 * changed a file, and seconds on a machine with much else to do.
 */
const RELOAD_MS = 10_000;

/**
 * Waits until an editor shows what is on disk: after another program changed the file, it takes a moment to notice.
 * @param isShown whether it does by now
 * @param changed the event after which it may
 * @returns whether it does; false when it did not in time
 * @throws the reason of `signal`, when the wait is stopped
 */
export async function untilShown(isShown: () => boolean, changed: vscode.Event<unknown>, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  if (isShown()) return true;
  const shown = await new Promise<boolean>((resolve) => {
    const settle = (result: boolean): void => {
      clearTimeout(timer);
      subscription.dispose();
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void => settle(false);
    const timer = setTimeout(stop, RELOAD_MS);
    const subscription = changed(() => {
      if (isShown()) settle(true);
    });
    signal.addEventListener('abort', stop, { once: true });
  });
  signal.throwIfAborted();
  return shown;
}
