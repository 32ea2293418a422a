import { errorMessage } from '../domain/errors.js';
import type { Access, Plan } from '../domain/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { isShortName } from './canonical-name.js';
import { hiddenCharacters } from './hidden-characters.js';
import { protectedReason } from './protected-paths.js';

/** What {@link findCautions} looks things up in. */
export interface Surroundings {
  readonly workspace: Workspace;
  /** Absolute path of the home directory. */
  readonly home: string;
}

/**
 * What about a plan must be asked in every mode, as sentences; empty when nothing is. Touches nothing.
 * A fact that cannot be found out is a reason to ask.
 */
export async function findCautions(plan: Plan, surroundings: Surroundings): Promise<readonly string[]> {
  const files = plan.accesses.filter((access) => access.kind === 'read' || access.kind === 'write');
  const ofFiles = await Promise.all(files.map((access) => fileCautions(access, surroundings)));
  return [...new Set([...hiddenCautions(plan), ...ofFiles.flat()])];
}

/** Everything of a plan that the person reads as a name or a command. */
function hiddenCautions(plan: Plan): readonly string[] {
  const { preview } = plan;
  const shown = preview.kind === 'command' ? [preview.command, preview.cwd] : preview.kind === 'diff' ? [preview.path] : [];
  const found = hiddenCharacters([...plan.accesses.map((access) => access.target), ...shown].join(''));
  return found === undefined ? [] : [`It holds characters that cannot be seen or mislead: ${found}.`];
}

async function fileCautions(access: Access, { workspace, home }: Surroundings): Promise<readonly string[]> {
  let location: FileLocation;
  let inFolder: readonly string[];
  try {
    location = await workspace.locate(access.target);
    inFolder = await pathsInFolder(location, workspace);
  } catch (error) {
    return [`Where ${access.target} leads could not be found out: ${errorMessage(error)}`];
  }
  const outside = outsideCaution(location);
  if (access.kind === 'read') return outside;
  return [...outside, ...linkCaution(location), ...nameCautions(location, inFolder), ...homeCaution(location, home)];
}

function outsideCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  if (inside) return [];
  return [throughLink ? `${display} leads outside the workspace, to ${real}.` : `${display} is outside the workspace.`];
}

function linkCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  return throughLink && inside ? [`${display} is, or lies behind, a link that leads to ${real}.`] : [];
}

function nameCautions(location: FileLocation, inFolder: readonly string[]): readonly string[] {
  const why = inFolder.map(protectedReason).find((reason) => reason !== undefined);
  if (why !== undefined) return [`${location.display} is protected: it ${why}.`];
  const short = inFolder.flatMap((path) => path.split(/[\\/]/)).find(isShortName);
  return short === undefined ? [] : [`${short} can be the short form of another name.`];
}

/** In a workspace that is the home directory every hidden file is the set-up of some program (path-17). */
function homeCaution({ real, display }: FileLocation, home: string): readonly string[] {
  const rest = below(home, real);
  return rest?.startsWith('.') === true ? [`${display} is a hidden file of your home directory.`] : [];
}

/** The path as named and as it leads, each relative to the workspace folder it lies in, else absolute. */
async function pathsInFolder({ path, real }: FileLocation, workspace: Workspace): Promise<readonly string[]> {
  const roots = await Promise.all(workspace.folders().map((folder) => workspace.locate(folder.path)));
  const folders = roots.flatMap((root) => [root.path, root.real]);
  return [path, real].map((file) => {
    const rests = folders.flatMap((folder) => below(folder, file) ?? []);
    // The longest rest: with nested folders the names between them count as well.
    return rests.sort((a, b) => b.length - a.length)[0] ?? file;
  });
}

function below(folder: string, path: string): string | undefined {
  const start = /[\\/]$/.test(folder) ? folder : `${folder}/`;
  return path.replaceAll('\\', '/').startsWith(start.replaceAll('\\', '/')) ? path.slice(start.length) : undefined;
}
