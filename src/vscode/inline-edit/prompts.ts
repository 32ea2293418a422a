import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { EditPlace } from './edit-document.js';
import type { EditPhase } from '../../inline-edit/edit-state.js';
import { type LineRegion, movedRegion, shiftOf } from '../../inline-edit/line-edit.js';

/** Id of our comments, as the manifest's menus name it. */
const ID = 'gnomon.edit';

/** Milliseconds that VS Code is given to ask where comments can be. */
const ASK_MS = 5_000;

/** Milliseconds that VS Code is given to draw where comments can be, and to open a box. */
const SETTLE_MS = 150;
const SHOW_MS = 6_000;
const MAX_TRIES = 2;
/** URI scheme of the documents of input boxes among the lines. */
const BOX_SCHEME = 'comment';

/** Where the user sees how far an edit is. */
export interface EditSurface {
  show(phase: EditPhase): void;
}

/** The contexts of threads, as the manifest's menus name them. */
const CONTEXTS = { prompting: 'asking', asking: 'running', streaming: 'running', review: 'pending' } as const;

/** Lines that a prompt is open for, or is about to be. */
interface Armed {
  readonly document: vscode.TextDocument;
  region: LineRegion;
}

/** Asks what should change in a box of its own among the lines: a comment thread of VS Code without any comment. */
export class PromptThreads implements vscode.Disposable {
  private controller: vscode.CommentController | undefined;
  private armed: Armed | undefined;
  private readonly watching = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    const { armed } = this;
    if (armed?.document !== document) return;
    for (const { range, text } of contentChanges) armed.region = movedRegion(armed.region, shiftOf({ start: range.start, end: range.end, text }));
  });

  /** Opens a prompt below some lines, with the cursor in it. @throws Error when VS Code shows none there. */
  async open(document: vscode.TextDocument, { start, end }: LineRegion): Promise<void> {
    const last = document.lineAt(end - 1).range.end;
    this.armed = { document, region: { start, end } };
    const controller = this.ready();
    await this.offer(controller, document.uri.toString(), new vscode.Range(start, 0, last.line, last.character));
    const range = { startLineNumber: start + 1, startColumn: 1, endLineNumber: last.line + 1, endColumn: last.character + 1 };
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      // VS Code puts the answer to use a little later.
      await pause(SETTLE_MS);
      const shown = boxShown();
      await vscode.commands.executeCommand('workbench.action.addComment', { range });
      if (await shown) return;
    }
    throw new Error('VS Code opens no box among the lines.');
  }

  /**
   * Has VS Code learn of our comments. It looks at all comments anew then, and shows those twice that change meanwhile: so this is
   * to happen before there are any.
   */
  prepare(): void {
    this.ready();
  }

  /** Shows how far an edit is below its lines, without the cursor there. */
  async create({ document, region }: EditPlace): Promise<{ readonly thread: vscode.CommentThread; readonly surface: EditSurface }> {
    const fresh = this.controller === undefined;
    const controller = this.ready();
    if (fresh) await pause(SETTLE_MS);
    const { end } = document.lineAt(region.end - 1).range;
    const thread = controller.createCommentThread(document.uri, new vscode.Range(end, end), []);
    return { thread, surface: new ThreadSurface(thread) };
  }

  /** The lines that the prompt of a thread was opened for, wherever they are by now. */
  regionOf({ uri, range }: vscode.CommentThread): LineRegion | undefined {
    const { armed } = this;
    if (armed?.document.uri.toString() === uri.toString()) return armed.region;
    return range === undefined ? undefined : { start: range.start.line, end: range.end.line + 1 };
  }

  /** What shows how far the edit of a thread is. */
  surfaceOf(thread: vscode.CommentThread): EditSurface {
    this.disarm();
    return new ThreadSurface(thread);
  }

  private ready(): vscode.CommentController {
    if (this.controller === undefined) {
      this.controller = vscode.comments.createCommentController(ID, 'Gnomon');
      this.controller.options = { prompt: t('Edit with Gnomon'), placeHolder: t('Describe the change (Enter to send, Esc to close)') };
    }
    return this.controller;
  }

  /** Has VS Code ask where threads can be, and waits until it knows. */
  private async offer(controller: vscode.CommentController, wanted: string, place: vscode.Range): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('VS Code does not ask where comments can be.')), ASK_MS);
      // Setting it has VS Code ask anew.
      controller.commentingRangeProvider = {
        provideCommentingRanges: ({ uri }) => {
          if (uri.toString() !== wanted) return [];
          clearTimeout(timer);
          // After the answer that is returned below.
          setImmediate(resolve);
          return this.armed === undefined ? [] : [place];
        },
      };
    });
  }

  /** No prompt can be opened from now on, until one is asked for again. */
  disarm(): void {
    this.armed = undefined;
    if (this.controller !== undefined) this.controller.commentingRangeProvider = { provideCommentingRanges: () => [] };
  }

  dispose(): void {
    this.watching.dispose();
    this.controller?.dispose();
  }
}

