import { escapeHidden, hiddenCharacters } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { BoundPlaces } from '../domain/workspace/binding.js';
import type { Plan } from '../domain/tool/tool.js';
import type { FileLocation } from '../domain/workspace/workspace.js';
import type { Call, LocatedUse } from './call.js';
import { protectedReason } from './files/sensitive-paths.js';
import { isShortName } from './files/canonical-name.js';
import { type Bases, namesBelow, pathInFolder } from './rules/path-pattern.js';

/** Reasons to ask about a file, as sentences. */
export interface FileCautions {
  /** Reasons that no rule lifts. */
  readonly firm: readonly string[];
  /** Reason that a rule for the place lifts: an ordinary file outside the workspace. */
  readonly outside?: string;
}

/** Reasons to ask about the texts of a plan in every mode, as sentences: for all that the user reads as a name or a command. */
export function hiddenCautions(plan: Plan): readonly string[] {
  const { preview } = plan;
  const shown =
    preview.kind === 'command'
      ? [preview.command, preview.cwd]
      : preview.kind === 'diff'
        ? [preview.path, preview.from ?? '']
        : preview.kind === 'diffs'
          ? preview.files.flatMap(({ path, from = '' }) => [path, from])
          : preview.kind === 'input'
            ? [preview.input]
            : preview.kind === 'search'
              ? [preview.query]
              : [];
  const found = hiddenCharacters([...plan.accesses.map((access) => access.target), ...shown].join(''));
  return found === undefined ? [] : [t('It contains invisible or misleading characters: {0}.', found)];
}

/** Reasons to ask about a file in every mode. A fact that could not be found out is a reason to ask. */
export function fileCautions({ target, kind, by, location, problem, shared }: LocatedUse, call: Call): FileCautions {
  const { bases, output, skills } = call;
  if (location !== undefined && by === 'word') return { firm: kind === 'read' ? [] : nameCautions(location, call) };
  if (location === undefined) return { firm: [t('The target of {0} could not be determined: {1}', escapeHidden(target), problem ?? '')] };
  const outside = outsideCautions(location);
  if (kind === 'read') return isOwnOutput(location, output) || isOfSkill(location, skills) ? { firm: [] } : outside;
  const names = shared === true ? [t('{0} has other names (hard links), and changes to it also apply there.', escapeHidden(location.display))] : [];
  const firm = [...outside.firm, ...linkCaution(location), ...names, ...nameCautions(location, call), ...homeCaution(location, bases)];
  return { ...outside, firm };
}

/** Whether a file is an output of a command that Gnomon itself wrote down. */
function isOwnOutput({ real, throughLink }: FileLocation, folder: string | undefined): boolean {
  return folder !== undefined && !throughLink && namesBelow(folder, real) !== undefined;
}

/** Whether a file is the text of a skill that models may load, or in the folder of one that is loaded: its user put it there for them. */
function isOfSkill({ real }: FileLocation, skills: Call['skills']): boolean {
  return skills !== undefined && (skills.files.includes(real) || skills.folders.some((folder) => namesBelow(folder, real) !== undefined));
}

function outsideCautions({ display, real, inside, throughLink }: FileLocation): FileCautions {
  if (inside) return { firm: [] };
  const name = escapeHidden(display);
  if (throughLink) return { firm: [t('{0} resolves to {1}, outside the workspace.', name, escapeHidden(real))] };
  return { firm: [], outside: t('{0} is outside the workspace.', name) };
}

function linkCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  return throughLink && inside ? [t('{0} is, or is inside, a link that resolves to {1}.', escapeHidden(display), escapeHidden(real))] : [];
}

function nameCautions(location: FileLocation, { bases, instructions, bound }: Pick<Call, 'bases' | 'instructions' | 'bound'>): readonly string[] {
  const paths = [location.path, location.real].map((path) => pathInFolder(path, bases));
  const why = paths.map((path) => protectedReason(path, escapeHidden(location.display))).find((reason) => reason !== undefined);
  if (why !== undefined) return [why];
  if (instructions.has(location.real)) return [t('{0} is protected: it is part of the instructions for Gnomon.', escapeHidden(location.display))];
  const runs = bound === undefined ? undefined : boundCaution(location, bound);
  if (runs !== undefined) return [runs];
  const short = paths.flatMap((path) => path.split(/[\\/]/)).find(isShortName);
  return short === undefined ? [] : [t('{0} may be a short (8.3) name of another file or folder.', escapeHidden(short))];
}

/** Why a file asks because something that the user approved, or a hook of their own, runs it; a folder does so for what is in it. */
function boundCaution({ real, display }: FileLocation, { files, expected, folders }: BoundPlaces): string | undefined {
  const name = escapeHidden(display);
  if ([...files, ...expected].some((file) => namesBelow(real, file) !== undefined))
    return t('{0} is protected: a hook or an approved MCP server runs it.', name);
  if (folders.some((folder) => namesBelow(folder, real) !== undefined))
    return t('{0} is protected: a hook or an approved MCP server may run what is in its folder.', name);
  return undefined;
}

/** Where the home directory lies in the workspace, every hidden file of it sets up some program. */
function homeCaution({ real, display }: FileLocation, { folders, home }: Bases): readonly string[] {
  const homes = home.filter((place) => folders.flat().some((root) => namesBelow(root, place) !== undefined));
  const hidden = homes.some((place) => namesBelow(place, real)?.[0]?.startsWith('.'));
  return hidden ? [t('{0} is a hidden file in your home folder.', escapeHidden(display))] : [];
}
