import type * as vscode from 'vscode';
import type { Hunk } from '../../edits/text-review.js';
import type { Review } from '../edits/create-review.js';
import { pathOf } from '../workspace/paths.js';
import type { Mark, Marks } from './marks.js';

/** Shows what edits in place have changed for as long as it is neither kept nor undone. */
export class PendingMarks implements vscode.Disposable {
  private readonly documents = new Map<string, vscode.Uri>();
  private readonly review: Pick<Review, 'pending'>;
  private readonly marks: Marks;
  private readonly stop: () => void;

  constructor(review: Pick<Review, 'pending'>, marks: Marks) {
    this.review = review;
    this.marks = marks;
    this.stop = review.pending.onDidChange(() => {
      for (const uri of [...this.documents.values()]) this.look(uri);
    });
  }

  /** Shows the hunks of a document that pend, and follows them. */
  follow(uri: vscode.Uri): void {
    this.documents.set(uri.toString(), uri);
    this.look(uri);
  }

  /** Shows the hunks of a document that are just being made, in place of those that pended before. */
  showLive(uri: vscode.Uri, hunks: readonly Mark[]): void {
    this.documents.delete(uri.toString());
    this.marks.show(uri, hunks);
  }

  dispose(): void {
    this.stop();
  }

  private look(uri: vscode.Uri): void {
    const hunks = this.review.pending.files().find(({ path }) => path === pathOf(uri))?.hunks ?? [];
    this.marks.show(uri, hunks.map(markOf));
    if (hunks.length === 0) this.documents.delete(uri.toString());
  }
}

function markOf({ line, count, removed }: Hunk): Mark {
  return { line, count, removed: removed.map((each) => each.replace(/\r?\n$/, '')) };
}
