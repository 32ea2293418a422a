import type { GrepFilesResult, GrepLine, GrepResult, SearchEnd } from '../../domain/workspace/search.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { displayBelow } from './search-roots.js';
import { cutLine } from '../../text/show.js';

const LINE_CHARACTERS = 400;
const RESULT_CHARACTERS = 40_000;

/** One page of results, by the folders they were found in. */
export interface Found<R> {
  /** How many results come before the page. */
  readonly offset: number;
  readonly parts: readonly { readonly root: FileLocation; readonly result: R }[];
  /** There are more results after the page, or may be. */
  readonly truncated: boolean;
}

/** A line of the report and how many results it represents. */
interface Row {
  readonly text: string;
  readonly results: number;
}

/** Matching lines below the names of their files, `:` after the number of a match, `-` after that of context. */
export function reportLines(found: Found<GrepResult>): string {
  return report(found, found.parts.flatMap(({ root, result }) => rowsOf(root, result.lines)));
}

/** Names of files, each with its count where there is one. */
export function reportFiles(found: Found<GrepFilesResult>): string {
  const rows = found.parts.flatMap(({ root, result }) =>
    result.files.map(({ path, count }) => ({ text: displayBelow(root, path) + (count === undefined ? '' : `:${count}`), results: 1 })),
  );
  return report(found, rows);
}

function report(found: Found<SearchEnd>, rows: readonly Row[]): string {
  const shown: string[] = [];
  let characters = 0;
  let next = found.offset;
  for (const { text, results } of rows) {
    characters += text.length + 1;
    if (characters > RESULT_CHARACTERS) break;
    shown.push(text);
    next += results;
  }
  const notes = [...new Set(found.parts.flatMap(({ result }) => result.note ?? []))].map((note) => `[${note}]`);
  if (shown.length === 0) return [found.offset === 0 ? nothing(found.truncated) : `No matches after the first ${found.offset}.`, ...notes].join('\n');
  const partial = shown.length < rows.length || found.truncated;
  const goOn = `[PARTIAL: there are more matches. Narrow the pattern, path or glob, or go on with offset ${next}.]`;
  return [...shown, ...(partial ? [goOn] : []), ...notes].join('\n');
}

function nothing(truncated: boolean): string {
  return truncated ? 'No matches in the time a search may take; not everything was searched. Narrow the path or glob.' : 'No matches.';
}

function rowsOf(root: FileLocation, lines: readonly GrepLine[]): readonly Row[] {
  const context = lines.some((line) => !line.match);
  let previous: GrepLine | undefined;
  return lines.flatMap((line) => {
    const sameFile = previous?.path === line.path;
    const gap = sameFile && previous !== undefined && line.line > previous.line + 1;
    previous = line;
    const text = `${line.line}${line.match ? ':' : '-'}${cutLine(line.text, LINE_CHARACTERS)}`;
    const before = [...(sameFile ? [] : [displayBelow(root, line.path)]), ...(gap && context ? ['--'] : [])];
    return [...before.map((row) => ({ text: row, results: 0 })), { text, results: line.match ? 1 : 0 }];
  });
}
