import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import type { GrepFilter, Page, Search, SearchEnd, GrepFilesResult, GrepLine, GrepResult } from '../domain/workspace/search.js';
import type { Tool, ToolResult } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { fileAccess, named } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, notedResult } from './calls/define.js';
import type { RunContext, Sealed } from './calls/sealed.js';
import { checkRoots, patternBelow, searchRoots, searchSubject, displayBelow } from './searching/search-roots.js';
import { cutLine } from '../text/show.js';

/** Results that one call gives when nothing is said, and at most. */
const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;
const MAX_OFFSET = 10_000;
const MAX_CONTEXT = 50;

const modes = ['content', 'files_with_matches', 'count'] as const;
const schema = z.strictObject({
  pattern: z.string(),
  path: z.optional(z.string()),
  glob: z.optional(z.string()),
  type: z.optional(z.string()),
  output_mode: z.optional(z.enum(modes)),
  '-i': z.optional(z.boolean()),
  '-w': z.optional(z.boolean()),
  '-F': z.optional(z.boolean()),
  '-A': z.optional(z.number()),
  '-B': z.optional(z.number()),
  '-C': z.optional(z.number()),
  multiline: z.optional(z.boolean()),
  no_ignore: z.optional(z.boolean()),
  head_limit: z.optional(z.number()),
  offset: z.optional(z.number()),
});
type Args = z.infer<typeof schema>;

/** The names are those of ripgrep's own switches. Each word costs in every request. */
const spec = {
  name: 'grep',
  description: 'Search text with ripgrep, ordered by path',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Regular expression' },
      path: { type: 'string', description: 'File or folder; default: the workspace' },
      glob: { type: 'string', description: 'Such as "*.ts !*.d.ts"' },
      type: { type: 'string', description: 'Such as ts, py' },
      output_mode: { type: 'string', enum: modes, description: 'Default: content' },
      '-i': { type: 'boolean', description: 'Ignore case' },
      '-w': { type: 'boolean', description: 'Whole words' },
      '-F': { type: 'boolean', description: 'Plain text' },
      '-A': { type: 'number', description: 'Lines after' },
      '-B': { type: 'number', description: 'Lines before' },
      '-C': { type: 'number', description: 'Lines around' },
      multiline: { type: 'boolean', description: 'Matches span lines' },
      no_ignore: { type: 'boolean', description: 'Ignored files too' },
      head_limit: { type: 'number', description: `Default ${DEFAULT_LIMIT}` },
      offset: { type: 'number', description: 'Results to skip' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
};

interface State {
  readonly mode: (typeof modes)[number];
  readonly filter: Omit<GrepFilter, 'path'>;
  readonly before: number;
  readonly after: number;
  readonly offset: number;
  readonly limit: number;
  readonly roots: readonly FileLocation[];
}

interface Deps {
  readonly search: Sealed<Search>;
  readonly workspace: Workspace;
}

/** The tool that searches text in files. */
export function createGrepTool(deps: Deps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.grep,
    async plan(args) {
      const roots = await searchRoots(deps.workspace, args.path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: searchSubject(args.pattern, args.path), accesses, state: stateOf(args, roots) };
    },
    async execute(state, _plan, context) {
      await checkRoots(deps.workspace, state.roots);
      return state.mode === 'content' ? searchLines(deps, state, context) : searchFiles(deps, state, context);
    },
  });
}

function stateOf(args: Args, roots: readonly FileLocation[]): State {
  const around = whole(args, '-C', [0, MAX_CONTEXT]) ?? 0;
  return {
    mode: args.output_mode ?? 'content',
    filter: filterOf(args, roots),
    before: whole(args, '-B', [0, MAX_CONTEXT]) ?? around,
    after: whole(args, '-A', [0, MAX_CONTEXT]) ?? around,
    offset: whole(args, 'offset', [0, MAX_OFFSET]) ?? 0,
    limit: whole(args, 'head_limit', [1, MAX_LIMIT]) ?? DEFAULT_LIMIT,
    roots,
  };
}

