import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { ChangeAuthor } from '../../domain/workspace/change-author.js';
import { headOf } from '../../text/show.js';
import type { Hunk } from '../../edits/text-review.js';
import type { Ledger } from '../../edits/ledger.js';
import { nameOf } from '../../edits/change-places.js';
import { pathOf } from '../workspace/paths.js';

/** "Keep | Undo | 2/5 | +2 −1" above each hunk, with the agent that made it, while there are any. */
export class HunkLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly stop: () => void;
  private registration: vscode.Disposable | undefined;

  constructor(private readonly ledger: Ledger) {
    this.stop = ledger.onDidChange(() => this.update());
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const path = pathOf(document.uri);
    const file = this.ledger.files().find((one) => one.path === path);
    const hunks = file?.hunks ?? [];
    return hunks.flatMap((hunk) => lensesOf(document, hunk, hunks.length));
  }

  dispose(): void {
    this.stop();
    this.registration?.dispose();
    this.changed.dispose();
  }

  private update(): void {
    // Stays registered: an editor that has no provider left goes on showing the last lenses.
    if (this.ledger.files().length > 0) this.registration ??= vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this);
    this.changed.fire();
  }
}

/** @param all how many hunks the file has */
function lensesOf(document: vscode.TextDocument, hunk: Hunk, all: number): readonly vscode.CodeLens[] {
  const line = Math.min(hunk.line, document.lineCount - 1);
  const range = new vscode.Range(line, 0, line, 0);
  const args = [document.uri, nameOf(hunk)];
  const numbers = `+${hunk.count} −${hunk.removed.length}`;
  const counts = hunk.edited ? t('{0}, edited by you', numbers) : numbers;
  return [
    new vscode.CodeLens(range, { title: `$(check) ${t('Keep')}`, tooltip: t('Keep this change'), command: 'gnomon.keepHunk', arguments: args }),
    // Lines that the user has changed are not undone.
    ...(hunk.edited
      ? []
      : [new vscode.CodeLens(range, { title: `$(discard) ${t('Undo')}`, tooltip: t('Undo this change'), command: 'gnomon.undoHunk', arguments: args })]),
    ...(all === 1
      ? []
      : [
          new vscode.CodeLens(range, { title: `${hunk.index + 1}/${all}`, tooltip: t('Go to the next change'), command: 'gnomon.nextChange', arguments: args }),
        ]),
    new vscode.CodeLens(range, { title: counts, tooltip: t('Show both versions here'), command: 'gnomon.showChangesHere', arguments: args }),
    ...(hunk.by === undefined ? [] : [authorLens(range, hunk.by)]),
  ];
}

/** Characters of a name above a change: all lenses of one share a line. */
const MAX_NAME = 32;

function authorLens(range: vscode.Range, { id, name }: ChangeAuthor): vscode.CodeLens {
  const short = name.length <= MAX_NAME ? name : `${headOf(name, MAX_NAME - 1)}…`;
  // A dollar sign would begin an icon.
  const title = `$(hubot) ${short.replaceAll('$(', '$ (')}`;
  return new vscode.CodeLens(range, {
    title,
    tooltip: t('Changed by {0}. Keep, undo, or review all of its changes', name),
    command: 'gnomon.changesByAgent',
    arguments: [id],
  });
}
