import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';

/** Where the lenses stand. */
interface LensPlace {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/** "Accept | Dismiss" above the next edit that the person went to. */
export class NextEditLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private registration: vscode.Disposable | undefined;
  private place: LensPlace | undefined;

  /** Shows them at a place, or nowhere. */
  show(place: LensPlace | undefined): void {
    if (place?.line === this.place?.line && place?.uri.toString() === this.place?.uri.toString()) return;
    this.place = place;
    if (place === undefined) {
      this.registration?.dispose();
      this.registration = undefined;
    } else this.registration ??= vscode.languages.registerCodeLensProvider('*', this);
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (this.place?.uri.toString() !== document.uri.toString()) return [];
    const line = Math.min(this.place.line, document.lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    return [
      new vscode.CodeLens(range, { title: `$(check) ${t('Accept edit')}`, tooltip: t('Make this change (Tab)'), command: 'gnomon.acceptNextEdit' }),
      new vscode.CodeLens(range, { title: `$(close) ${t('Dismiss edit')}`, tooltip: t('Do not offer this change again (Escape)'), command: 'gnomon.dismissNextEdit' }),
    ];
  }

  dispose(): void {
    this.registration?.dispose();
    this.changed.dispose();
  }
}
