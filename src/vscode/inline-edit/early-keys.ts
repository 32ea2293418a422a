import * as vscode from 'vscode';
import { differsWithin, stepsOf, type Typed, typedAt, type TypingPlace, typingPlace } from '../../inline-edit/early-words.js';

/** Attempts to remove typed keys while more of them come. */
const ATTEMPTS = 5;
/** Steps of Undo that are taken back at the most: a step is a word. */
const MOST_STEPS = 50;
/** A key can add a bracket and the one that closes it. */
const LETTERS_A_KEY = 2;

/** A document as it was when the key was pressed, and where the user types in it. */
interface Beginning {
  readonly text: string;
  readonly places: readonly TypingPlace[];
}

/** Typed text that was removed from a document, and the version without it. */
interface Taken extends Typed {
  readonly version: number;
}

/**
 * Moves keys into the prompt that were typed into the document before the prompt had the focus. VS Code opens it a
 * moment later than a quick user types, and much later on a busy machine.
 */
export class EarlyKeys implements vscode.Disposable {
  private readonly late: boolean;
  private readonly watching: vscode.Disposable;
  private beginning: Beginning;
  /** All that was typed since is in here; `undefined` when something else changes the document, too. */
  private reach: TypingPlace | undefined;
  /** Whether each change since was one key that added something. */
  private plain: boolean;
  private taken: Taken | undefined;

  /** @param options `late`: the command comes late, and keys may have gone to the document before it */
  constructor(
    private readonly document: vscode.TextDocument,
    { late }: { readonly late: boolean },
  ) {
    this.late = late;
    this.plain = !late;
    this.beginning = { text: document.getText(), places: this.cursors() };
    this.reach = extentOf(this.beginning.places);
    this.watching = vscode.workspace.onDidChangeTextDocument((event) => this.follow(event));
  }

  /** Where the first key went, if the command came late. */
  get opened(): vscode.Range | undefined {
    const extent = extentOf(this.beginning.places);
    return extent === undefined || !this.late ? undefined : new vscode.Range(this.document.positionAt(extent.start), this.document.positionAt(extent.end));
  }

  /** Takes what was typed out of the document. To be called when the box has the focus. @returns what it was; empty without any */
  async take(): Promise<string> {
    const { document } = this;
    if (this.late && document.isDirty) this.beginning = (await this.sinceOpened()) ?? this.beginning;
    for (let attempt = 0; attempt < ATTEMPTS && this.reach !== undefined && this.taken === undefined; attempt += 1) {
      const typed = typedAt(this.beginning.text, document.getText(), this.beginning.places);
      if (typed === undefined) break;
      // It fails when another key came in between.
      if (await this.restore(typed)) this.taken = { ...typed, version: document.version };
    }
    this.watching.dispose();
    return this.taken?.words ?? '';
  }

  /**
   * Takes the steps of Undo back in which it was typed and taken out. Undo is for what has the focus, and a key that is pressed while
   * the focus moves is lost: so this is done when typing has stopped, by a key pressed in the box.
   */
  async forget(): Promise<void> {
    const { document, beginning, taken } = this;
    this.taken = undefined;
    // What the user has written since then is on top of it, and stays.
    if (taken === undefined || document.version !== taken.version) return;
    const extent = extentOf([...beginning.places, ...taken.changes.map(({ start, removed }) => ({ start, end: start + removed.length }))]) ?? {
      start: 0,
      end: 0,
    };
    let steps = this.plain ? stepsOf(taken.words) + 1 : 2;
    for (let done = 0; done < MOST_STEPS && this.isActive(); done += steps, steps = 1) {
      const { version } = document;
      await vscode.commands.executeCommand('runCommands', {
        commands: ['workbench.action.focusActiveEditorGroup', ...Array.from({ length: steps }, () => 'undo'), 'workbench.action.focusQuickOpen'],
      });
      if (document.version === version || document.getText() === beginning.text || !differsWithin(beginning.text, document.getText(), extent)) break;
    }
    // VS Code counts what the user typed right before the key to the same step: it was taken back, too, and becomes the step again that it was.
    const left = document.version === taken.version ? undefined : typedAt(beginning.text, document.getText(), [extent]);
    if (left !== undefined) await this.restore(left);
  }

  dispose(): void {
    this.watching.dispose();
  }

  /** Puts back what was there in the place of what was typed, as a step of its own. @returns whether the document was still the same */
  private async restore({ changes }: Typed): Promise<boolean> {
    const { document } = this;
    const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
    const edits = changes.map(({ start, removed, typed }) => ({
      range: new vscode.Range(document.positionAt(start), document.positionAt(start + typed.length)),
      removed,
    }));
    const made = await editor?.edit((edit) => {
      for (const { range, removed } of edits) edit.replace(range, removed);
    });
    return made ?? false;
  }

  /** Whether Undo in the active editor is for the document: the user may have gone to another one with the box open. */
  private isActive(): boolean {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isOther = input instanceof vscode.TabInputText && input.uri.toString() !== this.document.uri.toString();
    return !isOther && vscode.window.activeTextEditor?.document === this.document;
  }

  /**
   * The document before its first change in this window, if all its changes are one run of keys: in a new window VS Code calls
   * the command only once the extension is there, and keys go to the document until then.
   */
  private async sinceOpened(): Promise<Beginning | undefined> {
    const { document } = this;
    const [cursor, ...others] = this.cursors();
    // A document that is restored with its unsaved changes has its first version.
    const most = (document.version - 1) * LETTERS_A_KEY;
    if (cursor === undefined || others.length > 0 || most === 0) return undefined;
    const text = await savedText(document);
    const place = text === undefined ? undefined : typingPlace(text, document.getText(), cursor.end);
    if (text === undefined || place === undefined) return undefined;
    return (typedAt(text, document.getText(), [place])?.words.length ?? 0) > most ? undefined : { text, places: [place] };
  }

  /** The cursors, or what is selected, in their order. */
  private cursors(): readonly TypingPlace[] {
    const editor = vscode.window.activeTextEditor;
    const selections = editor?.document === this.document ? editor.selections : [];
    const places = selections.map(({ start, end }) => ({ start: this.document.offsetAt(start), end: this.document.offsetAt(end) }));
    return places.toSorted((one, other) => one.start - other.start);
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.document) return;
    for (const { rangeOffset, rangeLength, text } of contentChanges) {
      const { reach } = this;
      const [start, end] = [rangeOffset, rangeOffset + rangeLength];
      if (text === '' || text.length > LETTERS_A_KEY) this.plain = false;
      if (reach === undefined || start > reach.end || end < reach.start) this.reach = undefined;
      else this.reach = { start: Math.min(reach.start, start), end: Math.max(reach.end, end) + text.length - rangeLength };
    }
  }
}

/** From the first to the last of some places; `undefined` without any. */
function extentOf(places: readonly TypingPlace[]): TypingPlace | undefined {
  return places.length === 0 ? undefined : { start: Math.min(...places.map(({ start }) => start)), end: Math.max(...places.map(({ end }) => end)) };
}

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
