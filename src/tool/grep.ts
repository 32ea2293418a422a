import * as z from 'zod/mini';
import type { GrepLine, Search } from '../domain/search.js';
import type { Tool, ToolContext } from '../domain/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { fileAccess } from './access.js';
import { defineTool, textResult } from './define.js';
import { displayBelow, searchRoots, searchSubject } from './search-roots.js';
import { cutLine } from './show.js';

/** Matching lines that one call returns at most. */
const GREP_MATCHES = 200;
const LINE_CHARACTERS = 400;
const RESULT_CHARACTERS = 40_000;

const schema = z.strictObject({
  pattern: z.string().check(z.minLength(1)),
  path: z.optional(z.string().check(z.minLength(1))),
  glob: z.optional(z.string().check(z.minLength(1))),
  ignore_case: z.optional(z.boolean()),
  context: z.optional(z.int().check(z.minimum(0), z.maximum(20))),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'grep',
  description:
    `Search file contents with ripgrep. Ignored files and .git are left out. Shows up to ${GREP_MATCHES} matching ` +
    'lines with line numbers.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 1, description: 'Regular expression (Rust syntax), per line' },
      path: { type: 'string', minLength: 1, description: 'Folder or file; default: the workspace' },
      glob: { type: 'string', minLength: 1, description: 'Only files that match, such as *.ts or src/**/*.{js,ts}' },
      ignore_case: { type: 'boolean' },
      context: { type: 'integer', minimum: 0, maximum: 20, description: 'Lines around each match' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
};

interface State {
  readonly args: Args;
  readonly roots: readonly FileLocation[];
}

interface Found {
  readonly root: FileLocation;
  readonly lines: readonly GrepLine[];
  readonly truncated: boolean;
}

/** The tool that searches text in files. */
export function createGrepTool(ports: { search: Search; workspace: Workspace }): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    async plan(args) {
      const roots = await searchRoots(ports.workspace, args.path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: searchSubject(args.pattern, args.path), accesses, state: { args, roots } };
    },
    async execute(state, _plan, context) {
      return textResult(report(await searchAll(ports.search, state, context)));
    },
  });
}

async function searchAll(search: Search, { args, roots }: State, context: ToolContext): Promise<readonly Found[]> {
  const found: Found[] = [];
  let left = GREP_MATCHES;
  for (const root of roots) {
    if (left === 0) return [...found, { root, lines: [], truncated: true }];
    const result = await search.grep(
      {
        pattern: args.pattern,
        path: root.real,
        ...(args.glob === undefined ? {} : { glob: args.glob }),
        ignoreCase: args.ignore_case ?? false,
        context: args.context ?? 0,
        limit: left,
      },
      context.signal,
    );
    found.push({ root, ...result });
    left -= result.lines.filter((line) => line.match).length;
  }
  return found;
}

function report(found: readonly Found[]): string {
  const blocks = found.flatMap(({ root, lines }) => formatLines(root, lines));
  if (blocks.length === 0) return 'No matches.';
  const shown: string[] = [];
  let characters = 0;
  for (const line of blocks) {
    characters += line.length + 1;
    if (characters > RESULT_CHARACTERS) break;
    shown.push(line);
  }
  const partial = shown.length < blocks.length || found.some((part) => part.truncated);
  return [...shown, ...(partial ? ['[PARTIAL: there are more matches. Narrow the pattern, path or glob.]'] : [])].join('\n');
}

function formatLines(root: FileLocation, lines: readonly GrepLine[]): readonly string[] {
  const context = lines.some((line) => !line.match);
  let previous: GrepLine | undefined;
  return lines.flatMap((line) => {
    const sameFile = previous?.path === line.path;
    const gap = sameFile && previous !== undefined && line.line > previous.line + 1;
    previous = line;
    const text = `${line.line}${line.match ? ':' : '-'}${cutLine(line.text, LINE_CHARACTERS)}`;
    return [...(sameFile ? [] : [displayBelow(root, line.path)]), ...(gap && context ? ['--'] : []), text];
  });
}
