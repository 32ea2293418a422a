import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { EditPhase } from '../../inline-edit/edit-state.js';
import type { EditPlace } from './edit-place.js';

/** An inline edit, as its lenses show it. */
export interface ShownEdit {
  readonly place: EditPlace;
  readonly phase: EditPhase;
}

/** Says above the first line of each inline edit how far it is, with what can be done about it. */
export class EditLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private registration: vscode.Disposable | undefined;
  readonly onDidChangeCodeLenses = this.changed.event;

  /** @param edits all there are, by their ids. */
  constructor(private readonly edits: ReadonlyMap<number, ShownEdit>) {}

  /** Shows the edits as they are now. */
  update(): void {
    // Stays registered: an editor that has no provider left goes on showing the last lenses.
    if (this.edits.size > 0) this.registration ??= this.register();
    this.changed.fire();
  }

  /** Puts the lenses before those of hunks at the same line: VS Code shows those first that were registered last. */
  toFront(): void {
    const before = this.registration;
    this.registration = this.register();
    before?.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return [...this.edits].filter(([, { place }]) => place.document === document).flatMap(([id, edit]) => lensesOf(id, edit));
  }

  dispose(): void {
    this.registration?.dispose();
    this.changed.dispose();
  }

  private register(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme: 'untitled' }], this);
  }
}

function lensesOf(id: number, { place: { document, region }, phase }: ShownEdit): readonly vscode.CodeLens[] {
  const line = Math.min(region.start, document.lineCount - 1);
  const range = new vscode.Range(line, 0, line, 0);
  const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(range, { title, tooltip, command, arguments: [document.uri, id] });
  const says = (title: string): vscode.CodeLens => new vscode.CodeLens(range, { title, command: '' });
  if (phase.type === 'asking' || phase.type === 'streaming')
    return [says(`$(loading~spin) ${phase.words}`), lens(`$(debug-stop) ${t('Stop')}`, t('Stop and revert the changes (Esc)'), 'gnomon.stopEdit')];
  if (phase.type !== 'review') return [];
  return [
    says(`$(sparkle) ${phase.words}`),
    lens(`$(check-all) ${t('Keep All')}`, t('Keep all changes of this edit'), 'gnomon.keepEdit'),
    lens(`$(discard) ${t('Undo All')}`, t('Undo all changes of this edit'), 'gnomon.undoEdit'),
    lens(`$(edit) ${t('Revise…')}`, t('Describe what should be different'), 'gnomon.reviseEdit'),
    lens(`$(diff) ${t('Show Diff')}`, t('Compare the file with and without this edit'), 'gnomon.previewEdit'),
    lens(`$(comment-discussion) ${t('Continue in Chat')}`, t('Keep the changes pending and continue in the chat'), 'gnomon.openEditInChat'),
  ];
}