class ThreadSurface implements EditSurface {
  private readonly thread: vscode.CommentThread;

  constructor(thread: vscode.CommentThread) {
    this.thread = thread;
    // VS Code colors the lines of a thread, as changed lines are.
    if (thread.range !== undefined) thread.range = new vscode.Range(thread.range.end, thread.range.end);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  show(phase: EditPhase): void {
    const { thread } = this;
    if (phase.type === 'closed') return thread.dispose();
    const context = CONTEXTS[phase.type];
    if (thread.label !== phase.words) thread.label = phase.words;
    if (thread.contextValue === context) return;
    thread.contextValue = context;
    thread.canReply = context !== 'running';
  }
}

/** Shows how far an edit is in a notification that can stop it; what came of it, in a message. */
export class ProgressSurface implements EditSurface {
  private readonly uri: vscode.Uri;
  private words = '';
  private progress: vscode.Progress<{ message: string }> | undefined;
  private end: (() => void) | undefined;

  /** @param uri of the document that is edited. */
  constructor(uri: vscode.Uri) {
    this.uri = uri;
  }

  show(phase: EditPhase): void {
    if (phase.type === 'asking' || phase.type === 'streaming') {
      this.words = phase.words;
      if (this.end === undefined) this.begin();
      this.progress?.report({ message: phase.words });
      return;
    }
    // What the user decides afterwards shows in the editor.
    const { end } = this;
    this.end = this.progress = undefined;
    end?.();
    if (end !== undefined && phase.type !== 'closed') void vscode.window.showInformationMessage(phase.words);
  }

  private begin(): void {
    const options = { location: vscode.ProgressLocation.Notification, title: t('Edit with Gnomon'), cancellable: true };
    const ended = new Promise<void>((resolve) => {
      this.end = resolve;
    });
    void vscode.window.withProgress(options, (progress, token) => {
      // VS Code calls this a little later.
      progress.report({ message: this.words });
      this.progress = progress;
      token.onCancellationRequested(() => vscode.commands.executeCommand('gnomon.stopEdit', this.uri));
      return ended;
    });
  }
}

/** Asks in VS Code's own box at the top what should change. */
export async function askAbove(document: vscode.TextDocument, { start, end }: LineRegion): Promise<string | undefined> {
  const place = t('{0}, lines {1} to {2}', vscode.workspace.asRelativePath(document.uri), start + 1, end);
  const words = await vscode.window.showInputBox({ title: t('Edit with Gnomon'), prompt: place, placeHolder: t('Describe the change') });
  return words === undefined || words.trim() === '' ? undefined : words;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Whether a box among the lines opens within some time. */
function boxShown(): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (shown: boolean): void => {
      clearTimeout(timer);
      opened.dispose();
      resolve(shown);
    };
    const timer = setTimeout(() => finish(false), SHOW_MS);
    const opened = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === BOX_SCHEME) finish(true);
    });
  });
}
