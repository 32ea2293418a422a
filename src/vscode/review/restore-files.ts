import * as vscode from 'vscode';
import type { Ledger } from '../../change/ledger.js';
import type { ConflictAnswer, RestoreParts, RestoreReport } from '../../change/restore.js';
import { redoRestore, restoreBefore } from '../../change/restore.js';
import type { ChangedFiles } from '../../domain/changes.js';
import type { Checkpoints } from '../../change/checkpoints.js';
import { COMMAND_LIMITS } from './git-watch.js';
import { uriOf } from './paths.js';
import { listed, restoreSummary } from './restore-words.js';

const REDO = 'Redo';
const LIMITS = 'What Is Not Covered';
const KEEP = 'Keep Mine';
const OVERWRITE = 'Overwrite';

/** What restoring works with. */
export interface RestoreFilesParts {
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;
  readonly files: ChangedFiles;
}

/** Restores files and says what happened. One restore at a time. */
export class RestoreFiles {
  private readonly parts: RestoreFilesParts;
  private readonly engine: RestoreParts;

  constructor(parts: RestoreFilesParts) {
    this.parts = parts;
    this.engine = { checkpoints: parts.checkpoints, files: parts.files, ask: askAboutConflicts };
  }

  /** Puts files back to before a message of a session, and offers to take that back. */
  async before(sessionId: string, messageIndex: number): Promise<RestoreReport> {
    const report = await restoreBefore(this.engine, sessionId, messageIndex);
    const summary = await this.finished(report);
    if (summary === undefined) return report;
    const changed = report.restored.length + report.deleted.length > 0;
    void vscode.window.showInformationMessage(summary, ...(changed ? [REDO] : []), LIMITS).then((answer) => this.follow(answer, sessionId));
    return report;
  }

  /** Brings back what the last restore took away. */
  async redo(sessionId: string): Promise<RestoreReport | undefined> {
    const report = await redoRestore(this.engine, sessionId);
    const summary = report === undefined ? 'There is no restore to take back.' : await this.finished(report);
    if (summary !== undefined) void vscode.window.showInformationMessage(summary);
    return report;
  }

  private async follow(answer: string | undefined, sessionId: string): Promise<void> {
    if (answer === REDO) await this.redo(sessionId);
    else if (answer === LIMITS) await vscode.window.showInformationMessage('What restoring does not cover', { modal: true, detail: COMMAND_LIMITS });
  }

  private async finished(report: RestoreReport): Promise<string | undefined> {
    await this.parts.ledger.restored([...report.restored, ...report.deleted]);
    return restoreSummary(report, display);
  }
}

async function askAboutConflicts(paths: readonly string[]): Promise<ConflictAnswer> {
  const question = paths.length === 1 ? '1 file is not as Gnomon left it.' : `${paths.length} files are not as Gnomon left them.`;
  const detail = `${listed(paths.map(display))}\n\nKeep your version of them, or overwrite it with the earlier content? All other files are restored.`;
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, KEEP, OVERWRITE);
  if (answer === KEEP) return 'keep';
  return answer === OVERWRITE ? 'overwrite' : 'cancel';
}

function display(path: string): string {
  return vscode.workspace.asRelativePath(uriOf(path));
}
