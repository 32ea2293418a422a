import { escapeHidden, hiddenCharacters } from '../domain/hidden-characters.js';
import type { Plan } from '../domain/tool.js';
import type { FileLocation } from '../domain/workspace.js';
import type { Call, LocatedUse } from './call.js';
import { isShortName } from './canonical-name.js';
import type { Bases } from './path-pattern.js';
import { namesBelow, pathInFolder } from './path-pattern.js';
import { protectedReason } from './protected-paths.js';

/** What about a file must be asked, as sentences. */
export interface FileCautions {
  /** What no rule lifts. */
  readonly firm: readonly string[];
  /** What a rule lifts that names the place: an ordinary file outside the workspace. */
  readonly outside?: string;
}

/** What about the texts of a plan must be asked in every mode, as sentences: all that the person reads as a name or a command. */
export function hiddenCautions(plan: Plan): readonly string[] {
  const { preview } = plan;
  const shown = preview.kind === 'command' ? [preview.command, preview.cwd] : preview.kind === 'diff' ? [preview.path] : [];
  const found = hiddenCharacters([...plan.accesses.map((access) => access.target), ...shown].join(''));
  return found === undefined ? [] : [`It holds characters that cannot be seen or mislead: ${found}.`];
}

/** What about a file must be asked in every mode. A fact that could not be found out is a reason to ask. */
export function fileCautions({ target, kind, location, problem }: LocatedUse, { bases, output }: Call): FileCautions {
  if (location === undefined) return { firm: [`Where ${escapeHidden(target)} leads could not be found out: ${problem ?? ''}`] };
  const outside = outsideCautions(location);
  if (kind === 'read') return isOwnOutput(location, output) ? { firm: [] } : outside;
  const firm = [...outside.firm, ...linkCaution(location), ...nameCautions(location, bases), ...homeCaution(location, bases)];
  return { ...outside, firm };
}

/** Whether a file is an output of a command that Gnomon itself wrote down. */
function isOwnOutput({ real, throughLink }: FileLocation, folder: string | undefined): boolean {
  return folder !== undefined && !throughLink && namesBelow(folder, real) !== undefined;
}

function outsideCautions({ display, real, inside, throughLink }: FileLocation): FileCautions {
  if (inside) return { firm: [] };
  const name = escapeHidden(display);
  if (throughLink) return { firm: [`${name} leads outside the workspace, to ${escapeHidden(real)}.`] };
  return { firm: [], outside: `${name} is outside the workspace.` };
}

function linkCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  return throughLink && inside ? [`${escapeHidden(display)} is, or lies behind, a link that leads to ${escapeHidden(real)}.`] : [];
}

function nameCautions(location: FileLocation, bases: Bases): readonly string[] {
  const paths = [location.path, location.real].map((path) => pathInFolder(path, bases));
  const why = paths.map(protectedReason).find((reason) => reason !== undefined);
  if (why !== undefined) return [`${escapeHidden(location.display)} is protected: it ${why}.`];
  const short = paths.flatMap((path) => path.split(/[\\/]/)).find(isShortName);
  return short === undefined ? [] : [`${escapeHidden(short)} can be the short form of another name.`];
}

/** Where the home directory lies in the workspace, every hidden file of it sets up some program (path-17). */
function homeCaution({ real, display }: FileLocation, { folders, home }: Bases): readonly string[] {
  const homes = home.filter((place) => folders.flat().some((root) => namesBelow(root, place) !== undefined));
  const hidden = homes.some((place) => namesBelow(place, real)?.[0]?.startsWith('.'));
  return hidden ? [`${escapeHidden(display)} is a hidden file of your home directory.`] : [];
}
