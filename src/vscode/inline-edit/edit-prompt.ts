import { basename } from 'node:path';
import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { EarlyWords } from '../../inline-edit/early-words.js';
import { InstructionHistory } from '../../inline-edit/instruction-history.js';
import { type LineRegion, movedRegion, shiftOf } from '../../inline-edit/line-edit.js';
import { showName } from '../../text/show.js';
import type { PromptCommand } from '../command-ids.js';
import { EarlyKeys } from './early-keys.js';
import { type PromptPlace, placeAt, placeIn } from './edit-place.js';

/** Context key: the prompt is open. */
const OPEN = 'gnomon.editPromptOpen';

/** Argument of the command that opens the prompt, with which it only gets ready. */
const GET_READY = 'getReady';

/** Argument of the command that closes the prompt: the key was pressed in a box. */
const IN_BOX = 'inBox';

/** Milliseconds without a key that are a pause: the letters of a word come faster. */
const PAUSE_MS = 80;

/** Between the parts of the title. */
const DOT = ' · ';

/** A button of the prompt. */
export interface PromptButton extends vscode.QuickInputButton {
  /** Carries it out once the prompt is closed. @param words what was written in it. */
  readonly press: (words: string) => unknown;
}

/** The prompt that a place offers: a new edit, or a revision of a pending one. */
export interface PromptOffer {
  readonly title: string;
  /** Shown while nothing is written. */
  readonly hint: string;
  /** The lines that will be changed, which are others than those pointed at when an edit of them pends. */
  readonly place: PromptPlace;
  readonly buttons: readonly PromptButton[];
  /** Name of the model that will be asked. */
  readonly model: Promise<string>;
}

/** Receiver of the prompt's input. */
export interface PromptTarget {
  offerAt(place: PromptPlace): PromptOffer;
  /** Has an instruction carried out. @returns why that cannot be done now. */
  submit(place: PromptPlace, words: string): string | undefined;
  /** Stops the edit that runs in the active editor, if there is one. */
  stopRunning(): void;
}

/**
 * Asks what should change, in VS Code's quick input at the top. There is one prompt in a window. It is shown at once: what
 * answers it is loaded while the user writes, so that nothing comes later and takes the focus.
 */
export class EditPrompt implements vscode.Disposable {
  private readonly history = new InstructionHistory();
  private readonly waiting: vscode.Disposable | undefined;
  /** VS Code calls the command at once. */
  private ready = false;
  private shown: PromptBox | undefined;

