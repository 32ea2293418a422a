import picomatch from 'picomatch';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { GrepFilter, GrepLine, GrepQuery, Search } from '../../../src/domain/workspace/search.js';
import type { MemoryDocuments } from './documents.js';

/** Searches the in-memory files with JavaScript's regular expressions; knows no ignore files and no types. */
export function createMemorySearch(documents: MemoryDocuments): Search {
  const below = (folder: string): readonly string[] => documents.paths().filter((path) => path === folder || path.startsWith(folder.replace(/\/?$/, '/')));
  const filesOf = async (query: GrepFilter, signal: AbortSignal): Promise<readonly string[]> => {
    signal.throwIfAborted();
    await Promise.resolve();
    return below(query.path).filter((path) => query.globs.every((glob) => matches(glob, query.path, path)));
  };
  return {
    async grep(query, signal) {
      const lines = (await filesOf(query, signal)).flatMap((path) => grepFile(path, documents.text(path), query));
      const all = lines.filter((line) => line.match);
      const page = all.slice(query.offset, query.offset + query.limit);
      const kept = lines.filter((line) => page.includes(line) || (!line.match && page.some((match) => isNear(match, line, query))));
      return { lines: kept, skipped: Math.min(query.offset, all.length), truncated: all.length > query.offset + query.limit };
    },
    async grepFiles(query, signal) {
      const counted = (await filesOf(query, signal)).map((path) => ({ path, count: countOf(documents.text(path), query) }));
      const files = counted.filter(({ count }) => count > 0).map((file) => (query.counts ? file : { path: file.path }));
      const { offset, limit } = query;
      const end = { skipped: Math.min(offset, files.length), truncated: files.length > offset + limit };
      return { files: files.slice(offset, offset + limit), ...end };
    },
    async glob(query, signal) {
      signal.throwIfAborted();
      await Promise.resolve();
      const paths = below(query.path).filter((path) => matches(query.pattern, query.path, path) && query.accepts?.(path) !== false);
      return { paths: paths.slice(0, query.limit), truncated: paths.length > query.limit };
    },
  };
}

function isNear(match: GrepLine, line: GrepLine, { before, after }: GrepQuery): boolean {
  return line.path === match.path && line.line >= match.line - before && line.line <= match.line + after;
}

function countOf(text: string, query: GrepFilter): number {
  return grepFile('', text, { ...query, before: 0, after: 0 }).length;
}

function matches(pattern: string, folder: string, path: string): boolean {
  const options = { dot: true, matchBase: !pattern.includes('/') };
  return picomatch(pattern, options)(path.slice(folder.replace(/\/?$/, '/').length));
}

function grepFile(path: string, text: string, query: GrepFilter & { before: number; after: number }): readonly GrepLine[] {
  const pattern = compile(query);
  const lines = text.replace(/\n$/, '').split('\n');
  const hits = lines.map((line) => pattern.test(line));
  return lines.flatMap((line, index) => {
    const near = hits.slice(Math.max(index - query.after, 0), index + query.before + 1).includes(true);
    return near ? [{ path, line: index + 1, text: line, match: hits[index] === true }] : [];
  });
}

function compile(query: GrepFilter): RegExp {
  try {
    return new RegExp(query.pattern, query.ignoreCase ? 'i' : '');
  } catch (error) {
    throw new ToolInputError(`The pattern cannot be compiled: ${String(error)}`);
  }
}
