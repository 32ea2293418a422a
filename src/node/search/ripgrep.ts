import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import type { GlobQuery, GlobResult, GrepFilesQuery, GrepFilesResult, GrepFilter, GrepQuery, GrepResult, MayShow, Search } from '../../domain/workspace/search.js';
import { fileProblem } from '../files/file-problem.js';
import { compileGlob } from './glob-match.js';
import { compileGlobs } from './glob-set.js';
import { filesArguments, grepArguments } from './ripgrep-arguments.js';
import { PageOfFiles, PATHS } from './ripgrep-files.js';
import { PageOfLines } from './ripgrep-lines.js';
import { MESSAGES } from './ripgrep-match.js';
import { foundPath, pathBelow } from './ripgrep-path.js';
import type { RipgrepEnd } from './run-ripgrep.js';
import { runRipgrep } from './run-ripgrep.js';

/**
 * {@link Search} by ripgrep.
 * @param program absolute path of `rg`; asked for at each search, so that one that is missing breaks nothing else.
 * @param guard makes, for each search, what says whether the contents of a file may be shown. Names are shown in any case,
 *   and a file that the search names itself.
 */
export function createRipgrepSearch(program: () => Promise<string>, guard: () => Promise<MayShow> = () => Promise.resolve(() => true)): Search {
  return {
    grep: async (query, signal) => grep({ program: await program(), mayShow: await guard() }, query, signal),
    grepFiles: async (query, signal) => grepFiles({ program: await program(), mayShow: await guard() }, query, signal),
    glob: async (query, signal) => glob(await program(), query, signal),
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
  const end = await runRipgrep(
    {
      program,
      args: [...show, ...grepArguments(query, filter)],
      cwd: await folderOf(query.path),
      split: MESSAGES,
      onRecord: (record) => {
        page.add(record);
        return true;
      },
    },
    signal,
  );
  const result = page.end();
  return { ...result, ...judged(end, result) };
}

async function grepFiles({ program, mayShow }: Searcher, query: GrepFilesQuery, signal: AbortSignal): Promise<GrepFilesResult> {
  const { filter, accepts } = filterOf(query, mayShow);
  const page = new PageOfFiles(query, accepts);
  const show = [query.counts ? '--count' : '--files-with-matches', '--with-filename', '--null'];
  const end = await runRipgrep(
    {
      program,
      args: [...show, ...grepArguments(query, filter)],
      cwd: await folderOf(query.path),
      split: PATHS,
      onRecord: (record) => {
        page.add(record);
        return true;
      },
    },
    signal,
  );
  const result = page.end();
  return { ...result, ...judged(end, result) };
}

async function glob(program: string, { pattern, path, limit }: GlobQuery, signal: AbortSignal): Promise<GlobResult> {
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
        if (complete && filter.matches(below(name))) paths.push(name);
        return paths.length <= limit;
      },
    },
    signal,
  );
  const result = { paths: paths.slice(0, limit), truncated: paths.length > limit };
  return { ...result, ...judged(end, result) };
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
function judged({ code, message }: RipgrepEnd, { truncated }: { truncated: boolean }): { truncated: boolean; note?: string } {
  if (code === 2 && message.trim() !== '') throw new ToolInputError(`ripgrep cannot search: ${message.trim()}`);
  const more = truncated || code === undefined;
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
