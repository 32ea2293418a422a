import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/**
 * Has the person choose one of the names that are being found, or type another one.
 * @param find gets a signal that aborts when the person goes away; its failure is shown in the list.
 * @returns `undefined` when the person chose none.
 */
export async function pickName(present: string, find: (signal: AbortSignal) => Promise<readonly string[]>): Promise<string | undefined> {
  const list = new NameList(present);
  const gone = new AbortController();
  const finding = find(gone.signal).then(
    (names) => list.found(names),
    (error: unknown) => list.failed(errorMessage(error)),
  );
  try {
    return await list.chosen();
  } finally {
    gone.abort();
    await finding;
    list.dispose();
  }
}

/** Names to choose from, with the one that the person types. */
class NameList {
  private readonly picker = vscode.window.createQuickPick();
  private names: readonly string[] = [];
  /** What is said instead of names; it cannot be chosen. */
  private told: readonly vscode.QuickPickItem[] = [];

  constructor(present: string) {
    this.picker.title = t('Rename {0}', present);
    this.picker.placeholder = t('A name that was found, or one of your own');
    this.picker.busy = true;
    this.picker.onDidChangeValue(() => this.show());
  }

  /** The name that the person takes; `undefined` when they close the list. */
  chosen(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.picker.onDidAccept(() => {
        const [item] = this.picker.selectedItems;
        if (item !== undefined && !this.told.includes(item)) resolve(item.label);
      });
      this.picker.onDidHide(() => resolve(undefined));
      this.picker.show();
    });
  }

  found(names: readonly string[]): void {
    this.names = names;
    this.picker.busy = false;
    this.show();
  }

  failed(reason: string): void {
    this.told = [{ label: t('No name was found'), detail: reason, alwaysShow: true }];
    this.found([]);
  }

  dispose(): void {
    this.picker.dispose();
  }

  private show(): void {
    const typed = this.picker.value.trim();
    const own = typed === '' || this.names.includes(typed) ? [] : [{ label: typed, description: t('your own name'), alwaysShow: true }];
    this.picker.items = [...this.names.map((label) => ({ label })), ...own, ...this.told];
  }
}
