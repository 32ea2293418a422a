import { rmdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { agentsIn, hunkAt } from '../../edits/change-places.js';
import { CHAT_AUTHOR } from '../../domain/workspace/change-author.js';
import { Checkpoints } from '../../edits/checkpoints.js';
import { Ledger } from '../../edits/ledger.js';
import { LedgerStore } from '../../edits/ledger-store.js';
import { createChangeRecorder } from '../../edits/recorder.js';
import { createStreamedRecorder, type StreamedRecorder } from '../../edits/streamed-recorder.js';
import type { ChangedFiles, ChangeRecorder, ReviewedChanges } from '../../domain/workspace/changes.js';
import type { FileLayer } from '../../domain/workspace/file-layer.js';
import type { Log } from '../../domain/log.js';
import type { ViewChangedFile } from '../../protocol/view-state.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import { atomicWrite } from '../../session/atomic-write.js';
import type { OtherStorage } from '../../session/other-workspaces/storage-index.js';
import { createVsCodeDocuments } from '../workspace/vscode-documents.js';
import { bringChanges, type BringDeps, checkpointsIn, pendingIn } from '../../agent-host/changes/bring-changes.js';
import { ChangeMarks, type ColorChoice } from './change-marks.js';
import { createDiskFiles } from '../../agent-host/changes/disk-files.js';
import { createEditorFiles } from './editor-files.js';
import { createGitWatcher } from '../../agent-host/changes/git-watch.js';
import { HunkLenses } from './hunk-lenses.js';
import { KeepCurrent } from './keep-current.js';
import { reviewChanges, showChanges } from './navigate.js';
import { BEFORE_SCHEME, comparedFile, comparedUris, pathOf, uriOf } from '../workspace/paths.js';
import type { ReviewActions } from '../../chat/ports.js';
import type { ProposalFiles } from './proposals/proposal-files.js';
import { Proposals } from './proposals/proposals.js';
import { RestoreFiles } from './restore-files.js';
import { keepFiles, reviewCommands, type RunReviewCommand, undoFiles } from './review-commands.js';
import { ReviewProjector } from '../../chat/projection/review-view.js';
import { SourceControls } from './source-controls.js';
import { textCodec } from '../../edits/text-work.js';
import { UserEdits, notingPuts } from '../../edits/user-edits.js';

/** Context keys that the manifest's menus ask for: whether anything pends, also of agents, in which files, and whether those are several. */
const HAS_CHANGES = 'gnomon.hasChanges';
const HAS_AGENT_CHANGES = 'gnomon.hasAgentChanges';
const CHANGED_PATHS = 'gnomon.changedPaths';
const SEVERAL_FILES = 'gnomon.severalChangedFiles';

/** Services that review and undo use. */
export interface ReviewOptions {
  /** Absolute path of the storage folder of this workspace. */
  readonly storage: string;
  readonly files: FileLayer;
  readonly log: Log;
  /** Documents that show proposed files in editors. */
  readonly proposalFiles: ProposalFiles;
  readonly colors: ColorChoice;
}

/** Review and undo of the agent's changes in this workspace. */
export interface Review {
  readonly recorder: ChangeRecorder;
  /** Records changes that come bit by bit. */
  readonly streamed: StreamedRecorder;
  /** The changes that are neither kept nor undone. */
  readonly pending: Pick<Ledger, 'files' | 'onDidChange' | 'keep' | 'undo'>;
  /** What becomes of them. */
  readonly reviewed: ReviewedChanges;
  /** Shows an edit in the editor while it is being made. */
  readonly marks: Pick<ChangeMarks, 'showLive' | 'follow'>;
  readonly actions: ReviewActions;
  /** The files that the agent changes, in editors and on the disk. */
  readonly files: ChangedFiles;
  readonly run: RunReviewCommand;
  /** Proposed files whose calls wait for permission. */
  readonly proposals: Proposals;
  /** Tells, now and with each change, which files of a session are under review. */
  project(sessionId: string, push: (files: readonly ViewChangedFile[]) => void): { dispose(): void };
  /** Has a branch restored as its beginning could be, and what is pending of that pending in it too. */
  branched(from: string, to: string, count: number): Promise<void>;
  /** Brings what can be restored and what is pending of a session that comes from another storage. */
  bring(sessionId: string, from: OtherStorage): Promise<void>;
  /** Removes what is kept of a session that is deleted. */
  forget(sessionId: string): Promise<void>;
  /** Takes all that is shown away; what is pending stays stored. */
  dispose(): void;
}

/** Dependencies of review and undo. */
interface Deps extends BringDeps {
  readonly files: ChangedFiles;
  readonly edits: UserEdits;
  readonly restore: RestoreFiles;
}

/** Builds review and undo, and shows what is pending from the last time. */
export function createReview(options: ReviewOptions): Review {
  const deps = depsFor(options);
  const { ledger, checkpoints, restore, log } = deps;
  const marks = new ChangeMarks(ledger, options.colors);
  const surfaces = showOn(ledger, marks, log);
  ledger.load().catch((error: unknown) => log.error('The changes to review could not be read', error));
  const recorder = recorderOn(deps);
  return {
    recorder,
    streamed: createStreamedRecorder(deps),
    pending: ledger,
    reviewed: ledger,
    marks,
    actions: actionsOn(ledger, restore),
    files: deps.files,
    run: reviewCommands(ledger, restore, log),
    proposals: new Proposals({ files: options.proposalFiles, documents: createVsCodeDocuments(createDiskDocuments()), log }),
    project: (sessionId, push) => {
      restore.look(sessionId);
      return new ReviewProjector(ledger, sessionId, (path) => vscode.workspace.asRelativePath(uriOf(path)), push);
    },
    branched: async (from, to, count) => ledger.shared(from, to, await checkpoints.copy(from, to, count)),
    bring: async (sessionId, from) => {
      await bringChanges(sessionId, from, deps);
      restore.look(sessionId);
    },
    forget: async (sessionId) => {
      await checkpoints.remove(sessionId);
      restore.look(sessionId);
    },
    dispose: () => {
      surfaces.dispose();
      recorder.dispose();
    },
  };
}

function depsFor({ storage, files: layer, log }: ReviewOptions): Deps {
  const save = (path: string, bytes: Uint8Array): Promise<void> => atomicWrite({ files: layer, log, pid: process.pid }, path, [bytes]);
  const blobs = { files: layer, save };
  const edits = new UserEdits();
  const files = notingPuts(createEditorFiles(createDiskFiles()), edits);
  const checkpoints = new Checkpoints({ ...blobs, log, folder: checkpointsIn(storage), removeFolder: (path) => rmdir(path) });
  const ledger = new Ledger({ store: new LedgerStore(pendingIn(storage), blobs, log), files, codec: textCodec });
  return { storage, blobs, ledger, checkpoints, files, edits, log, restore: new RestoreFiles({ checkpoints, ledger, files, log }) };
}

/** Records changes, those in editors as soon as they are there; what was restored before cannot be brought back over them. */
function recorderOn({ restore, ...deps }: Deps): ChangeRecorder & vscode.Disposable {
  const recorder = createChangeRecorder({ ...deps, commands: createGitWatcher(deps.files, deps.log) });
  const watching = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0 || document.uri.scheme !== 'file') return;
    // An editor without unsaved changes has followed the disk, where a command may have written.
    if (document.isDirty) deps.edits.note(pathOf(document.uri));
    recorder.changedNow(pathOf(document.uri));
  });
  return { begin: (call) => recorder.begin(call).finally(() => restore.look(call.sessionId)), dispose: () => void watching.dispose() };
}