function filterOf(args: Args, roots: readonly FileLocation[]): State['filter'] {
  if (args.pattern === '') throw new ToolInputError('The pattern is empty.');
  return {
    pattern: args.pattern,
    globs: splitGlobs(args.glob ?? '').map((glob) => (glob.startsWith('!') ? `!${patternBelow(roots, glob.slice(1))}` : patternBelow(roots, glob))),
    ...(args.type === undefined || args.type === '' ? {} : { type: args.type }),
    literal: args['-F'] ?? false,
    ignoreCase: args['-i'] ?? false,
    word: args['-w'] ?? false,
    multiline: args.multiline ?? false,
    ignored: args.no_ignore ?? false,
  };
}

function whole(args: Args, name: '-A' | '-B' | '-C' | 'head_limit' | 'offset', [low, high]: readonly [number, number]): number | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new ToolInputError(`${name} must be a whole number from ${low} to ${high}. To see less or other results, narrow the pattern, path or glob.`);
}

async function searchLines(deps: Deps, state: State, context: RunContext): Promise<ToolResult> {
  const search = deps.search.for(context);
  const { filter, before, after } = state;
  return reportLines(
    await searchAll(state, {
      ask: (path, page) => search.grep({ ...filter, path, before, after, ...page }, context.signal),
      size: ({ lines }) => lines.filter(({ match }) => match).length,
    }),
  );
}

async function searchFiles(deps: Deps, state: State, context: RunContext): Promise<ToolResult> {
  const search = deps.search.for(context);
  const counts = state.mode === 'count';
  return reportFiles(
    await searchAll(state, {
      ask: (path, page) => search.grepFiles({ ...state.filter, path, counts, ...page }, context.signal),
      size: ({ files }) => files.length,
    }),
  );
}

interface Asking<R> {
  readonly ask: (path: string, page: Page) => Promise<R>;
  /** How many results of the page there are. */
  readonly size: (result: R) => number;
}

/** One page out of all folders, one after the other. */
async function searchAll<R extends SearchEnd & { skipped: number }>(state: State, { ask, size }: Asking<R>): Promise<Found<R>> {
  const parts: Found<R>['parts'][number][] = [];
  let { offset, limit } = state;
  for (const root of state.roots) {
    if (limit === 0) return { offset: state.offset, parts, truncated: true };
    const result = await named(root, ask(root.real, { offset, limit }));
    parts.push({ root, result });
    offset -= result.skipped;
    limit -= size(result);
  }
  return { offset: state.offset, parts, truncated: parts.some(({ result }) => result.truncated) };
}

/**
 * The single patterns of a list such as `*.ts !*.d.ts` or `*.js, *.ts`: white space and commas part them, but for those
 * within braces or behind a backslash.
 */
function splitGlobs(list: string): readonly string[] {
  const globs = [''];
  let depth = 0;
  for (const [token] of list.matchAll(/\\?[^]/gu)) {
    if (token === '{') depth += 1;
    if (token === '}') depth = Math.max(depth - 1, 0);
    const space = /^\s$/.test(token);
    if (depth === 0 && (space || token === ',')) globs.push('');
    else if (!space) globs.push((globs.pop() ?? '') + token);
  }
  return globs.filter((glob) => glob !== '');
}

const LINE_CHARACTERS = 400;
const RESULT_CHARACTERS = 40_000;

/** One page of results, by the folders they were found in. */
interface Found<R> {
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
function reportLines(found: Found<GrepResult>): ToolResult {
  return report(
    found,
    found.parts.flatMap(({ root, result }) => rowsOf(root, result.lines)),
  );
}

/** Names of files, each with its count where there is one. */
function reportFiles(found: Found<GrepFilesResult>): ToolResult {
  const rows = found.parts.flatMap(({ root, result }) =>
    result.files.map(({ path, count }) => ({ text: displayBelow(root, path) + (count === undefined ? '' : `:${count}`), results: 1 })),
  );
  return report(found, rows);
}

function report(found: Found<SearchEnd>, rows: readonly Row[]): ToolResult {
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
  if (shown.length === 0)
    return notedResult([found.offset === 0 ? nothing(found.truncated) : `No matches after the first ${found.offset}.`, ...notes], { kind: 'found', count: 0 });
  const partial = shown.length < rows.length || found.truncated;
  const goOn = { note: `[PARTIAL: there are more matches. Narrow the pattern, path or glob, or go on with offset ${next}.]` };
  return notedResult([...shown, ...(partial ? [goOn] : []), ...notes], { kind: 'found', count: next - found.offset }, partial);
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
