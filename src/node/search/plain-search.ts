import { ToolInputError } from '../../domain/errors.js';
import type { GrepFilter, GrepLine, Page, Search } from '../../domain/workspace/search.js';
import { compileGlob, compileGlobs } from './glob-match.js';
import { pathBelow } from './ripgrep-path.js';
import { createContext, Script } from 'node:vm';

/** Files that one search looks at, and how long it may take, in milliseconds. */
const MAX_FILES = 5_000;
const TIME_LIMIT_MS = 20_000;
const NOTE = 'Searched without ripgrep: what ignore files name is not left out, files over 1 MB are, and at most 5,000 files are searched.';

/** Where files come from when there is no ripgrep. */
export interface FileSource {
  /** Absolute paths of files below a folder, or the path itself when it is a file. */
  list(path: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /** The text of a file; `undefined` when it is too large, not text or gone. */
  read(path: string): Promise<string | undefined>;
  /** When a file was last changed, in milliseconds; 0 when that is not known. */
  modified(path: string): Promise<number>;
}

/** {@link Search} file by file, slow and bounded, for where ripgrep cannot be used. Every result says so. */
export function createPlainSearch(source: FileSource): Search {
  return {
    async grep(query, signal) {
      const found = await matches(source, query, signal);
      const all = found.files.flatMap(({ path, lines, hits }) => linesNear(path, lines, { hits, ...query }));
      const shown = pageOf(all, query);
      return { lines: shown.lines, skipped: shown.skipped, truncated: shown.truncated || found.cut, note: NOTE };
    },
    async grepFiles(query, signal) {
      const { files, cut } = await matches(source, query, signal);
      const { offset, limit } = query;
      const page = files.slice(offset, offset + limit).map(({ path, hits }) => ({ path, ...(query.counts ? { count: hits.size } : {}) }));
      return { files: page, skipped: Math.min(offset, files.length), truncated: cut || files.length > offset + limit, note: NOTE };
    },
    async glob({ pattern, path, limit, accepts }, signal) {
      const glob = compileGlob(pattern);
      const below = pathBelow(path);
      const listed = await source.list(path, MAX_FILES + 1, signal);
      const fitting = listed.slice(0, MAX_FILES).filter((file) => glob.matches(below(file)) && accepts?.(file) !== false);
      const dated = await Promise.all(fitting.map(async (file) => ({ file, time: await source.modified(file) })));
      const paths = dated.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
      return { paths: paths.slice(0, limit), truncated: paths.length > limit || listed.length > MAX_FILES, note: NOTE };
    },
  };
}

interface FileHits {
  readonly path: string;
  readonly lines: readonly string[];
  readonly hits: ReadonlySet<number>;
}

/** The files that contain matches, in order, until there are more results than are wanted. */
async function matches(source: FileSource, query: GrepFilter & Page, signal: AbortSignal): Promise<{ files: readonly FileHits[]; cut: boolean }> {
  if (query.type !== undefined) throw new ToolInputError('type needs ripgrep, which is missing here. Use glob instead.');
  const globs = compileGlobs(query.globs);
  const below = pathBelow(query.path);
  const match = createLineMatcher(query);
  const deadline = performance.now() + TIME_LIMIT_MS;
  const listed = await source.list(query.path, MAX_FILES + 1, signal);
  const files: FileHits[] = [];
  let results = 0;
  for (const path of listed
    .slice(0, MAX_FILES)
    .filter((file) => globs?.matches(below(file)) !== false)
    .sort()) {
    signal.throwIfAborted();
    if (performance.now() > deadline || results > query.offset + query.limit) return { files, cut: true };
    const lines = (await source.read(path))?.replace(/\r?\n$/, '').split(/\r?\n/) ?? [];
    const hits = match(lines);
    if (hits.size === 0) continue;
    files.push({ path, lines, hits });
    results += 'counts' in query ? 1 : hits.size;
  }
  return { files, cut: listed.length > MAX_FILES };
}

interface Around {
  readonly hits: ReadonlySet<number>;
  readonly before: number;
  readonly after: number;
}

function linesNear(path: string, lines: readonly string[], { hits, before, after }: Around): readonly GrepLine[] {
  const near = new Set([...hits].flatMap((hit) => Array.from({ length: before + after + 1 }, (_, index) => hit - before + index)));
  return lines.flatMap((text, at) => (near.has(at) ? [{ path, line: at + 1, text, match: hits.has(at) }] : []));
}

/** The matching lines of a page, and the context between and beside them. */
function pageOf(all: readonly GrepLine[], { offset, limit }: Page): { lines: readonly GrepLine[]; skipped: number; truncated: boolean } {
  const numbers: number[] = [];
  for (const [index, line] of all.entries()) if (line.match) numbers.push(index);
  const end = numbers[offset + limit] ?? all.length;
  const start = offset === 0 ? 0 : (numbers[offset] ?? end);
  return { lines: all.slice(start, end), skipped: Math.min(offset, numbers.length), truncated: numbers.length > offset + limit };
}

/** How long a pattern may take on one file, in milliseconds. */
const LINE_LIMIT_MS = 1_000;

const LINES = new Script('Array.from(lines.keys()).filter((at) => regexp.test(lines[at]));');
const SPANS = new Script('Array.from(lines.join("\\n").matchAll(regexp), (match) => [match.index, match.index + match[0].length]);');

/**
 * Finds the lines that fit a pattern with JavaScript's own regular expressions, for where there is no ripgrep. They run
 * where they can be interrupted: a hostile pattern can take for ever.
 * @throws ToolInputError for a pattern that cannot be compiled, and by what is returned for one that takes too long.
 */
function createLineMatcher(filter: GrepFilter): (lines: readonly string[]) => ReadonlySet<number> {
  const regexp = compile(filter);
  const sandbox: { regexp: RegExp; lines: readonly string[] } = { regexp, lines: [] };
  const context = createContext(sandbox);
  const run = (script: Script): unknown => {
    try {
      return script.runInContext(context, { timeout: LINE_LIMIT_MS });
    } catch (error) {
      // The error is of the context, so it is no instance of an Error here.
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new ToolInputError('The pattern takes too long. Use a simpler one.');
    }
  };
  return (lines) => {
    sandbox.lines = lines;
    if (!filter.multiline) return new Set(run(LINES) as number[]);
    return linesOfSpans(lines, run(SPANS) as (readonly [number, number])[]);
  };
}

function compile({ pattern, literal, word, ignoreCase, multiline }: GrepFilter): RegExp {
  const [, inline = '', rest = pattern] = literal ? [] : (/^\(\?([ims]+)\)([^]*)$/.exec(pattern) ?? []);
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : rest;
  const wanted = inline + (ignoreCase ? 'i' : '') + (multiline ? 'gms' : '');
  const flags = ['g', 'i', 'm', 's'].filter((flag) => wanted.includes(flag)).join('');
  try {
    return new RegExp(word ? `\\b(?:${source})\\b` : source, flags);
  } catch (error) {
    throw new ToolInputError(`The pattern cannot be used: ${String(error)}`);
  }
}

/** Numbers, from 0, of the lines that spans of the whole text touch. */
function linesOfSpans(lines: readonly string[], spans: readonly (readonly [number, number])[]): ReadonlySet<number> {
  const hits = new Set<number>();
  let line = 0;
  let start = 0;
  for (const [from, to] of spans) {
    while (line < lines.length - 1 && start + (lines[line]?.length ?? 0) < from) start += (lines[line++]?.length ?? 0) + 1;
    for (let at = line, place = start; at < lines.length && (at === line || place < to); at += 1) {
      hits.add(at);
      place += (lines[at]?.length ?? 0) + 1;
    }
  }
  return hits;
}
