import { relative } from 'node:path';
import type { FileSnapshot, ReviewEvent } from '../domain/workspace/changes.js';
import { isWithin } from '../node/files/within.js';
import { type FileText, type Judges, judgesAfter, mayJudge } from '../routing/judging-files.js';
import type { FileFacts } from '../routing/outcome.js';
import { decodeText } from '../text/encoding.js';

/** Bytes of the largest file in which tests are looked for. */
const MAX_BYTES = 500_000;

type Changed = Extract<ReviewEvent, { type: 'changed' }>;

/** A file that a turn has changed, with what the user has decided about that. */
export class ChangedFile {
  /** As it was before the turn, where it judges; absent where it does not, or was not there. */
  private readonly before: FileText | undefined;
  private readonly isNew: boolean;
  private judges: Judges = 'untouched';
  private readonly sums = { kept: 0, edited: 0, undone: 0 };
  private pending = 0;

  /** @param first change of it in the turn @param folders absolute paths of those that are worked in */
  constructor(
    { path, from, before }: Changed,
    private readonly folders: readonly string[],
  ) {
    const was = from === undefined ? this.textOf(path, before) : this.textOf(from.path, from.snapshot);
    this.before = was !== undefined && mayJudge(was) ? was : undefined;
    this.isNew = was === undefined;
  }

  /** Whether nothing of the change is left, and nothing was decided about it. */
  get isGone(): boolean {
    const { kept, edited, undone } = this.sums;
    return this.pending + kept + edited + undone === 0;
  }

  get facts(): FileFacts {
    return { ...this.sums, open: this.pending, judges: this.judges };
  }

  /** Takes another change of the turn. */
  changed({ path, after, pending }: Changed): void {
    this.pending = pending;
    if (this.before !== undefined || this.isNew) this.judges = judgesAfter(this.before, this.textOf(path, after));
  }

  decided({ kept, edited, undone, pending }: Extract<ReviewEvent, { type: 'decided' }>): void {
    this.sums.kept += kept;
    this.sums.edited += edited;
    this.sums.undone += undone;
    this.pending = pending;
  }

  /** A text as it is in its folder: only names below that say what a file is. */
  private textOf(path: string, snapshot: FileSnapshot): FileText | undefined {
    if (snapshot.kind === 'absent') return undefined;
    const folder = this.folders.filter((each) => isWithin(each, path)).sort((a, b) => b.length - a.length)[0];
    const name = (folder === undefined ? path : relative(folder, path)).replaceAll('\\', '/');
    const isText = snapshot.kind === 'file' && snapshot.bytes.length <= MAX_BYTES;
    return { path: name, text: isText ? decodeText(snapshot.bytes)?.text : undefined };
  }
}
