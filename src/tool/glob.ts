import * as z from 'zod/mini';
import type { GlobResult, MayShow, Search } from '../domain/workspace/search.js';
import type { Tool, ToolResult } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { fileAccess, named } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, notedResult } from './calls/define.js';
import type { RunContext, Sealed } from './calls/sealed.js';
import { checkRoots, displayBelow, namesShown, patternBelow, searchRoots, searchSubject } from './searching/search-roots.js';

/** Paths that one call returns at most. */
const GLOB_PATHS = 200;
/** What is known of a folder that there was no room for. */
const LEFT_OUT: GlobResult = { paths: [], truncated: true };

const schema = z.strictObject({ pattern: filled, path: z.optional(filled) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'glob',
  description:
    `Find files by name, newest first, up to ${GLOB_PATHS}. Leaves out ignored and secret files and .git. ` + 'A pattern without / matches in every folder.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Such as *.test.ts or src/**/*.{js,ts}' },
      path: { type: 'string', description: 'Folder; default: the workspace' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
};

interface State {
  readonly pattern: string;
  readonly roots: readonly FileLocation[];
}

interface Deps {
  readonly search: Sealed<Search>;
  readonly workspace: Workspace;
  readonly readGuard: () => Promise<MayShow>;
}

/** The tool that finds files by name. */
export function createGlobTool(deps: Deps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.glob,
    async plan(args) {
      const roots = await searchRoots(deps.workspace, args.path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: searchSubject(args.pattern, args.path), accesses, state: { pattern: patternBelow(roots, args.pattern), roots } };
    },
    async execute(state, _plan, context) {
      await checkRoots(deps.workspace, state.roots);
      return listFiles(deps, state, context);
    },
  });
}

async function listFiles(deps: Deps, { pattern, roots }: State, context: RunContext): Promise<ToolResult> {
  const search = deps.search.for(context);
  const mayShow = await deps.readGuard();
  const shown: string[] = [];
  let more = false;
  const notes = new Set<string>();
  for (const root of roots) {
    const limit = GLOB_PATHS - shown.length;
    const query = { pattern, path: root.real, limit, accepts: namesShown(root, mayShow) };
    const result = limit === 0 ? LEFT_OUT : await named(root, search.glob(query, context.signal));
    shown.push(...result.paths.map((path) => displayBelow(root, path)));
    more ||= result.truncated;
    if (result.note !== undefined) notes.add(`[${result.note}]`);
  }
  const goOn = more ? [{ note: '[PARTIAL: there are more files. Narrow the pattern or path.]' }] : [];
  return notedResult([...(shown.length === 0 ? ['No files match.'] : shown), ...goOn, ...notes], { kind: 'found', count: shown.length }, more);
}
