import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import type { SymbolPlace, Symbols } from '../domain/workspace/code-intelligence.js';
import type { Tool, ToolContext } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { fileAccess, checkPlaces } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, textResult } from './calls/define.js';
import { searchRoots } from './searching/search-roots.js';
import { showName, cutLine } from '../text/show.js';

const ACTIONS = ['definition', 'references', 'search', 'outline'] as const;

const schema = z.strictObject({
  action: z.enum(ACTIONS),
  path: z.optional(filled),
  line: z.optional(z.int().check(z.minimum(1))),
  name: z.optional(filled),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'symbols',
  description: 'Ask language servers. definition, references: of name on a line of path. outline: of path.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: [...ACTIONS] },
      path: { type: 'string', description: 'A file' },
      line: { type: 'integer', minimum: 1, description: 'A line with name, from 1' },
      name: { type: 'string', description: 'Identifier; search: part of it' },
    },
    required: ['action'],
    additionalProperties: false,
  },
};

/** A call whose fields are those that its action needs. */
type Question =
  | { readonly action: 'definition' | 'references'; readonly file: FileLocation; readonly line: number; readonly name: string }
  | { readonly action: 'outline'; readonly file: FileLocation }
  | { readonly action: 'search'; readonly name: string };

/** The tool that asks language servers where things are defined and used. */
export function createSymbolsTool(deps: { symbols: Symbols; workspace: Workspace }): Tool {
  return defineTool<Args, Question>({
    spec,
    schema,
    forms: OTHER_FORMS.symbols,
    async plan(args) {
      const question = await questionOf(args, deps.workspace);
      const accesses = (await placesOf(question, deps.workspace)).flatMap((place) => fileAccess('read', place));
      return { subject: subjectOf(question), accesses, state: question };
    },
    async execute(question, _plan, context) {
      if (question.action !== 'search') await checkPlaces(deps.workspace, [question.file]);
      return textResult(await answer(question, deps, context));
    },
  });
}

async function questionOf({ action, path, line, name }: Args, workspace: Workspace): Promise<Question> {
  switch (action) {
    case 'search':
      return { action, name: needed('name', name, action) };
    case 'outline':
      return { action, file: await workspace.locate(needed('path', path, action)) };
    case 'definition':
    case 'references': {
      const where = { line: needed('line', line, action), name: needed('name', name, action) };
      return { action, file: await workspace.locate(needed('path', path, action)), ...where };
    }
    default:
      return assertNever(action);
  }
}

/** What is read: what is found shows lines of any file of the workspace, unless it is the outline of one. */
async function placesOf(question: Question, workspace: Workspace): Promise<readonly FileLocation[]> {
  if (question.action === 'search') return searchRoots(workspace, undefined);
  if (question.action === 'outline') return [question.file];
  return [question.file, ...(await Promise.all(workspace.folders().map((folder) => workspace.locate(folder.path))))];
}

function needed<T>(field: string, value: T | undefined, action: string): T {
  if (value === undefined) throw new ToolInputError(`${action} needs the field ${field}; nothing was done.`);
  return value;
}

function subjectOf(question: Question): string {
  if (question.action === 'outline') return showName(`outline ${question.file.display}`);
  return showName(`${question.action} ${question.name}`);
}

async function answer(question: Question, { symbols, workspace }: { symbols: Symbols; workspace: Workspace }, { signal }: ToolContext): Promise<string> {
  switch (question.action) {
    case 'outline':
      return reportOutline(await symbols.outline(question.file.real, signal));
    case 'search':
      return reportPlaces(await located(await symbols.search(question.name, signal), workspace), 'No symbols match.');
    case 'definition':
    case 'references': {
      const query = { path: question.file.real, line: question.line, name: question.name };
      const found = await (question.action === 'definition' ? symbols.definitions(query, signal) : symbols.references(query, signal));
      return reportPlaces(await located(found, workspace), `No ${question.action} found. There may be no language server for this file.`);
    }
    default:
      return assertNever(question);
  }
}

function located(places: readonly SymbolPlace[], workspace: Workspace): Promise<readonly LocatedPlace[]> {
  return Promise.all(places.map(async (place) => ({ ...place, file: await workspace.locate(place.path) })));
}

/** Places that one call shows at most. */
const SHOWN_PLACES = 200;
/** Characters of one source line; the rest is cut with a notice. */
const LINE_CHARACTERS = 200;
/** Characters of a name or kind, which a server may make as long as it likes. */
const NAME_CHARACTERS = 200;

/** A place with the file that it lies in. */
interface LocatedPlace extends SymbolPlace {
  readonly file: FileLocation;
}

/**
 * Places by file, with their lines. For a file outside the workspace only the place is given: the user allowed
 * reading in the workspace only.
 */
function reportPlaces(places: readonly LocatedPlace[], none: string): string {
  if (places.length === 0) return none;
  const sorted = [...places].sort((a, b) => Number(b.file.inside) - Number(a.file.inside) || byPlace(a, b));
  let previous: string | undefined;
  const lines = sorted.slice(0, SHOWN_PLACES).flatMap((place) => {
    const { inside, display } = place.file;
    if (!inside) return [`${showName(display)}:${place.line} (outside the workspace)`];
    const heading = place.path === previous ? [] : [showName(display)];
    previous = place.path;
    return [...heading, `${place.line}:${placeText(place)}`];
  });
  return [...lines, ...partial(sorted.length)].join('\n');
}

/** The symbols of one file, in its order. */
function reportOutline(places: readonly SymbolPlace[]): string {
  if (places.length === 0) return 'No outline. There may be no language server for this file.';
  const sorted = [...places].sort(byPlace);
  return [...sorted.slice(0, SHOWN_PLACES).map((place) => `${place.line}:${placeText(place)}`), ...partial(sorted.length)].join('\n');
}

function placeText({ name, kind, text }: SymbolPlace): string {
  if (name === undefined) return cutLine(text, LINE_CHARACTERS);
  return `${kind === undefined ? '' : `${cutLine(showName(kind), NAME_CHARACTERS)} `}${cutLine(showName(name), NAME_CHARACTERS)}`;
}

function partial(amount: number): readonly string[] {
  const more = amount - SHOWN_PLACES;
  return more > 0 ? [`[PARTIAL: and ${more} more.]`] : [];
}

function byPlace(a: SymbolPlace, b: SymbolPlace): number {
  return (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line || a.column - b.column;
}
