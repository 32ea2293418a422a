import type { Documents, FolderNames } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import { showName } from '../../text/show.js';

/** Names of a folder among which similar ones are looked for. */
const COMPARED_NAMES = 5_000;

/** A place to read from. */
interface Place {
  readonly documents: Documents;
  readonly location: FileLocation;
  /** Which names may be offered. */
  readonly mayShow: MayShow;
}

/** Says that there is no such file and, inside the workspace, which names in its folder come near. */
export async function missingProblem({ documents, location, mayShow }: Place, signal: AbortSignal): Promise<ToolInputError> {
  const { folder, name } = splitPath(location.real);
  const { names } = location.inside ? await namesIn(documents, folder.slice(0, -1) || folder, signal) : NO_NAMES;
  const shown = names.filter((near) => mayShow(folder + near.replace(/\/$/, '')));
  const similar = similarNames(name, shown).map((near) => showName(splitPath(location.display).folder + near));
  const missing = { kind: 'not_found', file: showName(location.display) } as const;
  return new ToolInputError(missing, similar.length === 0 ? {} : { detail: `Did you mean ${similar.join(' or ')}?` });
}

const NO_NAMES: FolderNames = { names: [], more: false };

async function namesIn(documents: Documents, folder: string, signal: AbortSignal): Promise<FolderNames> {
  try {
    return await documents.list(folder, COMPARED_NAMES, signal);
  } catch (error) {
    // The folder is missing too, or closed to us: then there is nothing to offer.
    if (error instanceof ToolInputError) return NO_NAMES;
    throw error;
  }
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return { folder: path.slice(0, end), name: path.slice(end) };
}

/** Names that are offered at most. */
const OFFERED = 3;

/** The names that come nearest to one that does not exist, best first: other case, other extension, a slip of typing. */
function similarNames(wanted: string, names: readonly string[]): readonly string[] {
  const ranked = names.map((name) => ({ name, distance: distanceBetween(wanted.toLowerCase(), name.toLowerCase().replace(/\/$/, '')) }));
  const near = ranked.filter(({ distance }) => distance <= Math.max(2, Math.floor(wanted.length / 4)));
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, OFFERED)
    .map(({ name }) => name);
}

function distanceBetween(a: string, b: string): number {
  if (a === b) return 0;
  const sameStem = stemOf(a) === stemOf(b) && stemOf(a).length > 1;
  return sameStem ? 1 : editDistance(a, b);
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

/** How many characters must be added, removed or replaced to turn one name into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
