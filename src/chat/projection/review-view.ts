import type { FileReview } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import type { ViewChangedFile } from '../../protocol/view-state.js';

/** Sends a panel the changed files of its session that are neither kept nor undone yet. */
export class ReviewProjector {
  private shown = '[]';
  private readonly stop: () => void;

  /** @param display the short form of a path. */
  constructor(
    private readonly ledger: Ledger,
    private readonly sessionId: string,
    private readonly display: (path: string) => string,
    private readonly push: (files: readonly ViewChangedFile[]) => void,
  ) {
    this.stop = ledger.onDidChange(() => this.project());
    this.project();
  }

  /** Ends it. */
  dispose(): void {
    this.stop();
  }

  private project(): void {
    const files = this.ledger
      .files()
      .filter(({ sessions }) => sessions.includes(this.sessionId))
      .map((file) => viewOf(file, this.display));
    const text = JSON.stringify(files);
    if (text === this.shown) return;
    this.shown = text;
    this.push(files);
  }
}

function viewOf({ path, created, deleted, lines, movedFrom }: FileReview, display: (path: string) => string): ViewChangedFile {
  const status = deleted ? 'deleted' : created ? 'created' : 'changed';
  return { path, display: display(path), status, ...(movedFrom === undefined ? {} : { movedFrom: display(movedFrom) }), ...(lines ?? {}) };
}
