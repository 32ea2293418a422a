import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { mayShowFile } from '../../domain/workspace/search.js';
import { type NamedSymbol, suggestNames } from '../../engine/one-shot/suggest-names.js';
import { modelForWork, type ModelTask } from '../../models/model-task.js';
import { errorMessage } from '../../domain/errors.js';

/** Lines before and after the symbol that the model is shown. */
const LINES_AROUND = 40;
/** Characters of a line that the model is shown. */
const MAX_LINE = 300;

/** Finds better names for the symbol at the cursor, and has the language server rename it. */
export class SymbolRenames {
  constructor(private readonly deps: ModelTask) {}

  /** Offers names for the symbol at the cursor and renames it to the one that is chosen. @throws what the language server throws. */
  async rename(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const place = editor === undefined ? undefined : await renamable(editor.document, editor.selection.active);
    if (editor === undefined || place === undefined) {
      tell(t('There is no renamable symbol at the cursor.'));
      return;
    }
    const { document } = editor;
    if (!this.deps.trusted()) {
      tell(t('This workspace is not trusted, so Gnomon cannot suggest names.'));
      return;
    }
    if (!(await this.mayShow(document))) {
      tell(t('This file is excluded from models, so Gnomon cannot suggest names.'));
      return;
    }
    const name = await pickName(document.getText(place), (signal) => this.find(symbolAt(document, place), signal));
    if (name !== undefined) await apply(document, place.start, name);
  }

  private async find(symbol: NamedSymbol, signal: AbortSignal): Promise<readonly string[]> {
    const { clock, log } = this.deps;
    return suggestNames(symbol, { ...(await modelForWork('names', this.deps, signal)), clock, log, signal });
  }

  private async mayShow({ uri }: vscode.TextDocument): Promise<boolean> {
    const { workspace, readGuard } = this.deps;
    return uri.scheme === 'file' ? mayShowFile(await workspace.locate(uri.fsPath), await readGuard()) : uri.scheme === 'untitled';
  }
}

/** The symbol at a position, where the language server can rename it. */
async function renamable({ uri }: vscode.TextDocument, position: vscode.Position): Promise<vscode.Range | undefined> {
  try {
    const found = await vscode.commands.executeCommand<{ readonly range: vscode.Range } | undefined>('vscode.prepareRename', uri, position);
    return found?.range;
  } catch {
    // It rejects with the server's message where nothing can be renamed.
    return undefined;
  }
}

function symbolAt(document: vscode.TextDocument, place: vscode.Range): NamedSymbol {
  const [first, last] = [Math.max(0, place.start.line - LINES_AROUND), Math.min(document.lineCount - 1, place.start.line + LINES_AROUND)];
  const lines = Array.from({ length: last - first + 1 }, (_, index) => document.lineAt(first + index).text.slice(0, MAX_LINE));
  return {
    name: document.getText(place),
    language: document.languageId,
    code: lines.join('\n'),
    line: document.lineAt(place.start.line).text.slice(0, MAX_LINE),
  };
}

async function apply({ uri }: vscode.TextDocument, position: vscode.Position, name: string): Promise<void> {
  const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', uri, position, name);
  if (edit.size === 0 || !(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) tell(t('The language server did not rename anything.'));
  else if (edit.size > 1) tell(t('Renamed to {0} in {1} files.', name, edit.size));
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/**
 * Has the user choose one of the names that are being found, or type another one.
 * @param find gets a signal that aborts when the user goes away; its failure is shown in the list.
 * @returns `undefined` when the user chose none.
 */
async function pickName(present: string, find: (signal: AbortSignal) => Promise<readonly string[]>): Promise<string | undefined> {
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

/** Names to choose from, with the one that the user types. */
class NameList {
  private readonly picker = vscode.window.createQuickPick();
  private names: readonly string[] = [];
  /** Message items in place of names, such as progress or errors; they cannot be chosen. */
  private told: readonly vscode.QuickPickItem[] = [];

  constructor(present: string) {
    this.picker.title = t('Rename {0}', present);
    this.picker.placeholder = t('Select a suggested name or type your own');
    this.picker.busy = true;
    this.picker.onDidChangeValue(() => this.show());
  }

  /** The name that the user takes; `undefined` when they close the list. */
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
    this.told = [{ label: t('No suggestions'), detail: reason, alwaysShow: true }];
    this.found([]);
  }

  dispose(): void {
    this.picker.dispose();
  }

  private show(): void {
    const typed = this.picker.value.trim();
    const own = typed === '' || this.names.includes(typed) ? [] : [{ label: typed, description: t('custom name'), alwaysShow: true }];
    this.picker.items = [...this.names.map((label) => ({ label })), ...own, ...this.told];
  }
}
