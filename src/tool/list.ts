import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import type { ResultLine } from '../domain/tool/model-notes.js';
import type { Tool } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { defineTool, linesResult } from './calls/define.js';
import { OTHER_FORMS } from './calls/forms.js';
import { checkPlaces, fileAccess, named } from './calls/places.js';
import type { RunContext } from './calls/sealed.js';
import { type FolderDeps, LISTED_ENTRIES, folderEntries } from './reading/folder-entries.js';
import { missingProblem } from './reading/not-a-file.js';
import { searchRoots } from './searching/search-roots.js';
import { showName } from '../text/show.js';

const schema = z.strictObject({ path: z.optional(z.string()), offset: z.optional(z.int().check(z.minimum(1))) });
type Args = z.infer<typeof schema>;

const spec = {
  name: 'list',
  description: `List a folder, hidden and ignored too but no secret files, ${LISTED_ENTRIES} at a time.`,
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Default: the workspace' }, offset: { type: 'integer', minimum: 1, description: 'First entry' } },
    additionalProperties: false,
  },
};

interface State {
  readonly roots: readonly FileLocation[];
  readonly first: number;
}

interface Deps extends FolderDeps {
  readonly workspace: Workspace;
}

/** The tool that shows what is in one folder, and not below. */
export function createListTool(deps: Deps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.list,
    async plan({ path, offset = 1 }) {
      const roots = await searchRoots(deps.workspace, path);
      const accesses = roots.flatMap((root) => fileAccess('read', root));
      return { subject: path === undefined ? 'workspace' : showName(path), accesses, state: { roots, first: offset } };
    },
    async execute({ roots, first }, _plan, context) {
      await checkPlaces(deps.workspace, roots);
      const lists: (readonly ResultLine[])[] = [];
      for (const location of roots) lists.push(await listed(deps, { location, first }, context));
      if (lists.length === 1) return linesResult(lists.flat());
      return linesResult(lists.flatMap((list, index) => [...(index === 0 ? [] : ['']), `${showName(roots[index]?.display ?? '')}:`, ...list]));
    },
  });
}

async function listed(deps: Deps, page: { readonly location: FileLocation; readonly first: number }, context: RunContext): Promise<readonly ResultLine[]> {
  const { location } = page;
  const documents = deps.documents.for(context);
  const stat = await named(location, documents.stat(location.real, context.signal));
  if (stat === undefined) throw await missingProblem({ documents, location, mayShow: await deps.readGuard() }, context.signal);
  if (stat.type !== 'directory') throw new ToolInputError(`${showName(location.display)} is not a folder. Use read for files.`);
  return folderEntries(deps, page, context);
}