  /** @param load gives what answers the prompt. */
  constructor(private readonly load: () => Promise<PromptTarget>) {
    if (vscode.window.activeTextEditor === undefined) this.waiting = vscode.window.onDidChangeActiveTextEditor(getReady);
    else getReady();
  }

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: PromptCommand, [argument]: readonly unknown[]): Promise<void> {
    if (id === 'gnomon.closeEditPrompt') await this.escape(argument === IN_BOX);
    else if (id === 'gnomon.olderInstruction') this.recall('older');
    else if (id === 'gnomon.newerInstruction') this.recall('newer');
    else if (argument !== GET_READY) await this.start(argument);
    else {
      this.waiting?.dispose();
      // Calls that waited with this one come right behind it.
      setImmediate(() => (this.ready = true));
    }
  }

  /**
   * Opens the prompt, or moves it with what is written in it.
   * @param words written in it from the beginning.
   */
  async open(place: PromptPlace, words = this.shown?.words ?? ''): Promise<void> {
    const before = this.shown;
    const box = new PromptBox(place, words, new EarlyKeys(place.document, { late: !this.ready }));
    this.shown = box;
    before?.dispose();
    box.onDidAccept(() => void this.send(box));
    box.onDidHide(() => this.hidden(box));
    this.history.restart();
    box.show();
    try {
      // The answer comes once the box has the focus, and behind every key that went to the document until then. Loading before that would hold the box back.
      await box.begin(vscode.commands.executeCommand('setContext', OPEN, true));
      const target = await this.load();
      if (this.shown === box) box.offer(target.offerAt(box.place));
    } catch (error) {
      box.tell(errorMessage(error));
    }
  }

  /** Closes the prompt, if it is open. What is written in it can be recalled. */
  close(): void {
    this.shown?.hide();
  }

  dispose(): void {
    this.waiting?.dispose();
    this.close();
  }

  /** VS Code learns a little late that the prompt is closed: a press that comes before is for another box, or for what Escape does without any. */
  private async escape(inBox: boolean): Promise<void> {
    const { shown } = this;
    try {
      if (shown !== undefined) await shown.forgetEarly();
      else if (inBox) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      else (await this.load()).stopRunning();
    } finally {
      shown?.hide();
    }
  }

  private async start(argument: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) void vscode.window.showInformationMessage(t('Open a file and select the code first.'));
    else await this.open(placeIn(editor, argument));
  }

  private recall(direction: 'older' | 'newer'): void {
    const words = this.shown === undefined ? undefined : this.history.step(this.shown.words, direction);
    if (words !== undefined) this.shown?.write(words);
  }

  private async send(box: PromptBox): Promise<void> {
    box.busy(true);
    try {
      await box.forgetEarly();
      const words = box.words.trim();
      if (words === '') return;
      const target = await this.load();
      // Escape may have come before what answers it.
      if (this.shown !== box) return;
      const obstacle = target.submit(box.place, words);
      if (obstacle === undefined) box.hide();
      else box.tell(obstacle);
    } catch (error) {
      box.tell(errorMessage(error));
    } finally {
      box.busy(false);
    }
  }

  private hidden(box: PromptBox): void {
    if (this.shown === box) {
      this.shown = undefined;
      this.history.add(box.words.trim());
      void vscode.commands.executeCommand('setContext', OPEN, false);
    }
    box.dispose();
  }
}

/**
 * The quick input for one place, whose lines are marked while it is open. It is a list without items: VS Code's input box
 * always has a line of text below it.
 */
