import type { GrepLine, GrepQuery } from '../../domain/workspace/search.js';
import { FirstByPath } from './first-by-path.js';
import type { StreamRecord } from './record-splitter.js';
import { beginOf, kindOf, linesOf } from './ripgrep-match.js';
import type { FoundPath } from './ripgrep-path.js';

/** Lines of one file; ripgrep gives those of a file together. */
interface FileLines {
  readonly path: FoundPath;
  readonly lines: GrepLine[];
  matches: number;
}

/** Gathers the lines of a page from the messages of `rg --json`, which searches files side by side, in any order. */
export class PageOfLines {
  private readonly files: FirstByPath<FileLines>;
  private current: FileLines | undefined;

  /** @param accepts whether lines of a file are wanted, by its name. */
  constructor(
    private readonly query: GrepQuery,
    private readonly accepts: (name: string) => boolean,
  ) {
    this.files = new FirstByPath(query.offset + query.limit + 1);
  }

  /** Takes the next message. */
  add(record: StreamRecord): void {
    const kind = kindOf(record);
    if (kind === undefined) return;
    if (kind === 'begin') this.begin(beginOf(record));
    else if (this.current !== undefined) this.addLines(this.current, record, kind === 'match');
  }

  /** The page in order, and whether more follows. */
  end(): { readonly lines: readonly GrepLine[]; readonly skipped: number; readonly truncated: boolean } {
    this.closeFile();
    const { offset, limit } = this.query;
    let matches = 0;
    const lines = this.files.inOrder().flatMap((file) => {
      const start = matches;
      matches += file.matches;
      return start >= offset && matches <= offset + limit ? file.lines : this.shownOf(file, start);
    });
    return { lines, skipped: Math.min(offset, matches), truncated: matches > offset + limit };
  }

  private begin(path: FoundPath | undefined): void {
    this.closeFile();
    const wanted = path !== undefined && this.files.wants(path.key) && this.accepts(path.name);
    this.current = wanted ? { path, lines: [], matches: 0 } : undefined;
  }

  private addLines(file: FileLines, record: StreamRecord, match: boolean): void {
    const { line = 0, texts = [] } = linesOf(record) ?? {};
    // A match of very many lines is cut like very many matches.
    const kept = texts.slice(0, this.query.offset + this.query.limit + 1);
    file.lines.push(...kept.map((text, index) => ({ path: file.path.name, line: line + index, text, match })));
    if (match) file.matches += kept.length;
  }

  private closeFile(): void {
    const { current } = this;
    if (current !== undefined) this.files.add({ key: current.path.key, weight: current.matches, value: current });
    this.current = undefined;
  }

  /** The lines of a file of which only some belong to the page; other lines stay where they are context of those. */
  private shownOf(file: FileLines, start: number): readonly GrepLine[] {
    const { offset, limit, before, after } = this.query;
    const shown = file.lines.filter(({ match }) => match).slice(Math.max(offset - start, 0), Math.max(offset + limit - start, 0));
    const near = (line: number): boolean => shown.some((match) => line >= match.line - before && line <= match.line + after);
    const numbers = new Set(shown.map(({ line }) => line));
    return file.lines.flatMap((line) => (numbers.has(line.line) ? [line] : near(line.line) ? [{ ...line, match: false }] : []));
  }
}
