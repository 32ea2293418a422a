import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Checkpoints } from '../../change/checkpoints.js';
import { Ledger } from '../../change/ledger.js';
import { LedgerStore } from '../../change/ledger-store.js';
import { createChangeRecorder } from '../../change/recorder.js';
import type { ChangeRecorder } from '../../domain/changes.js';
import type { FileLayer } from '../../domain/file-layer.js';
import type { Log } from '../../domain/log.js';
import type { ViewChangedFile } from '../../protocol/view-state.js';
import { atomicWrite } from '../../session/atomic-write.js';
import { registerBeforeDocuments } from './before-documents.js';
import { createDiskFiles } from './disk-files.js';
import { createEditorFiles } from './editor-files.js';
import { createGitWatcher } from './git-watch.js';
import { HunkLenses } from './hunk-lenses.js';
import type { ReviewActions } from '../chat/review-requests.js';
import { KeepCurrent } from './keep-current.js';
import { reviewChanges } from './navigate.js';
import { uriOf } from './paths.js';
import { RestoreFiles } from './restore-files.js';
import type { RunReviewCommand } from './review-commands.js';
import { reviewCommands, undoFiles } from './review-commands.js';
import { ReviewProjector } from './review-view.js';
import { SourceControls } from './source-controls.js';
import { textCodec } from './text-codec.js';

/** Context key that the manifest's menus ask for. */
const HAS_CHANGES = 'gnomon.hasChanges';

/** What review and undo are made from. */
export interface ReviewOptions {
  /** Absolute path of the storage folder of this workspace. */
  readonly storage: string;
  readonly files: FileLayer;
  readonly log: Log;
  /** Absolute paths of the open folders. */
  readonly folders: () => readonly string[];
}

/** What the agent changed, and the ways back. */
export interface Review {
  readonly recorder: ChangeRecorder;
  readonly actions: ReviewActions;
  readonly run: RunReviewCommand;
  /** Tells, now and with each change, which files of a session are under review. */
  project(sessionId: string, push: (files: readonly ViewChangedFile[]) => void): { dispose(): void };
  /** Removes what is kept of a session that is deleted. */
  forget(sessionId: string): Promise<void>;
  /** Takes all that is shown away; what is pending stays stored. */
  dispose(): void;
}

/** Builds review and undo, and shows what is pending from the last time. */
export function createReview({ storage, files: layer, log, folders }: ReviewOptions): Review {
  const save = (path: string, bytes: Uint8Array): Promise<void> => atomicWrite({ files: layer, log, pid: process.pid }, path, [bytes]);
  const blobs = { files: layer, save };
  const files = createEditorFiles(createDiskFiles());
  const checkpoints = new Checkpoints({ ...blobs, log, folder: join(storage, 'checkpoints'), removeFolder: (path) => rmdir(path) });
  const ledger = new Ledger({ store: new LedgerStore(join(storage, 'review'), blobs, log), files, codec: textCodec });
  const surfaces = showOn(ledger, log);
  ledger.load().catch((error: unknown) => log.error('The changes to review could not be read', error));
  return {
    recorder: createChangeRecorder({ checkpoints, ledger, files, commands: createGitWatcher(folders, files, log), log }),
    actions: actionsOn(ledger, new RestoreFiles({ checkpoints, ledger, files })),
    run: reviewCommands(ledger, log),
    project: (sessionId, push) => new ReviewProjector(ledger, sessionId, (path) => vscode.workspace.asRelativePath(uriOf(path)), push),
    forget: (sessionId) => checkpoints.remove(sessionId),
    dispose: () => {
      surfaces.dispose();
    },
  };
}

function actionsOn(ledger: Ledger, restore: RestoreFiles): ReviewActions {
  return {
    keep: async (paths) => {
      for (const path of paths) await ledger.keep(path);
    },
    undo: (paths) => undoFiles(ledger, paths),
    show: (paths) => reviewChanges(ledger.files().filter(({ path }) => paths.includes(path))),
    restore: async (sessionId, messageIndex) => {
      await restore.before(sessionId, messageIndex);
    },
  };
}

function showOn(ledger: Ledger, log: Log): vscode.Disposable {
  const stop = ledger.onDidChange(() => void vscode.commands.executeCommand('setContext', HAS_CHANGES, ledger.files().length > 0));
  return vscode.Disposable.from(
    registerBeforeDocuments(ledger),
    new SourceControls(ledger),
    new HunkLenses(ledger),
    new KeepCurrent(ledger, log),
    { dispose: stop },
  );
}
