import * as vscode from 'vscode';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { EditPhase } from '../../inline-edit/edit-state.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import type { InlineCommand } from '../command-ids.js';
import { EditLenses } from './edit-lenses.js';
import type { EditPlace, PromptPlace } from './edit-place.js';
import { obstacleTo } from './edit-obstacles.js';
import type { EditPrompt, PromptButton, PromptOffer, PromptTarget } from './edit-prompt.js';
import { InlineEdit, type InlineEditDeps } from './inline-edit.js';

/** Context key: an inline edit of the active editor's file runs. */
const RUNNING = 'gnomon.editRunning';
/** Context key: there are inline edits of the active editor's file. */
const ANY = 'gnomon.hasEdits';

/** The models that inline edits can be made with. */
export interface EditModels {
  /** The label of a model. @param key its name; absent for the model of new sessions */
  label(key: string | undefined): Promise<string>;
  /** Lets the user choose. @returns its name; `undefined` when they back out */
  pick(current: string | undefined): Promise<string | undefined>;
}

/** Services of all inline edits, with the prompt that they share and the models to choose from. */
export interface InlineEditsDeps extends InlineEditDeps {
  readonly prompt: Pick<EditPrompt, 'open' | 'close'>;
  readonly models: EditModels;
}

/** All inline edits of this window, and their commands. */
export class InlineEdits implements vscode.Disposable, PromptTarget {
  private readonly edits = new Map<number, InlineEdit>();
  private readonly lenses = new EditLenses(this.edits);
  private readonly watching: vscode.Disposable;
  private readonly stop: () => void;
  private nextId = 0;
  /** The model that the user chose for inline edits in this window. */
  private model: string | undefined;

  constructor(private readonly deps: InlineEditsDeps) {
    this.watching = vscode.window.onDidChangeActiveTextEditor(() => this.mark());
    this.stop = deps.review.pending.onDidChange(() => {
      for (const edit of this.edits.values()) edit.reviewed();
    });
  }

  /** Whether a conversation belongs to an edit that is shown. */
  has(id: string): boolean {
    return this.all().some(({ conversationId }) => conversationId === id);
  }

