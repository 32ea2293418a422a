import * as vscode from 'vscode';
import type { Ledger } from '../../edits/ledger.js';
import { type ConflictAnswer, RedoList, redoRestore, restoreBefore, type RestoreDeps, type RestoreReport } from '../../edits/restore.js';
import { Queue } from '../../concurrency/queue.js';
import type { ChangedFiles } from '../../domain/workspace/changes.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Checkpoints } from '../../edits/checkpoints.js';
import { commandLimits } from '../../agent-host/changes/git-watch.js';
import { uriOf } from '../workspace/paths.js';
import { listed, type RestoreFollowUp, restoreFollowUps, restoreSummary } from '../../edits/restore-labels.js';
import { tellFailed } from '../dialogs/vscode-dialogs.js';

/** Context key that the manifest's menus ask for. */
const CAN_REDO = 'gnomon.canRedoRestore';

/** Dependencies of restoring. */
export interface RestoreFilesDeps {
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;
  readonly files: ChangedFiles;
  readonly log: Log;
}

/** Restores files, takes that back, and says what happened. */
export class RestoreFiles {
  private readonly engine: RestoreDeps;
  private readonly queue = new Queue();
  private readonly redos = new RedoList((any) => void vscode.commands.executeCommand('setContext', CAN_REDO, any));

  constructor(private readonly deps: RestoreFilesDeps) {
    this.engine = { checkpoints: deps.checkpoints, files: deps.files, ask: askAboutConflicts };
  }

  /** Puts files back to before a message of a session, and offers to take that back. */
  before(sessionId: string, messageIndex: number): Promise<RestoreReport> {
    return this.queue.run(async () => {
      const report = await restoreBefore(this.engine, sessionId, messageIndex);
      const changed = report.restored.length + report.deleted.length > 0;
      await this.deps.ledger.restored([...report.restored, ...report.deleted], changed ? { sessionId, messageIndex } : undefined);
      if (changed) this.redos.restored(sessionId);
      this.say(report, sessionId, changed);
      return report;
    });
  }

  /** Brings back what the latest restore took away: of a session, else of the one that was restored last. */
  redo(session?: string): Promise<void> {
    return this.queue.run(async () => {
      // The one before it, which may still run when this is asked for, decides which is the latest now.
      const sessionId = session ?? this.redos.latest;
      const report = sessionId === undefined ? undefined : await redoRestore(this.engine, sessionId);
      if (report === undefined || sessionId === undefined) {
        void vscode.window.showInformationMessage(t('There is no restore to undo.'));
        return;
      }
      await this.deps.ledger.restored([...report.restored, ...report.deleted]);
      const more = await this.canRedo(sessionId);
      if (!more) this.redos.forget(sessionId);
      this.say(report, sessionId, more);
    });
  }

  /** Finds out again whether a conversation has restores that can be taken back: it was opened, continues changing files, or is gone. */
  look(sessionId: string): void {
    const failed = (error: unknown): void => this.deps.log.error('What can be redone could not be found out', error);
    this.canRedo(sessionId).then((can) => (can ? this.redos.opened(sessionId) : this.redos.forget(sessionId)), failed);
  }

  private async canRedo(sessionId: string): Promise<boolean> {
    return (await this.deps.checkpoints.index(sessionId)).redos.length > 0;
  }

  /** Says what happened; what the user does with that is not awaited. */
  private say(report: RestoreReport, sessionId: string, redo: boolean): void {
    const summary = restoreSummary(report, display);
    if (summary === undefined) return;
    const words: Readonly<Record<RestoreFollowUp, string>> = { redo: t('Undo Restore'), limits: t('Show Limitations') };
    const buttons = restoreFollowUps(report, redo).map((each) => words[each]);
    void vscode.window.showInformationMessage(summary, ...buttons).then((answer) => {
      if (answer === words.redo) void this.redo(sessionId).catch((error: unknown) => this.failed(error));
      else if (answer === words.limits) void showLimits();
    });
  }

  private failed(error: unknown): void {
    this.deps.log.error('A restore could not be taken back', error);
    tellFailed(t('The restore could not be undone. See the log for details.'));
  }
}

async function showLimits(): Promise<void> {
  await vscode.window.showInformationMessage(t('Limitations of restoring files'), { modal: true, detail: commandLimits() });
}

async function askAboutConflicts(paths: readonly string[]): Promise<ConflictAnswer> {
  const question =
    paths.length === 1
      ? t('1 file has changed since this chat last modified it.')
      : t('{0} files have changed since this chat last modified them.', paths.length);
  const detail = `${listed(paths.map(display))}\n\n${t('Keep your version, or overwrite it with the earlier content? All other files will be restored.')}`;
  const keep = t('Keep My Version');
  const overwrite = t('Overwrite');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, keep, overwrite);
  if (answer === keep) return 'keep';
  return answer === overwrite ? 'overwrite' : 'cancel';
}

function display(path: string): string {
  return vscode.workspace.asRelativePath(uriOf(path));
}
