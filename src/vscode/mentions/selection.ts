import * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';
import type { UserContent } from '../../domain/model/content.js';
import { attachedBlock } from '../../domain/session/attached.js';
import type { FileSettings } from '../../customization/settings.js';
import { keptBack, namedLines, pathOnly } from '../../mentions/attach-file.js';
import type { LineRange } from '../../text/text-edit.js';
import type { FileDeps, Selection, SelectionState } from '../../mentions/mention-deps.js';
import { displayPath } from './workspace-paths.js';
import { pathMention } from '../../protocol/mention-syntax.js';
import { showName } from '../../text/show.js';

/** Debounce of selection changes, in milliseconds: a selection changes with every movement of the mouse. */
const REST_MS = 150;
/** Characters of a selection that are sent. */
const MAX_CHARACTERS = 80_000;

/** The editor selection, and whether messages include it. One for the window. */
export class EditorSelection implements Selection, vscode.Disposable {
  private readonly changed = new Signal<SelectionState>();
  private readonly subscriptions: vscode.Disposable;
  /** The user's choice in this window. Until there is one, the setting applies. */
  private chosen: boolean | undefined;
  private editor: vscode.TextEditor | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** Fires when there is something else to show. */
  readonly onDidChange = this.changed.subscribe;

  constructor(
    private readonly deps: FileDeps,
    private readonly settings: Pick<FileSettings, 'includeSelection' | 'onDidChange'>,
  ) {
    this.editor = vscode.window.activeTextEditor;
    this.subscriptions = vscode.Disposable.from(
      { dispose: () => this.changed.clear() },
      vscode.window.onDidChangeActiveTextEditor((editor) => this.activate(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.activate(textEditor);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.tellSoon()),
      { dispose: settings.onDidChange(() => this.tellSoon()) },
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }

  /** The current selection, and whether messages include it. */
  get state(): SelectionState {
    const found = this.selected();
    return { on: this.on, name: found === undefined ? '' : namedLines(displayPath(found.document.uri), found.lines) };
  }

  /** The file in the active editor, as it is called and as it is mentioned; empty without one in the workspace that can be seen. */
  get currentFile(): { readonly name: string; readonly insert: string } {
    const uri = this.editor?.document.uri;
    const isSeen = this.editor !== undefined && vscode.window.visibleTextEditors.includes(this.editor);
    if (uri?.scheme !== 'file' || !isSeen || vscode.workspace.getWorkspaceFolder(uri) === undefined) return { name: '', insert: '' };
    const path = displayPath(uri);
    return { name: showName(path.slice(path.lastIndexOf('/') + 1)), insert: pathMention(path) };
  }

  /** Lets the selection go with messages, or not. */
  include(on: boolean): void {
    this.chosen = on;
    this.changed.emit(this.state);
  }

  /** The selection as blocks of a message; empty when there is none or it is left out. */
  async blocks(): Promise<readonly UserContent[]> {
    const found = this.on ? this.selected() : undefined;
    if (found === undefined) return [];
    const { document, text, lines } = found;
    const name = namedLines(displayPath(document.uri), lines);
    if (document.uri.scheme === 'file') {
      const location = await this.deps.workspace.locate(document.uri.fsPath);
      const refusal = keptBack(location, { mayShow: await this.deps.readGuard() });
      if (refusal !== undefined) return [pathOnly({ display: name }, refusal)];
    }
    const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n[PARTIAL: the first ${MAX_CHARACTERS} characters]` : text;
    return [attachedBlock({ name, text: `Selected in the editor:\n${cut}` })];
  }

  private get on(): boolean {
    return this.chosen ?? this.settings.includeSelection();
  }

  private activate(editor: vscode.TextEditor | undefined): void {
    // While a page has the focus in a tab of its own no editor is active; what was selected before is still seen.
    if (editor !== undefined) this.editor = editor;
    this.tellSoon();
  }

  private tellSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed.emit(this.state), REST_MS);
  }

  private selected(): { document: vscode.TextDocument; text: string; lines: LineRange } | undefined {
    const { editor } = this;
    if (editor === undefined || editor.selection.isEmpty || !vscode.window.visibleTextEditors.includes(editor)) return undefined;
    const { document, selection } = editor;
    if (document.uri.scheme !== 'file' && document.uri.scheme !== 'untitled') return undefined;
    const { start, end } = selection;
    // A selection up to the start of a line does not include anything of it.
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    return { document, text: document.getText(selection), lines: { first: start.line + 1, last } };
  }
}
