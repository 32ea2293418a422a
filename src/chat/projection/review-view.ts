import { type ChangeAuthor, CHAT_AUTHOR } from '../../domain/workspace/change-author.js';
import type { FileReview } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import type { ViewChangeAuthor, ViewChangedFile } from '../../protocol/view-state.js';

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

function viewOf(file: FileReview, display: (path: string) => string): ViewChangedFile {
  const { path, created, deleted, lines, movedFrom, authors } = file;
  const status = deleted ? 'deleted' : created ? 'created' : 'changed';
  return {
    path,
    display: display(path),
    status,
    ...(movedFrom === undefined ? {} : { movedFrom: display(movedFrom) }),
    ...(lines ?? {}),
    ...(authors === undefined ? {} : { authors: authors.map((author) => partOf(author, file)) }),
  };
}

/** What one has made of a file; of one alone, what there is. */
function partOf({ id, name }: ChangeAuthor, { hunks, lines, authors }: FileReview): ViewChangeAuthor {
  if (authors?.length === 1) return { id, name, ...lines };
  const own = hunks.filter(({ by = CHAT_AUTHOR }) => by.id === id);
  if (own.length === 0) return { id, name };
  return { id, name, added: own.reduce((sum, { count }) => sum + count, 0), removed: own.reduce((sum, { removed }) => sum + removed.length, 0) };
}
