import * as vscode from 'vscode';
import { type TypedInto, type TypingPlace, isBeginningOf, stepsOf, typedInto, typingPlace } from '../../inline-edit/early-words.js';

/** How often it is tried to take keys out while more of them come. */
const ATTEMPTS = 5;
/** Steps of Undo that are taken back at the most: a step is a word. */
const MOST_STEPS = 50;

/** A document as it was when the key was pressed. */
interface Beginning {
  readonly text: string;
  readonly place: TypingPlace;
}

/**
 * What is typed into a document between a key that opens a box and the moment in which the box has the focus. VS Code opens it a
 * moment later than a quick user types, and much later on a busy machine.
 */
export class EarlyKeys implements vscode.Disposable {
  private readonly document: vscode.TextDocument;
  private readonly watching: vscode.Disposable;
  private beginning: Beginning | undefined;
  /** All that was typed since is in here; `undefined` when something else changes the document, too, or keys go to several places. */
  private reach: TypingPlace | undefined;
  /** What was taken out, and the version of the document without it. */
  private taken: { readonly typed: TypedInto; readonly version: number } | undefined;

  private readonly late: boolean;

  /** @param options `late`: the command comes late, and keys may have gone to the document before it */
  constructor(document: vscode.TextDocument, { late }: { readonly late: boolean }) {
    this.document = document;
    this.late = late;
    const selection = this.selection();
    if (selection !== undefined) {
      this.reach = { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
      this.beginning = { text: document.getText(), place: this.reach };
    }
    this.watching = vscode.workspace.onDidChangeTextDocument((event) => this.follow(event));
  }

  /** Where the first key went, if the command came late. */
  get opened(): vscode.Range | undefined {
    const { document, beginning } = this;
    return beginning === undefined || !this.late ? undefined : new vscode.Range(document.positionAt(beginning.place.start), document.positionAt(beginning.place.end));
  }

  /** Takes what was typed out of the document. To be called when the box has the focus. @returns what it was; empty without any */
  async take(): Promise<string> {
    const { document } = this;
    if (this.late && document.isDirty) this.beginning = (await this.sinceOpened()) ?? this.beginning;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { beginning, reach } = this;
      if (beginning === undefined || reach === undefined || document.getText() === beginning.text) break;
      const typed = typedInto(beginning.text, document.getText(), beginning.place);
      // It fails when another key came in between.
      if (await this.replace(typed)) {
        this.taken = { typed, version: document.version };
        break;
      }
    }
    this.watching.dispose();
    return this.taken?.typed.typed ?? '';
  }

  /**
   * Takes the steps of Undo back in which it was typed and taken out. Undo is for what has the focus, and a key that is pressed while
   * the focus moves is lost: so this is done when nobody writes any more, by a key pressed in the box.
   */
  async forget(): Promise<void> {
    const { document, beginning, taken } = this;
    this.taken = undefined;
    if (beginning === undefined || taken === undefined) return;
    let { version } = taken;
    for (let steps = stepsOf(taken.typed.typed) + 1, done = 0; document.version === version && done < MOST_STEPS; done += steps, steps = 1) {
      await vscode.commands.executeCommand('runCommands', { commands: ['workbench.action.focusActiveEditorGroup', ...Array.from({ length: steps }, () => 'undo'), 'workbench.action.focusQuickOpen'] });
      const text = document.getText();
      if (document.version === version || text === beginning.text) return;
      if (isBeginningOf(taken.typed, typedInto(beginning.text, text, beginning.place))) ({ version } = document);
    }
    // VS Code counts what the user typed right before the key to the same step: it was taken back, too, and becomes the step again that it was.
    if (document.version !== version) await this.replace(typedInto(beginning.text, document.getText(), beginning.place));
  }

  dispose(): void {
    this.watching.dispose();
  }

  /** Puts back what was there in the place of what was typed, as a step of its own. @returns whether the document was still the same */
  private async replace({ start, removed, typed }: TypedInto): Promise<boolean> {
    const { document } = this;
    const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + typed.length));
    return (await editor?.edit((edit) => edit.replace(range, removed))) ?? false;
  }

  /**
   * How a document was before its first change in this window, when all its changes are one run of keys: in a new window VS Code calls
   * the command only once the extension is there, and keys go to the document until then.
   */
  private async sinceOpened(): Promise<Beginning | undefined> {
    const { document } = this;
    const selection = this.selection();
    // A document that is restored with its unsaved changes has its first version.
    const most = (document.version - 1) * LETTERS_A_VERSION;
    if (selection === undefined || most === 0) return undefined;
    const text = await savedText(document);
    const place = text === undefined ? undefined : typingPlace(text, document.getText(), document.offsetAt(selection.active));
    return text === undefined || place === undefined || typedInto(text, document.getText(), place).typed.length > most ? undefined : { text, place };
  }

  /** Where the only cursor is. */
  private selection(): vscode.Selection | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor?.document === this.document && editor.selections.length === 1 ? editor.selection : undefined;
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.document) return;
    for (const { rangeOffset, rangeLength, text } of contentChanges) {
      const { reach } = this;
      const [start, end] = [rangeOffset, rangeOffset + rangeLength];
      if (reach === undefined || start > reach.end || end < reach.start) this.reach = undefined;
      else this.reach = { start: Math.min(reach.start, start), end: Math.max(reach.end, end) + text.length - rangeLength };
    }
  }
}

/** A key can add a bracket and the one that closes it. */
const LETTERS_A_VERSION = 2;

/** The text of a document's file, with the line ends of the document; `undefined` when it has none that can be read. */
async function savedText(document: vscode.TextDocument): Promise<string | undefined> {
  try {
    const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(document.uri), { uri: document.uri });
    return text.replaceAll(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  } catch {
    // A document that was never saved, or whose file is gone: what was typed into it stays there.
    return undefined;
  }
}
