import { stat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { ToolInputError } from '../domain/errors.js';
import type { GlobQuery, GlobResult, GrepLine, GrepQuery, GrepResult, Search } from '../domain/search.js';
import { fileProblem } from './file-problem.js';
import type { Glob } from './glob-match.js';
import { compileGlob } from './glob-match.js';
import { newestFirst } from './newest-first.js';
import { lineOf, MESSAGES } from './ripgrep-match.js';
import { runRipgrep } from './run-ripgrep.js';

/** Paths that are collected before the newest are chosen. */
const MAX_COLLECTED = 50_000;
/** Hidden files count, ignore files hold with or without git, and git's own folder is left out. */
const SCOPE = ['--hidden', '--no-require-git', '--glob', '!.git'];
const PATHS = { separator: 0, limit: 16 * 1024, mark: Buffer.from('\0') };

/**
 * {@link Search} by ripgrep.
 * @param program absolute path of `rg`; asked for at each search, so that one that is missing breaks nothing else.
 */
export function createRipgrepSearch(program: () => Promise<string>): Search {
  return {
    grep: async (query, signal) => grep(await program(), query, signal),
    glob: async (query, signal) => glob(await program(), query, signal),
  };
}

async function grep(program: string, query: GrepQuery, signal: AbortSignal): Promise<GrepResult> {
  const filter = query.glob === undefined ? undefined : compileGlob(query.glob);
  const lines: GrepLine[] = [];
  const counted = { matches: 0 };
  const { code, message } = await runRipgrep(
    {
      program,
      args: [...grepArguments(query), ...nameFilter(filter), '--', query.path],
      cwd: await folderOf(query.path),
      split: MESSAGES,
      onRecord: (record) => {
        const line = lineOf(record);
        if (line === undefined || filter?.matches(below(query.path, line.path)) === false) return true;
        if (line.match) counted.matches += 1;
        if (counted.matches > query.limit) return false;
        lines.push(line);
        return true;
      },
    },
    signal,
  );
  if (code === 2 && lines.length === 0) throw patternProblem(message);
  return { lines: inOrder(lines), truncated: code === undefined };
}

function grepArguments(query: GrepQuery): readonly string[] {
  const options = ['--json', '--crlf', '--no-messages', ...SCOPE, '--max-count', String(query.limit + 1)];
  if (query.ignoreCase) options.push('--ignore-case');
  if (query.context > 0) options.push('--context', String(query.context));
  return [...options, '-e', query.pattern];
}

/** The file names of a glob as a file type: unlike `--glob`, that brings no ignored file back. The rest is for us. */
function nameFilter(filter: Glob | undefined): readonly string[] {
  if (filter?.names === undefined) return [];
  return [...filter.names.flatMap((name) => ['--type-add', `wanted:${name}`]), '--type', 'wanted'];
}

async function glob(program: string, query: GlobQuery, signal: AbortSignal): Promise<GlobResult> {
  const pattern = compileGlob(query.pattern);
  const found: string[] = [];
  const { code, message } = await runRipgrep(
    {
      program,
      args: ['--files', '--null', '--no-messages', ...SCOPE, ...nameFilter(pattern), '--', query.path],
      cwd: await folderOf(query.path),
      split: PATHS,
      onRecord: ({ head, complete }) => {
        const path = head.toString('utf8');
        if (complete && pattern.matches(below(query.path, path))) found.push(path);
        return found.length < MAX_COLLECTED;
      },
    },
    signal,
  );
  if (code === 2 && found.length === 0) throw patternProblem(message);
  const paths = await newestFirst(found);
  return { paths: paths.slice(0, query.limit), truncated: paths.length > query.limit || code === undefined };
}

async function folderOf(path: string): Promise<string> {
  try {
    return (await stat(path)).isDirectory() ? path : dirname(path);
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** The path as a glob sees it: relative to where the search began, the name alone when that is the file itself. */
function below(root: string, path: string): string {
  const rest = relative(root, path);
  return rest === '' ? basename(path) : rest.split(sep).join('/');
}

/** ripgrep searches files side by side; those that were searched come out by path. The order within each stays. */
function inOrder(lines: readonly GrepLine[]): readonly GrepLine[] {
  return [...lines].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

function patternProblem(message: string): Error {
  const text = message.trim();
  return text === '' ? new ToolInputError('Nothing there could be read.') : new ToolInputError(`ripgrep cannot search: ${text}`);
}
