import { errorMessage } from '../domain/errors.js';
import { escapeHidden, hiddenCharacters } from '../domain/hidden-characters.js';
import type { Access, Plan } from '../domain/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace.js';
import { isShortName } from './canonical-name.js';
import { protectedReason } from './protected-paths.js';

/** What {@link findCautions} looks things up in. */
export interface Surroundings {
  readonly workspace: Workspace;
  /** Absolute path of the home directory. */
  readonly home: string;
  /** Absolute path of the folder with the full outputs of commands, which the model may page through. */
  readonly outputFolder?: string;
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

async function fileCautions(access: Access, { workspace, home, outputFolder }: Surroundings): Promise<readonly string[]> {
  try {
    const location = await workspace.locate(access.target);
    const outside = outsideCaution(location);
    if (access.kind === 'read') return (await isOwnOutput(location, workspace, outputFolder)) ? [] : outside;
    const roots = await rootsOf(workspace);
    return [...outside, ...linkCaution(location), ...nameCautions(location, roots), ...homeCaution(location, { roots, home })];
  } catch (error) {
    return [`Where ${escapeHidden(access.target)} leads could not be found out: ${errorMessage(error)}`];
  }
}

/** Whether a file is an output of a command that Gnomon itself wrote down. */
async function isOwnOutput({ real, throughLink }: FileLocation, workspace: Workspace, folder: string | undefined): Promise<boolean> {
  if (folder === undefined || throughLink) return false;
  return below((await workspace.locate(folder)).real, real) !== undefined;
}

function outsideCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  if (inside) return [];
  const name = escapeHidden(display);
  return [throughLink ? `${name} leads outside the workspace, to ${escapeHidden(real)}.` : `${name} is outside the workspace.`];
}

function linkCaution({ display, real, inside, throughLink }: FileLocation): readonly string[] {
  return throughLink && inside ? [`${escapeHidden(display)} is, or lies behind, a link that leads to ${escapeHidden(real)}.`] : [];
}

function nameCautions(location: FileLocation, roots: readonly string[]): readonly string[] {
  const paths = [location.path, location.real].map((path) => pathInFolder(path, roots));
  const why = paths.map(protectedReason).find((reason) => reason !== undefined);
  if (why !== undefined) return [`${escapeHidden(location.display)} is protected: it ${why}.`];
  const short = paths.flatMap((path) => path.split(/[\\/]/)).find(isShortName);
  return short === undefined ? [] : [`${escapeHidden(short)} can be the short form of another name.`];
}

/** Where the home directory lies in the workspace, every hidden file of it sets up some program (path-17). */
function homeCaution({ real, display }: FileLocation, { roots, home }: { roots: readonly string[]; home: string }): readonly string[] {
  if (!roots.some((root) => root === home || below(root, home) !== undefined)) return [];
  return below(home, real)?.startsWith('.') === true ? [`${escapeHidden(display)} is a hidden file of your home directory.`] : [];
}

/** The open folders, as named and as they lead. */
async function rootsOf(workspace: Workspace): Promise<readonly string[]> {
  const located = await Promise.all(workspace.folders().map((folder) => workspace.locate(folder.path)));
  return located.flatMap((root) => [root.path, root.real]);
}

/** A path relative to the workspace folder it lies in, else absolute. In nested folders the outer one counts. */
function pathInFolder(path: string, roots: readonly string[]): string {
  const rests = roots.flatMap((root) => below(root, path) ?? []);
  return rests.sort((a, b) => b.length - a.length)[0] ?? path;
}

function below(folder: string, path: string): string | undefined {
  const start = /[\\/]$/.test(folder) ? folder : `${folder}/`;
  return path.replaceAll('\\', '/').startsWith(start.replaceAll('\\', '/')) ? path.slice(start.length) : undefined;
}