function actionsOn(ledger: Ledger, restore: RestoreFiles): ReviewActions {
  return {
    keep: (paths, author) => keepFiles(ledger, paths, author),
    undo: (paths, author) => undoFiles(ledger, paths, author),
    show: (path) => showChanges(ledger.files().filter((file) => file.path === path)),
    compare: (paths, author) => {
      const files = ledger.files().filter(({ path }) => paths.includes(path));
      const agents = agentsIn(files);
      const known = author === CHAT_AUTHOR.id ? CHAT_AUTHOR : agents.find(({ id }) => id === author);
      // Where one agent alone made all of them, they are its changes.
      const only = files.every(({ authors }) => authors?.length === 1) && agents.length === 1 ? agents[0] : undefined;
      return reviewChanges(files, known ?? only);
    },
    restore: async (sessionId, messageIndex) => !(await restore.before(sessionId, messageIndex)).cancelled,
  };
}

/** "Change 2 of 5" in the status bar, while the active editor has changes that pend. Screen readers say it when it changes. */
class ChangePosition implements vscode.Disposable {
  private readonly ledger: Pick<Ledger, 'files'>;
  private readonly item = vscode.window.createStatusBarItem('gnomon.change', vscode.StatusBarAlignment.Right, 101);
  private readonly watching: vscode.Disposable;

