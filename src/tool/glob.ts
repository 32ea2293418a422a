import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import type { Search } from '../domain/search.js';
import type { Tool, ToolContext } from '../domain/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { fileAccess } from './access.js';
import { defineTool, textResult } from './define.js';
import { displayBelow, searchRoots, searchSubject } from './search-roots.js';

/** Paths that one call returns at most. */
const GLOB_PATHS = 200;

const schema = z.strictObject({
  pattern: z.string().check(z.minLength(1)),
  path: z.optional(z.string().check(z.minLength(1))),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'glob',
  description:
    `Find files by name, newest first, up to ${GLOB_PATHS}. Ignored files and .git are left out. ` +
    'A pattern without / matches in every folder.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 1, description: 'Such as *.test.ts or src/**/*.{js,ts}' },
      path: { type: 'string', minLength: 1, description: 'Folder; default: the workspace' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
};

interface State {
  readonly pattern: string;
  readonly roots: readonly FileLocation[];
}

/** The tool that finds files by name. */
export function createGlobTool(ports: { search: Search; workspace: Workspace }): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    async plan(args) {
      checkPattern(args.pattern);
      const roots = await searchRoots(ports.workspace, args.path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: searchSubject(args.pattern, args.path), accesses, state: { pattern: args.pattern, roots } };
    },
    async execute(state, _plan, context) {
      return textResult(await listFiles(ports.search, state, context));
    },
  });
}

/** A pattern stays below its folder; where to look is said in `path`, which permission judges. */
function checkPattern(pattern: string): void {
  if (/^([/\\~]|[A-Za-z]:)/.test(pattern)) {
    throw new ToolInputError('The pattern is relative to path. Give the folder in path and only the rest in pattern.');
  }
  if (/(^|[/\\{,])\.\.($|[/\\},])/.test(pattern)) {
    throw new ToolInputError('The pattern cannot hold "..". Give the folder to search in path.');
  }
}

async function listFiles(search: Search, { pattern, roots }: State, context: ToolContext): Promise<string> {
  const shown: string[] = [];
  let truncated = false;
  for (const root of roots) {
    const limit = GLOB_PATHS - shown.length;
    if (limit === 0) truncated = true;
    if (truncated) break;
    const result = await search.glob({ pattern, path: root.real, limit }, context.signal);
    shown.push(...result.paths.map((path) => displayBelow(root, path)));
    truncated = result.truncated;
  }
  if (shown.length === 0) return 'No files match.';
  return [...shown, ...(truncated ? ['[PARTIAL: there are more files. Narrow the pattern or path.]'] : [])].join('\n');
}