  /** Whether a document has an inline edit that runs or waits for the user. */
  isIn(document: vscode.TextDocument): boolean {
    return this.all().some((edit) => edit.document === document);
  }

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: InlineCommand, args: readonly unknown[]): Promise<void> {
    const commands: Readonly<Record<InlineCommand, () => Promise<unknown> | undefined>> = {
      'gnomon.reviseEdit': () => this.revise(this.find(args)),
      'gnomon.stopEdit': () => this.find(args)?.cancel(),
      'gnomon.closeEdit': () => this.close(this.find(args)),
      'gnomon.keepEdit': () => this.find(args)?.decideAll('keep'),
      'gnomon.undoEdit': () => this.find(args)?.decideAll('undo'),
      'gnomon.previewEdit': () => this.find(args)?.preview(),
      'gnomon.openEditInChat': () => this.find(args)?.openInChat(),
      'gnomon.keepStagedHunk': () => this.decide(args, 'keep'),
      'gnomon.undoStagedHunk': () => this.decide(args, 'undo'),
    };
    await commands[id]();
  }

  /** The prompt at a place: change the code, or revise its pending edit. */
  offerAt(place: PromptPlace): PromptOffer {
    const edit = this.at(place);
    if (edit === undefined)
      return { title: t('Inline Edit'), hint: t('Describe the edit'), place, buttons: [this.modelButton(place)], model: this.deps.models.label(this.model) };
    return {
      title: edit.phase.type === 'review' ? t('Inline Edit: {0}', edit.phase.words) : t('Inline Edit'),
      hint: t('Describe what should be different'),
      place: { ...edit.place, selected: false },
      buttons: buttonsFor(edit),
      model: Promise.resolve(edit.model ?? ''),
    };
  }

  /** Has an instruction of the prompt carried out. @returns why that cannot be done now. */
  submit(place: PromptPlace, words: string): string | undefined {
    const known = this.at(place);
    if (this.busyIn(place.document)) return busyWords();
    if (known === undefined) for (const edit of this.all()) if (edit.document === place.document && meet(edit.place.region, place.region)) void edit.close();
    void (known ?? this.begin(place)).ask(words);
    unselect(place.document);
    return undefined;
  }

  /** Stops the edit that runs in the active editor, if there is one. */
  stopRunning(): void {
    const edit = this.find([]);
    if (edit?.running === true) void edit.cancel();
  }

  /**
   * Starts an inline edit from a given instruction. The user reviews the changes as usual.
   * @param attached sent with the instruction, as data.
   * @returns why the file cannot be edited; `undefined` when the edit was closed.
   */
  async change(place: EditPlace, words: string, attached: readonly UserContent[]): Promise<string | undefined> {
    if (this.busyIn(place.document)) {
      void vscode.window.showInformationMessage(busyWords());
      return undefined;
    }
    const obstacle = await obstacleTo(this.deps, place.document);
    if (obstacle !== undefined) return obstacle;
    const edit = this.begin(place);
    await Promise.all([edit.ask(words, attached), edit.ended]);
    return undefined;
  }

  /** Stops all that runs. */
  dispose(): void {
    this.watching.dispose();
    this.stop();
    for (const edit of this.all()) void edit.close();
    this.lenses.dispose();
  }

  private all(): readonly InlineEdit[] {
    return [...this.edits.values()];
  }

  private begin(place: EditPlace): InlineEdit {
    const edit = new InlineEdit(this.deps, place, this.model);
    const id = this.nextId;
    this.nextId += 1;
    this.edits.set(id, edit);
    edit.onDidChangePhase((before) => {
      const { phase } = edit;
      if (phase.type === 'closed') this.edits.delete(id);
      if (phase.type === 'review' && before.type !== 'review') this.lenses.toFront();
      this.lenses.update();
      this.mark();
      const notice = noticeOf(phase);
      if (notice !== undefined && notice !== noticeOf(before)) void this.tell(edit, notice);
    });
    return edit;
  }

  /** Shows the result of a turn without taking the focus, which may be elsewhere by now. */
  private async tell(edit: InlineEdit, notice: string): Promise<void> {
    const [again, chat] = [t('Open Prompt'), t('Continue in Chat')];
    const ways = edit.conversationId === undefined ? [again] : [again, chat];
    const chosen = await vscode.window.showInformationMessage(notice, ...ways);
    if (chosen === again) await this.revise(edit);
    else if (chosen === chat) await edit.openInChat();
    // With the message the last that is shown of it goes.
    else if (edit.phase.type === 'prompting') await edit.close();
  }

  private async revise(edit: InlineEdit | undefined): Promise<void> {
    if (edit === undefined || edit.phase.type === 'closed') return;
    const { document, region } = edit.place;
    const start = new vscode.Position(region.start, 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
    await this.deps.prompt.open({ document, region, selected: false }, '');
  }

  private async close(edit: InlineEdit | undefined): Promise<void> {
    this.deps.prompt.close();
    await edit?.close();
  }

  private modelButton(place: PromptPlace): PromptButton {
    const press = async (words: string): Promise<void> => {
      this.model = (await this.deps.models.pick(this.model)) ?? this.model;
      await this.deps.prompt.open(place, words);
    };
    return { iconPath: new vscode.ThemeIcon('settings'), tooltip: t('Select Model'), press };
  }

  /** The edit that the prompt would go on with. Lines that the user selects are a new one, unless hunks of them are not in the file. */
  private at({ document, region, selected }: PromptPlace): InlineEdit | undefined {
    return this.all().findLast((edit) => edit.document === document && meet(edit.place.region, region) && (!selected || edit.isStaged || edit.running));
  }

  /** Whether an edit of a document runs. */
  private busyIn(document: vscode.TextDocument): boolean {
    return this.all().some((edit) => edit.running && edit.document === document);
  }

  /** The edit that a command is about: that of its lens or its file, else the last one of the active editor. */
  private find([argument, id]: readonly unknown[]): InlineEdit | undefined {
    if (typeof id === 'number') return this.edits.get(id);
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const here = this.all()
      .filter(({ document }) => document.uri.path === uri?.path)
      .toReversed();
    return here.find(({ running }) => running) ?? here[0];
  }

  private decide([uri, hunk]: readonly unknown[], decision: 'keep' | 'undo'): Promise<void> | undefined {
    return typeof hunk === 'number' ? this.find([uri])?.decideStaged(hunk, decision) : undefined;
  }

  private mark(): void {
    const path = vscode.window.activeTextEditor?.document.uri.path;
    const here = this.all().filter(({ document }) => document.uri.path === path);
    void vscode.commands.executeCommand(
      'setContext',
      RUNNING,
      here.some(({ running }) => running),
    );
    void vscode.commands.executeCommand('setContext', ANY, here.length > 0);
  }
}

/** Buttons of the prompt for a pending edit, such as Keep and Undo. */
function buttonsFor(edit: InlineEdit): readonly PromptButton[] {
  const button = (icon: string, tooltip: string, press: () => unknown): PromptButton => ({ iconPath: new vscode.ThemeIcon(icon), tooltip, press });
  const chat = button('comment-discussion', t('Continue in Chat'), () => edit.openInChat());
  if (edit.running) return [button('debug-stop', t('Stop'), () => edit.cancel())];
  if (edit.phase.type !== 'review') return [chat];
  return [
    button('check-all', t('Keep All'), () => edit.decideAll('keep')),
    button('discard', t('Undo All'), () => edit.decideAll('undo')),
    button('diff', t('Show Diff'), () => edit.preview()),
    chat,
  ];
}

function noticeOf(phase: EditPhase): string | undefined {
  return 'notice' in phase ? phase.notice : undefined;
}

function busyWords(): string {
  return t('Gnomon is still editing this file. Wait until it finishes, or stop it.');
}

function meet(one: LineRegion, other: LineRegion): boolean {
  return one.start < Math.max(other.end, other.start + 1) && other.start < Math.max(one.end, one.start + 1);
}

/** Takes the selection away, as it looks like changed code. */
function unselect(document: vscode.TextDocument): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const { start } = editor.selection;
    if (editor.document === document) editor.selection = new vscode.Selection(start, start);
  }
}
