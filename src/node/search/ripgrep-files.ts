import type { GrepFile, GrepFilesQuery } from '../../domain/workspace/search.js';
import { FirstByPath } from './first-by-path.js';
import type { SplitterOptions, StreamRecord } from './record-splitter.js';
import type { FoundPath } from './ripgrep-path.js';
import { foundPath } from './ripgrep-path.js';

/** A NUL ends each path. */
export const PATHS: SplitterOptions = { separator: 0, limit: 16 * 1024, mark: Buffer.from('\0') };

/**
 * Gathers a page of files from `rg --files-with-matches --null`, or from `rg --count --null`, which gives
 * `path NUL count` and a line end: there a record begins with the count of the path before it.
 */
export class PageOfFiles {
  private readonly files: FirstByPath<GrepFile>;
  private counted: FoundPath | undefined;

  /** @param accepts whether a file is wanted, by its name. */
  constructor(
    private readonly query: GrepFilesQuery,
    private readonly accepts: (name: string) => boolean,
  ) {
    this.files = new FirstByPath(query.offset + query.limit + 1);
  }

  /** Takes the next record. */
  add({ head, complete }: StreamRecord): void {
    if (!this.query.counts) {
      if (complete) this.take(foundPath(head));
      return;
    }
    const count = /^(\d+)\r?\n/.exec(head.toString('latin1', 0, 24));
    if (this.counted !== undefined && count !== null) this.take(this.counted, Number(count[1]));
    const path = head.subarray(count?.[0].length ?? 0);
    this.counted = complete && path.length > 0 ? foundPath(path) : undefined;
  }

  /** The page in order, and whether more follows. */
  end(): { readonly files: readonly GrepFile[]; readonly skipped: number; readonly truncated: boolean } {
    const { offset, limit } = this.query;
    const files = this.files.inOrder();
    return { files: files.slice(offset, offset + limit), skipped: Math.min(offset, files.length), truncated: files.length > offset + limit };
  }

  private take({ key, name }: FoundPath, count?: number): void {
    if (!this.files.wants(key) || !this.accepts(name)) return;
    this.files.add({ key, weight: 1, value: { path: name, ...(count === undefined ? {} : { count }) } });
  }
}
