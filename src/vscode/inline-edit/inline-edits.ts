import * as vscode from 'vscode';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import { errorMessage } from '../../domain/errors.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import { settings } from '../settings/settings.js';
import type { InlineCommand } from '../command-ids.js';
import { obstacleTo } from './edit-obstacles.js';
import type { EditPlace } from './edit-document.js';
import { type InlineEditDeps, InlineEdit } from './inline-edit.js';
import { type EditSurface, type PromptThreads, askAbove, ProgressSurface } from './prompts.js';

/** Context key: an inline edit of the active editor's file runs. */
const RUNNING = 'gnomon.editRunning';
/** Context key: there are inline edits. */
const ANY = 'gnomon.hasEdits';

/** All inline edits of this window, and their commands. */
export class InlineEdits implements vscode.Disposable {
  private readonly deps: InlineEditDeps;
  private readonly threads: PromptThreads;
  /** By the thread or whatever else shows them. */
  private readonly edits = new Map<object, InlineEdit>();
  private readonly watching: vscode.Disposable;
  private readonly stop: () => void;

  constructor(deps: InlineEditDeps, threads: PromptThreads) {
    this.deps = deps;
    this.threads = threads;
    this.watching = vscode.window.onDidChangeActiveTextEditor(() => this.mark());
    this.stop = deps.review.pending.onDidChange(() => {
      for (const edit of this.edits.values()) edit.reviewed();
    });
  }

  /** Whether a conversation belongs to an edit that is shown. */
  has(id: string): boolean {
    return [...this.edits.values()].some(({ conversationId }) => conversationId === id);
  }

  /** Whether a document has an inline edit that runs or waits for the user. */
  isIn(document: vscode.TextDocument): boolean {
    return [...this.edits.values()].some((edit) => edit.document === document);
  }

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: InlineCommand, args: readonly unknown[]): Promise<void> {
    const commands: Readonly<Record<InlineCommand, () => Promise<unknown> | undefined>> = {
      'gnomon.editHere': () => this.open(args),
      'gnomon.generateHere': () => this.open(args),
      'gnomon.submitEdit': () => this.submit(args),
      'gnomon.stopEdit': () => this.find(args)?.cancel(),
      'gnomon.closeEdit': () => this.find(args)?.close(),
      'gnomon.keepEdit': () => this.find(args)?.decideAll('keep'),
      'gnomon.undoEdit': () => this.find(args)?.decideAll('undo'),
      'gnomon.previewEdit': () => this.find(args)?.preview(),
      'gnomon.openEditInChat': () => this.find(args)?.openInChat(),
      'gnomon.keepStagedHunk': () => this.decide(args, 'keep'),
      'gnomon.undoStagedHunk': () => this.decide(args, 'undo'),
    };
    await commands[id]();
  }

  /** Prepares for edits of files that are about to get comments. */
  prepare(): void {
    this.threads.prepare();
  }

  /**
   * Starts an inline edit from a given instruction. The user reviews the changes as usual.
   * @param attached sent with the instruction, as data.
   * @returns why the file cannot be edited; `undefined` when the edit was closed.
   */
  async change(place: EditPlace, words: string, attached: readonly UserContent[]): Promise<string | undefined> {
    if (this.busyIn(place.document)) {
      tellBusy();
      return undefined;
    }
    const obstacle = await obstacleTo(this.deps, place.document);
    if (obstacle !== undefined) return obstacle;
    const edit = promptAbove() ? this.beginAbove(place) : await this.beginAmong(place);
    await Promise.all([edit.ask(words, attached), edit.ended]);
    return undefined;
  }

  /** Stops all that runs. */
  dispose(): void {
    this.watching.dispose();
    this.stop();
    for (const edit of [...this.edits.values()]) void edit.close();
  }

  /** Asks what should change: at the place that a code action names, else at the selection or the cursor. */
  private async open([argument]: readonly unknown[]): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      void vscode.window.showInformationMessage(t('Open a file and select the code first.'));
      return;
    }
    const named = typeof argument === 'object' && argument !== null && 'range' in argument && argument.range instanceof vscode.Range ? argument.range : editor.selection;
    const region = regionOf(editor.document, named);
    if (promptAbove()) return this.askAbove(editor.document, region);
    try {
      await this.threads.open(editor.document, region);
    } catch (error) {
      this.deps.log.warn(`No prompt could be opened among the lines: ${errorMessage(error)}`);
      await this.askAbove(editor.document, region);
    }
  }

  /** Sends what the user wrote in a prompt. The box is emptied when this resolves, so it does not wait for an answer. */
  private async submit([reply]: readonly unknown[]): Promise<void> {
    if (!isReply(reply) || reply.text.trim() === '') return;
    const { thread, text } = reply;
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === thread.uri.toString());
    const region = this.threads.regionOf(thread);
    if (document === undefined || region === undefined) return;
    const edit = this.edits.get(thread) ?? this.begin(thread, this.threads.surfaceOf(thread), { document, region });
    void this.ask(edit, text);
    await focusText(document);
  }

  /** Asks in VS Code's input box at the top, where there is no box among the lines. */
  private async askAbove(document: vscode.TextDocument, region: LineRegion): Promise<void> {
    const words = await askAbove(document, region);
    if (words === undefined) return;
    void this.ask(this.beginAbove({ document, region }), words);
  }

  private beginAbove(place: EditPlace): InlineEdit {
    const surface = new ProgressSurface(place.document.uri);
    return this.begin(surface, surface, place);
  }

  private async beginAmong(place: EditPlace): Promise<InlineEdit> {
    const { thread, surface } = await this.threads.create(place);
    return this.begin(thread, surface, place);
  }

  private begin(key: object, surface: EditSurface, place: EditPlace): InlineEdit {
    const edit = new InlineEdit(this.deps, place, surface);
    edit.onDidChangePhase(() => {
      if (edit.closed) this.edits.delete(key);
      this.mark();
    });
    this.edits.set(key, edit);
    return edit;
  }

  private async ask(edit: InlineEdit, words: string): Promise<void> {
    if (!this.busyIn(edit.document, edit)) return edit.ask(words);
    tellBusy();
  }

  /** Whether an edit of a document runs, beside one. */
  private busyIn(document: vscode.TextDocument, beside?: InlineEdit): boolean {
    return [...this.edits.values()].some((each) => each !== beside && each.running && each.document === document);
  }

  /** The edit that a command is about: that of its thread or its file, else the last one of the active editor. */
  private find([argument]: readonly unknown[]): InlineEdit | undefined {
    const all = [...this.edits].reverse();
    const thread = all.find(([each]) => each === argument || (isReply(argument) && each === argument.thread));
    if (thread !== undefined) return thread[1];
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const here = all.filter(([, { document }]) => document.uri.path === uri?.path).map(([, edit]) => edit);
    return here.find(({ running }) => running) ?? here[0];
  }

  private decide([uri, id]: readonly unknown[], decision: 'keep' | 'undo'): Promise<void> | undefined {
    return typeof id === 'number' ? this.find([uri])?.decideStaged(id, decision) : undefined;
  }

  private mark(): void {
    const active = vscode.window.activeTextEditor?.document;
    const running = [...this.edits.values()].some((edit) => edit.running && edit.document === active);
    void vscode.commands.executeCommand('setContext', RUNNING, running);
    void vscode.commands.executeCommand('setContext', ANY, this.edits.size > 0);
  }
}

