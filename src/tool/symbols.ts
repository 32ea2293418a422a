import * as z from 'zod/mini';
import { assertNever } from '../domain/assert-never.js';
import { ToolInputError } from '../domain/errors.js';
import type { SymbolPlace, Symbols } from '../domain/workspace/code-intelligence.js';
import type { Documents } from '../domain/workspace/documents.js';
import { mayShowFile } from '../domain/workspace/search.js';
import type { Tool } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { checkPlaces, fileAccess, type FileDeps } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, textResult } from './calls/define.js';
import type { RunContext, Sealed } from './calls/sealed.js';
import { searchRoots } from './searching/search-roots.js';
import { showName, cutLine } from '../text/show.js';

const ACTIONS = ['definition', 'references', 'search', 'outline'] as const;

const schema = z.strictObject({ action: z.enum(ACTIONS), path: z.optional(filled), line: z.optional(z.int().check(z.minimum(1))), name: z.optional(filled) });
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

/** What the tool works through. Servers know files that may not be shown: neither their lines nor their names of symbols are. */
interface SymbolsDeps extends FileDeps {
  readonly symbols: Sealed<Symbols>;
}

/** The tool that asks language servers where things are defined and used. */
export function createSymbolsTool(deps: SymbolsDeps): Tool {
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

async function answer(question: Question, deps: SymbolsDeps, context: RunContext): Promise<string> {
  const symbols = deps.symbols.for(context);
  const { signal } = context;
  switch (question.action) {
    case 'outline':
      return reportOutline(await shownOf(await symbols.outline(question.file.real, signal), question, deps));
    case 'search':
      return reportPlaces(await shownOf(await symbols.search(question.name, signal), question, deps), `No symbols match${HIDDEN}.`);
    case 'definition':
    case 'references': {
      const query = { path: question.file.real, line: question.line, name: question.name };
      const found = await (question.action === 'definition' ? symbols.definitions(query, signal) : symbols.references(query, signal));
      const none = `No ${question.action} found${HIDDEN}. There may be no language server for this file.`;
      return reportPlaces(await withLines(await shownOf(found, question, deps), deps.documents.for(context), signal), none);
    }
    default:
      return assertNever(question);
  }
}

/** Where else something could be. The number of places left out is not shown: it would reveal content of files that may not be read. */
const HIDDEN = ' in the files that may be read without asking';

/** The places that may be shown, each with the file that it lies in: those in the file that was named, and what the guard lets through. */
async function shownOf(places: readonly SymbolPlace[], question: Question, { workspace, readGuard }: SymbolsDeps): Promise<readonly LocatedPlace[]> {
  const mayShow = await readGuard();
  const files = new Map(await Promise.all([...new Set(places.map(({ path }) => path))].map(async (path) => [path, await workspace.locate(path)] as const)));
  const isNamed = (file: FileLocation): boolean => question.action !== 'search' && file.real === question.file.real;
  return places.flatMap((place) => {
    const file = files.get(place.path);
    return file !== undefined && (isNamed(file) || mayShowFile(file, mayShow)) ? [{ ...place, file, text: '' }] : [];
  });
}

/** Gives places their source lines, each file read once. For a file outside the workspace, and one that cannot be read, they stay empty. */
async function withLines(places: readonly LocatedPlace[], documents: Documents, signal: AbortSignal): Promise<readonly LocatedPlace[]> {
  const wanted = inOrder(places)
    .slice(0, SHOWN_PLACES)
    .filter(({ file }) => file.inside);
  const paths = [...new Set(wanted.map(({ file }) => file.real))];
  const lines = new Map(await Promise.all(paths.map(async (path) => [path, await linesOf(path, documents, signal)] as const)));
  return places.map((place) => ({ ...place, text: lines.get(place.file.real)?.[place.line - 1]?.trim() ?? '' }));
}

async function linesOf(path: string, documents: Documents, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const file = await documents.read(path, signal);
    return file.kind === 'text' ? file.text.split(/\r\n|\n|\r/) : [];
  } catch (error) {
    // A file that is gone or too large: its place is given without the line.
    if (error instanceof ToolInputError) return [];
    throw error;
  }
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
  /** The source line, trimmed; empty where it is not shown. */
  readonly text: string;
}

/**
 * Places by file, with their lines. For a file outside the workspace only the place is given: the user allowed
 * reading in the workspace only.
 */
function reportPlaces(places: readonly LocatedPlace[], none: string): string {
  if (places.length === 0) return none;
  const sorted = inOrder(places);
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

/** Those in the workspace first. */
function inOrder(places: readonly LocatedPlace[]): readonly LocatedPlace[] {
  return [...places].sort((a, b) => Number(b.file.inside) - Number(a.file.inside) || byPlace(a, b));
}

/** The symbols of one file, in its order. */
function reportOutline(places: readonly LocatedPlace[]): string {
  if (places.length === 0) return 'No outline. There may be no language server for this file.';
  const sorted = [...places].sort(byPlace);
  return [...sorted.slice(0, SHOWN_PLACES).map((place) => `${place.line}:${placeText(place)}`), ...partial(sorted.length)].join('\n');
}

function placeText({ name, kind, text }: LocatedPlace): string {
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
