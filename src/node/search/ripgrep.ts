import { present } from '../../domain/present.js';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import type {
  GlobQuery,
  GlobResult,
  GrepFile,
  GrepFilesQuery,
  GrepFilesResult,
  GrepFilter,
  GrepQuery,
  GrepResult,
  MayShow,
  Search,
} from '../../domain/workspace/search.js';
import { fileProblem } from '../files/file-errors.js';
import { compileGlob, compileGlobs, type Glob } from './glob-match.js';
import { FirstByPath, MESSAGES, PageOfLines } from './ripgrep-lines.js';
import { type FoundPath, foundPath, pathBelow } from './ripgrep-path.js';
import { type RipgrepEnd, type RipgrepRun, runRipgrep, type SplitterOptions, type StreamRecord } from './run-ripgrep.js';

/**
 * {@link Search} by ripgrep.
 * @param program absolute path of `rg`; asked for at each search, so that one that is missing breaks nothing else.
 * @param guard makes, for each search, what says whether the contents of a file may be shown. A file that the search names itself
 *   is shown in any case; which names may be shown, a search for names says itself.
 */
export function createRipgrepSearch(program: () => Promise<string>, guard: () => Promise<MayShow> = () => Promise.resolve(() => true)): Search {
  return {
    grep: async (query, signal) => grep({ program: await program(), mayShow: await guard() }, query, signal),
    grepFiles: async (query, signal) => grepFiles({ program: await program(), mayShow: await guard() }, query, signal),
    glob: async (query, signal) => glob(await program(), query, signal),
    searched: async (folder, looked, signal) => searched(await program(), { folder, ...looked }, signal),
  };
}

interface Searcher {
  readonly program: string;
  readonly mayShow: MayShow;
}

async function grep({ program, mayShow }: Searcher, query: GrepQuery, signal: AbortSignal): Promise<GrepResult> {
  const { filter, accepts } = filterOf(query, mayShow);
  const page = new PageOfLines(query, accepts);
  const show = ['--json', `--max-count=${query.offset + query.limit + 1}`, `--before-context=${query.before}`, `--after-context=${query.after}`];
  const onRecord = (record: StreamRecord): boolean => {
    page.add(record);
    return true;
  };
  const end = await runGrep({ program, args: [...show, ...grepArguments(query, filter)], cwd: await folderOf(query.path), split: MESSAGES, onRecord }, signal);
  const result = page.end();
  return { ...result, ...judged(end, result) };
}

async function grepFiles({ program, mayShow }: Searcher, query: GrepFilesQuery, signal: AbortSignal): Promise<GrepFilesResult> {
  const { filter, accepts } = filterOf(query, mayShow);
  const page = new PageOfFiles(query, accepts);
  const show = [query.counts ? '--count' : '--files-with-matches', '--with-filename', '--null'];
  const onRecord = (record: StreamRecord): boolean => {
    page.add(record);
    return true;
  };
  const end = await runGrep({ program, args: [...show, ...grepArguments(query, filter)], cwd: await folderOf(query.path), split: PATHS, onRecord }, signal);
  const result = page.end();
  return { ...result, ...judged(end, result) };
}

/** What ripgrep says of a pattern that only its second engine, PCRE2, can match; nothing was searched then. */
const NEEDS_PCRE2 = /error: (?:look-around|backreferences)/;
const NO_PCRE2 = /PCRE2 is not available/;

interface GrepEnd extends RipgrepEnd {
  /** Whether it took PCRE2. */
  readonly hard?: true;
}

/**
 * Searches with ripgrep's own engine, which takes linear time, and only where that cannot match the pattern with PCRE2,
 * which gives up on a file in which it has to try too much.
 * @throws ToolInputError where this ripgrep has no PCRE2.
 */
async function runGrep(run: RipgrepRun, signal: AbortSignal): Promise<GrepEnd> {
  const end = await runRipgrep(run, signal);
  if (end.code !== 2 || !NEEDS_PCRE2.test(end.message)) return end;
  const second = await runRipgrep({ ...run, args: ['--pcre2', ...run.args] }, signal);
  if (second.code === 2 && NO_PCRE2.test(second.message)) {
    throw new ToolInputError(
      'The ripgrep here has no look-around and no back-references. ' +
        'Search for a simpler pattern and sort the matches out yourself, or pipe one grep into another with a command.',
    );
  }
  return { ...second, hard: true };
}

async function glob(program: string, { pattern, path, limit, accepts }: GlobQuery, signal: AbortSignal): Promise<GlobResult> {
  const filter = compileGlob(pattern);
  const below = pathBelow(path);
  const paths: string[] = [];
  const end = await runRipgrep(
    {
      program,
      args: filesArguments(path, filter),
      cwd: await folderOf(path),
      split: PATHS,
      onRecord: ({ head, complete }) => {
        const { name } = foundPath(head);
        if (complete && filter.matches(below(name)) && accepts?.(name) !== false) paths.push(name);
        return paths.length <= limit;
      },
    },
    signal,
  );
  const result = { paths: paths.slice(0, limit), truncated: paths.length > limit };
  return { ...result, ...judged(end, result) };
}