/** Whether what should change is asked for in VS Code's own box at the top. */
function promptAbove(): boolean {
  return settings.editPrompt() === 'inputBox';
}

function tellBusy(): void {
  void vscode.window.showInformationMessage(t('Gnomon is still editing this file. Wait until it finishes, or stop it.'));
}

/** Moves the focus to the code. The selection goes, as it looks like changed code. */
async function focusText(document: vscode.TextDocument): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor === undefined) return;
  const { start } = editor.selection;
  const selection = new vscode.Range(start, start);
  await vscode.window.showTextDocument(document, { selection, ...(editor.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }) });
}

function isReply(value: unknown): value is vscode.CommentReply {
  return typeof value === 'object' && value !== null && 'thread' in value && 'text' in value && typeof value.text === 'string';
}

/** The lines that an edit is about: those of the selection, else the lines around the cursor up to the next blank ones. */
function regionOf(document: vscode.TextDocument, selection: vscode.Range): LineRegion {
  const { start, end } = selection;
  if (selection.isEmpty) return around(document, start.line);
  // A selection that ends at the beginning of a line does not include that line.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { start: start.line, end: last + 1 };
}

function around(document: vscode.TextDocument, line: number): LineRegion {
  const isBlank = (index: number): boolean => document.lineAt(index).isEmptyOrWhitespace;
  if (isBlank(line)) return { start: line, end: line + 1 };
  let start = line;
  while (start > 0 && !isBlank(start - 1)) start -= 1;
  let end = line + 1;
  while (end < document.lineCount && !isBlank(end)) end += 1;
  return { start, end };
}
