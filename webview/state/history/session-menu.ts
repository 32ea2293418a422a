import type { HistoryEntry } from '../../../src/protocol/host/session-messages.js';

/** Context of the native menu of a session; VS Code reads it from the page. */
export interface SessionMenuFacts {
  readonly id: string;
  readonly shown: boolean;
  readonly stored: boolean;
  readonly pinned: boolean;
  readonly problem: boolean;
}

/** The facts of a line of the list. @param shown whether its conversation is the one that the page shows. */
export function factsOf({ id, pinned, problem }: HistoryEntry, shown: boolean): SessionMenuFacts {
  return { id, shown, stored: true, pinned: pinned === true, problem: problem !== undefined };
}

/** The attribute `data-vscode-context` of an element with such a menu. */
export function menuContext({ id, shown, stored, pinned, problem }: SessionMenuFacts): string {
  return JSON.stringify({
    webviewSection: 'gnomonSession',
    preventDefaultContextMenuItems: true,
    sessionId: id,
    sessionShown: shown,
    sessionStored: stored,
    sessionPinned: pinned,
    sessionProblem: problem,
  });
}

/** Opens the native menu of an element below a button in it. */
export function openMenu(button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }));
}