/** Milliseconds that it may take to find out which things in a folder are ignored. */
const SEARCHED_LIMIT_MS = 1_500;

interface LookedThrough {
  readonly folder: string;
  readonly amount: number;
  readonly accepts: MayShow;
}

/** Looks at all files below the folder, since a folder that is not ignored itself may hold nothing else than what is. */
async function searched(program: string, { folder, amount, accepts }: LookedThrough, signal: AbortSignal): Promise<ReadonlySet<string> | undefined> {
  const below = pathBelow(folder);
  const names = new Set<string>();
  const limit = AbortSignal.timeout(SEARCHED_LIMIT_MS);
  const onRecord = ({ head, complete }: StreamRecord): boolean => {
    const { name } = foundPath(head);
    if (complete && accepts(name)) names.add(below(name).split('/')[0] ?? '');
    return names.size < amount;
  };
  try {
    await runRipgrep(
      { program, args: ['--files', '--null', ...SCOPE, '--', folder], cwd: await folderOf(folder), split: PATHS, onRecord },
      AbortSignal.any([signal, limit]),
    );
    return names;
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    return undefined;
  }
}

function filterOf({ globs, path }: GrepFilter, mayShow: MayShow): { filter: ReturnType<typeof compileGlobs>; accepts: (name: string) => boolean } {
  const filter = compileGlobs(globs);
  const below = pathBelow(path);
  return { filter, accepts: (name) => filter?.matches(below(name)) !== false && (name === path || mayShow(name)) };
}

/**
 * Whether there is more, seen from how ripgrep ended.
 * @throws ToolInputError when it refused the search; single files that cannot be read make it fail without a word.
 */
function judged({ code, message, hard }: GrepEnd, { truncated }: { truncated: boolean }): { truncated: boolean; note?: string } {
  if (code === 2 && message.trim() !== '') throw new ToolInputError(`ripgrep cannot search: ${message.trim()}`);
  const more = truncated || code === undefined;
  // Said in any case: a pattern that takes too long only where it begins to fit would reveal content of a file that may not be shown.
  if (hard === true) return { truncated: more, note: 'Files that cannot be read, or in which this pattern takes too long, are left out.' };
  return code === 2 ? { truncated: more, note: 'Some files could not be read.' } : { truncated: more };
}

async function folderOf(path: string): Promise<string> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fileProblem(path, error);
  });
  if (stats.isDirectory()) return path;
  if (!stats.isFile()) throw new ToolInputError(`${path} is neither a folder nor a file.`);
  return dirname(path);
}

/** Hidden files count, ignore files apply with or without git, and git's own folder is left out. */
const SCOPE = ['--no-messages', '--hidden', '--no-require-git', '--glob=!.git'];
/** Longest pattern, in characters; systems limit the arguments of a program. */
const MAX_PATTERN = 20_000;

/** The arguments for a search of lines, but for how to show them; ends with the path. */
function grepArguments(query: GrepFilter, filter: Glob | undefined): readonly string[] {
  return [...SCOPE, '--crlf', ...switches(query), ...fileTypes(query, filter), `--regexp=${checkedPattern(query.pattern)}`, '--', query.path];
}

/** The arguments for a list of files, newest first; ends with the path. */
function filesArguments(path: string, filter: Glob): readonly string[] {
  return ['--files', '--null', '--sortr=modified', ...SCOPE, ...nameFilter(filter), '--', path];
}

function switches({ literal, ignoreCase, word, multiline, ignored }: GrepFilter): readonly string[] {
  return [
    ...(literal ? ['--fixed-strings'] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(word ? ['--word-regexp'] : []),
    ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(ignored ? ['--no-ignore'] : []),
  ];
}

/** A type given by the query excludes one of our own: ripgrep takes files of either. */
function fileTypes({ type }: GrepFilter, filter: Glob | undefined): readonly string[] {
  if (type === undefined) return filter === undefined ? [] : nameFilter(filter);
  if (!/^[\w-]+$/.test(type)) throw new ToolInputError(`“${type}” is no type of files. ripgrep knows such as ts, py, rust, md.`);
  return [`--type=${type}`];
}

/** The file names of a glob as a file type: unlike `--glob`, that brings no ignored file back. The rest is for us. */
function nameFilter({ names }: Glob): readonly string[] {
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

function checkedPattern(pattern: string): string {
  if (pattern.length > MAX_PATTERN) throw new ToolInputError(`The pattern is longer than ${MAX_PATTERN} characters.`);
  if (pattern.includes('\0')) throw new ToolInputError('The pattern holds a NUL. Write \\x00 for that character.');
  return pattern;
}

/** A NUL ends each path. */
const PATHS: SplitterOptions = { separator: 0, limit: 16 * 1024, mark: Buffer.from('\0') };

/**
 * Gathers a page of files from `rg --files-with-matches --null`, or from `rg --count --null`, which gives
 * `path NUL count` and a line end: there a record begins with the count of the path before it.
 */
class PageOfFiles {
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
    this.files.add({ key, weight: 1, value: { path: name, ...present({ count }) } });
  }
}