  constructor(ledger: Pick<Ledger, 'files' | 'onDidChange'>) {
    this.ledger = ledger;
    this.item.name = t('Gnomon: Pending Changes');
    const update = (): void => this.update();
    this.watching = vscode.Disposable.from(
      { dispose: ledger.onDidChange(update) },
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.update();
      }),
    );
  }

  dispose(): void {
    this.watching.dispose();
    this.item.dispose();
  }

  private update(): void {
    const editor = vscode.window.activeTextEditor;
    const path = editor?.document.uri.scheme === 'file' ? pathOf(editor.document.uri) : undefined;
    const hunks = this.ledger.files().find((file) => file.path === path)?.hunks ?? [];
    if (editor === undefined || hunks.length === 0) {
      this.item.hide();
      return;
    }
    const here = hunkAt(hunks, editor.selection.active.line);
    const words =
      here !== undefined
        ? t('Change {0} of {1}', here.index + 1, hunks.length)
        : hunks.length === 1
          ? t('1 pending change')
          : t('{0} pending changes', hunks.length);
    this.item.text = `$(diff) ${words}`;
    this.item.tooltip = t('Pending changes by Gnomon in this file');
    // It says something and does nothing when pressed: then screen readers tell what it says when that changes.
    this.item.accessibilityInformation = { label: words, role: 'status' };
    this.item.show();
  }
}

function showOn(ledger: Ledger, marks: ChangeMarks, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    marks,
    registerBeforeDocuments(ledger),
    new SourceControls(ledger),
    new HunkLenses(ledger),
    new ChangePosition(ledger),
    new KeepCurrent(ledger, log),
    { dispose: ledger.onDidChange(() => tellMenus(ledger)) },
  );
}

function tellMenus(ledger: Ledger): void {
  const uris = ledger.files().map(({ path }) => uriOf(path));
  const set = (key: string, value: unknown): void => void vscode.commands.executeCommand('setContext', key, value);
  set(HAS_CHANGES, uris.length > 0);
  set(HAS_AGENT_CHANGES, agentsIn(ledger.files()).length > 0);
  set(SEVERAL_FILES, uris.length > 1);
  // A window that is on another machine than the files names their paths as URIs do.
  set(CHANGED_PATHS, [...new Set(uris.flatMap(({ fsPath, path }) => [fsPath, path]))]);
}

/** Texts of the two sides of a diff editor; `now` only where the file itself is not shown. */
interface Sides {
  readonly before: string;
  readonly now: string;
}

/** Shows files as they were before the agent, with the user's own edits; the left side of every comparison. */
export function registerBeforeDocuments(ledger: Ledger): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let shown = new Map<string, Sides>();
  const stop = ledger.onDidChange(() => {
    const next = new Map(ledger.files().map(({ path, baseline = '', present = '' }) => [path, { before: baseline, now: present }]));
    for (const path of new Set([...shown.keys(), ...next.keys()])) {
      const [old, fresh] = [shown.get(path), next.get(path)];
      const { before, now } = comparedUris(path);
      if (old?.before !== fresh?.before) changed.fire(before);
      if (old?.now !== fresh?.now) changed.fire(now);
    }
    shown = next;
  });
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => {
      const { path, isNow } = comparedFile(uri);
      return shown.get(path)?.[isNow ? 'now' : 'before'] ?? '';
    },
  };
  return vscode.Disposable.from(vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, provider), changed, { dispose: stop });
}