class PromptBox {
  private readonly box = vscode.window.createQuickPick();
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: '0 0 0 2px',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
  });
  private readonly watching: vscode.Disposable;
  private readonly begun: PromptPlace;
  private current: PromptPlace;
  /** Text that the input box gets when it opens. */
  private coming: EarlyWords | undefined;
  private pause: NodeJS.Timeout | undefined;
  private begins: Promise<void> | undefined;
  private title: string;
  private readonly first: string;
  private model = '';
  readonly onDidAccept = this.box.onDidAccept;
  readonly onDidHide = this.box.onDidHide;

  constructor(
    place: PromptPlace,
    words: string,
    private readonly early: EarlyKeys,
  ) {
    this.begun = this.current = place;
    this.title = t('Inline Edit');
    // What the user looks up or copies from the code meanwhile is not to cost the words.
    Object.assign(this.box, { placeholder: hintOf(t('Describe the edit')), ignoreFocusOut: true });
    this.first = inOneLine(words);
    this.watching = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.current.document) this.hide();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      this.box.onDidChangeValue((value) => {
        if (this.box.items.length > 0) this.box.items = [];
        this.reported(value);
      }),
    );
    this.draw();
  }

  /** The lines that it is open for, wherever they are by now. */
  get place(): PromptPlace {
    return this.current;
  }

  get words(): string {
    return this.coming?.all ?? this.box.value;
  }

  show(): void {
    this.box.show();
    if (this.first === '') return;
    // What is there before is selected as it is shown, and the next letter would replace it; afterwards, letters that are typed before it comes.
    this.coming = new EarlyWords(this.first, '');
    this.box.value = this.coming.write();
  }

  /**
   * Puts what was typed before it was there behind the words that it began with, and in front of what was typed since.
   * @param focused resolves when it has the focus
   */
  begin(focused: Thenable<unknown>): Promise<void> {
    this.begins = this.takeEarly(focused);
    return this.begins;
  }

  private async takeEarly(focused: Thenable<unknown>): Promise<void> {
    await focused;
    const typed = await this.early.take();
    if (typed === '') return;
    // The document is as it was, and so are the lines that the user pointed at.
    this.current = placeAt(this.begun, this.early.opened);
    this.draw();
    const { words, first } = this;
    this.coming ??= new EarlyWords(words, words);
    // An Enter that came too early does not send what could not be seen.
    this.coming.insert(words.startsWith(first) ? first.length : 0, inOneLine(typed));
    this.writeSoon(this.coming);
  }

  /** Leaves no trace in the document's history of what was typed into it too early, once that is here: nothing is to be done with the words before. */
  async forgetEarly(): Promise<void> {
    await this.begins;
    const place = this.current;
    await this.early.forget();
    this.current = place;
  }

  hide(): void {
    this.box.hide();
  }

  busy(is: boolean): void {
    this.box.busy = is;
  }

  write(words: string): void {
    this.coming = undefined;
    this.box.value = words;
  }

  /** Says why something cannot be done, until the user goes on writing. */
  tell(obstacle: string): void {
    this.box.items = [{ label: `$(warning) ${obstacle}`, alwaysShow: true }];
  }

  /** Shows what can be asked here. */
  offer({ title, hint, place, buttons, model }: PromptOffer): void {
    const { box } = this;
    this.current = place;
    this.title = title;
    Object.assign(box, { placeholder: hintOf(hint), buttons });
    box.onDidTriggerButton((button) => {
      const pressed = buttons.find((each) => each === button);
      if (pressed !== undefined) void this.press(pressed);
    });
    this.draw();
    model.then(
      (name) => {
        this.model = name;
        this.draw();
      },
      (error: unknown) => this.tell(errorMessage(error)),
    );
  }

  dispose(): void {
    this.watching.dispose();
    this.mark.dispose();
    this.early.dispose();
    clearTimeout(this.pause);
    this.box.dispose();
  }

  private async press(button: PromptButton): Promise<void> {
    try {
      await this.forgetEarly();
      const { words } = this;
      this.box.hide();
      await button.press(words);
    } catch (error) {
      this.tell(errorMessage(error));
    }
  }

  private reported(value: string): void {
    const { coming } = this;
    coming?.reported(value);
    if (coming?.settled === true) this.coming = undefined;
    else if (coming?.waits === true) this.writeSoon(coming);
  }

  /** Writes into the box in the next pause between two keys. */
  private writeSoon(words: EarlyWords): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      if (this.coming === words && words.waits) this.box.value = words.write();
    }, PAUSE_MS);
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.current.document || contentChanges.length === 0) return;
    const region = contentChanges.reduce(
      (moved, { range, text }) => movedRegion(moved, shiftOf({ start: range.start, end: range.end, text })),
      this.current.region,
    );
    this.current = { ...this.current, region };
    this.draw();
  }

  private draw(): void {
    const { document, region } = this.current;
    const range = new vscode.Range(region.start, 0, Math.max(region.start, region.end - 1), 0);
    this.box.title = [this.title, linesOf(document, region), this.model].filter((part) => part !== '').join(DOT);
    for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) editor.setDecorations(this.mark, [range]);
  }
}

/**
 * Has VS Code call the command that opens the prompt, which then does nothing. Before the first call of a command, VS Code asks the
 * extension host whether an extension has to be activated for it, and what is typed until the answer comes goes into the document.
 */
function getReady(): void {
  void vscode.commands.executeCommand('runCommands', { commands: [{ command: 'gnomon.editHere', args: GET_READY }] });
}

/** The box has one line, and leaves out what would begin another. */
function inOneLine(text: string): string {
  return text.replaceAll(/[ \t]*[\r\n]+[ \t]*/g, ' ');
}

function hintOf(what: string): string {
  return t('{0} (Enter to send, Esc to cancel)', what);
}

function linesOf({ uri }: vscode.TextDocument, { start, end }: LineRegion): string {
  const name = showName(basename(uri.path));
  return end - start > 1 ? t('{0}, lines {1} to {2}', name, start + 1, end) : t('{0}, line {1}', name, start + 1);
}
