import * as vscode from 'vscode';

/** Does what can take long, with a notification that stops it. @returns `undefined` when the user stopped it */
export async function during<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  try {
    return await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return work(stop.signal);
    });
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  }
}
