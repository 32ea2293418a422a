import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { authorsText } from '../../edits/change-places.js';
import type { FileReview } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import { BEFORE_SCHEME, comparedUris, pathOf, uriOf } from '../workspace/paths.js';

/** Id of our source control, as the manifest names it. */
const ID = 'gnomon';

interface Shown {
  readonly control: vscode.SourceControl;
  readonly group: vscode.SourceControlResourceGroup;
}

/** One row "Gnomon" in the source control view for each folder with pending edits, with native hunks in the editor; gone with the last edit. */
export class SourceControls implements vscode.Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly stop: () => void;

  constructor(private readonly ledger: Ledger) {
    this.stop = ledger.onDidChange(() => this.update());
  }

  dispose(): void {
    this.stop();
    for (const { control } of this.shown.values()) control.dispose();
    this.shown.clear();
  }

  private update(): void {
    const byFolder = new Map<string, FileReview[]>();
    for (const file of this.ledger.files()) {
      const folder = vscode.workspace.getWorkspaceFolder(uriOf(file.path))?.uri.toString();
      if (folder !== undefined) byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
    }
    for (const [folder, { control }] of this.shown) {
      if (byFolder.has(folder)) continue;
      control.dispose();
      this.shown.delete(folder);
    }
    for (const [folder, files] of byFolder) {
      const { control, group } = this.controlOf(folder);
      group.resourceStates = files.map(stateOf);
      control.count = files.length;
    }
  }

  private controlOf(folder: string): Shown {
    const known = this.shown.get(folder);
    if (known !== undefined) return known;
    // With a folder our hunks win over git's where both draw.
    const control = vscode.scm.createSourceControl(ID, 'Gnomon', vscode.Uri.parse(folder));
    control.inputBox.visible = false;
    control.quickDiffProvider = { provideOriginalResource: (uri) => this.originalOf(uri) };
    const group = control.createResourceGroup('pending', t('Pending Edits'));
    group.hideWhenEmpty = true;
    const shown = { control, group };
    this.shown.set(folder, shown);
    return shown;
  }

  private originalOf(uri: vscode.Uri): vscode.Uri | undefined {
    if (uri.scheme !== 'file') return undefined;
    const path = pathOf(uri);
    const file = this.ledger.files().find((one) => one.path === path);
    return file === undefined || file.hunks.length === 0 ? undefined : uri.with({ scheme: BEFORE_SCHEME });
  }
}

function stateOf(file: FileReview): vscode.SourceControlResourceState {
  const { path, created, deleted, lines, movedFrom } = file;
  const authors = authorsText(file);
  const by = authors === '' ? '' : ` – ${authors}`;
  const uri = uriOf(path);
  const counts = lines === undefined ? '' : ` (+${lines.added} −${lines.removed})`;
  const title = `${t('{0} (before ↔ now)', vscode.workspace.asRelativePath(uri))}${by}`;
  // A deleted file has no right side.
  const { before, now } = comparedUris(path);
  const command = deleted
    ? { title: t('Show Deleted File'), command: 'vscode.open', arguments: [before] }
    : { title: t('Compare'), command: 'vscode.diff', arguments: [before, now, title] };
  return { resourceUri: uri, command, decorations: { strikeThrough: deleted, tooltip: `${whatHappened(counts, { created, deleted, movedFrom })}${by}` } };
}

/** @param counts of lines, such as ` (+1 −2)`; empty when they are not known. */
function whatHappened(
  counts: string,
  { created, deleted, movedFrom }: Pick<FileReview, 'created' | 'deleted'> & { readonly movedFrom: string | undefined },
): string {
  if (deleted) return t('Deleted by Gnomon{0}, pending', counts);
  if (movedFrom !== undefined) return t('Moved by Gnomon{0}, pending', counts);
  return created ? t('Created by Gnomon{0}, pending', counts) : t('Changed by Gnomon{0}, pending', counts);
}
