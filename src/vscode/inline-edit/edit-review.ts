import * as vscode from 'vscode';
import type { Hunk } from '../../edits/text-review.js';
import { t } from '../../domain/l10n.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import type { Review } from '../edits/create-review.js';
import { pathOf } from '../edits/paths.js';

/** The hunks of one edit that are in its file and neither kept nor undone. */
export class EditReview {
  private readonly pending: Review['pending'];
  private readonly uri: vscode.Uri;
  private readonly region: () => LineRegion;

  /** @param region the lines of the edit, as they are now. */
  constructor(pending: Review['pending'], uri: vscode.Uri, region: () => LineRegion) {
    this.pending = pending;
    this.uri = uri;
    this.region = region;
  }

  /** How many there are. */
  count(): number {
    const path = pathOf(this.uri);
    return this.pending.files().find((file) => file.path === path)?.hunks.filter((hunk) => this.holds(hunk)).length ?? 0;
  }

  /** Keeps them. */
  async keep(): Promise<void> {
    await this.pending.keep(pathOf(this.uri), (hunk) => this.holds(hunk));
  }

  /** Takes them back. What the person has changed since stays, and is said. */
  async undo(): Promise<void> {
    const refused = await this.pending.undo(pathOf(this.uri), (hunk) => this.holds(hunk));
    for (const { why } of refused) void vscode.window.showWarningMessage(t('Not everything was undone. {0}', why));
  }

  private holds({ line, count }: Hunk): boolean {
    const { start, end } = this.region();
    return line >= start && line + count <= end;
  }
}
