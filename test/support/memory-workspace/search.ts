import picomatch from 'picomatch';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { GrepLine, GrepQuery, Search } from '../../../src/domain/search.js';
import type { MemoryDocuments } from './documents.js';

/** Searches the in-memory files with JavaScript's regular expressions; knows no ignore files. */
export function createMemorySearch(documents: MemoryDocuments): Search {
  const below = (folder: string): readonly string[] =>
    documents.paths().filter((path) => path === folder || path.startsWith(folder.replace(/\/?$/, '/')));
  return {
    async grep(query, signal) {
      signal.throwIfAborted();
      await Promise.resolve();
      const files = below(query.path).filter((path) => query.glob === undefined || matches(query.glob, query.path, path));
      const lines = files.flatMap((path) => grepFile(path, documents.text(path), query));
      const kept = lines.filter((line, index) => matchesBefore(lines, index) < query.limit || !line.match);
      return { lines: kept, truncated: kept.length < lines.length };
    },
    async glob(query, signal) {
      signal.throwIfAborted();
      await Promise.resolve();
      const paths = below(query.path).filter((path) => matches(query.pattern, query.path, path));
      return { paths: paths.slice(0, query.limit), truncated: paths.length > query.limit };
    },
  };
}

function matchesBefore(lines: readonly GrepLine[], index: number): number {
  return lines.slice(0, index).filter((line) => line.match).length;
}

function matches(pattern: string, folder: string, path: string): boolean {
  const options = { dot: true, matchBase: !pattern.includes('/') };
  return picomatch(pattern, options)(path.slice(folder.replace(/\/?$/, '/').length));
}

function grepFile(path: string, text: string, query: GrepQuery): readonly GrepLine[] {
  const pattern = compile(query);
  const lines = text.replace(/\n$/, '').split('\n');
  const hits = lines.map((line) => pattern.test(line));
  return lines.flatMap((line, index) => {
    const near = hits.slice(Math.max(index - query.context, 0), index + query.context + 1).includes(true);
    return near ? [{ path, line: index + 1, text: line, match: hits[index] === true }] : [];
  });
}

function compile(query: GrepQuery): RegExp {
  try {
    return new RegExp(query.pattern, query.ignoreCase ? 'i' : '');
  } catch (error) {
    throw new ToolInputError(`The pattern cannot be compiled: ${String(error)}`);
  }
}
