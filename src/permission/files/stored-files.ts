import { join } from 'node:path';
import type { CommandAnalysis, SimpleCommand, StoredView } from '../../domain/tool/command-analysis.js';
import { readPathspec } from '../shell/git/pathspec.js';
import { ONE_KIND } from '../shell/readers/git.js';
import type { StoredLists, Surroundings } from '../surroundings.js';
import { StoredLook } from './stored-look.js';

/** What commands of Git show of the stored files of a repository that commonly contain passwords or keys. */
export interface StoredFiles {
  /** Absolute paths of such files, as they are or once were. */
  readonly secrets: readonly string[];
  /** Whether there may be more, because it could not be found out in time. */
  readonly undecided: boolean;
}

const NOTHING: StoredFiles = { secrets: [], undecided: false };

/** Finds out what the commands of Git in a line show of stored files that may contain passwords or keys. What cannot be found out in time is undecided. */
export async function storedFiles({ commands }: CommandAnalysis, cwd: string, surroundings: Surroundings, signal: AbortSignal): Promise<StoredFiles> {
  const { git } = surroundings;
  const viewing = commands.filter(({ stored = [] }) => stored.length > 0);
  if (git === undefined || viewing.length === 0) return NOTHING;
  const until = performance.now() + git.withinMs;
  const looks = new Map<string, StoredLook>();
  const found = await Promise.all(
    viewing.flatMap((command) =>
      (command.stored ?? []).flatMap((view) => {
        const changed = commands.some((other) => other !== command && !onlyReads(other));
        const shown: StoredView = changed && isChangedByGit(commands, command) ? { ...view, of: 'anything' } : view;
        const places = command.folders ?? [undefined];
        return places.map((start) => resolve(shown, { start: start ?? cwd, lost: start === undefined, changed, looks, until, git, surroundings, signal }));
      }),
    ),
  );
  return { secrets: [...new Set(found.flatMap(({ secrets }) => secrets))], undecided: found.some(({ undecided }) => undecided) };
}

/** Where and how long a view is looked at. */
interface Circumstances {
  readonly start: string;
  /** Whether it is not known in which folder the command runs. */
  readonly lost: boolean;
  /** Whether other commands of the line may change what is there. */
  readonly changed: boolean;
  readonly looks: Map<string, StoredLook>;
  readonly until: number;
  readonly git: StoredLists;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
}

async function resolve(view: StoredView, { start, lost, changed, looks, until, git, surroundings, signal }: Circumstances): Promise<StoredFiles> {
  const folder = view.folder === undefined ? start : view.folder.startsWith('/') ? view.folder : join(start, view.folder);
  if (lost) return { secrets: [], undecided: true };
  const look = looks.get(folder) ?? new StoredLook({ folder, list: git.list, until, signal });
  looks.set(folder, look);
  const isFile = (path: string): Promise<boolean> => isNamedFile(join(folder, path), surroundings, signal);
  const found = await look.at(view, await isLimited(view, isFile));
  // What is not there yet may be made before by another command of the line.
  if (found.result === 'nothing' && !changed) return NOTHING;
  const root = found.secrets.length === 0 ? undefined : await look.root();
  const secrets = root === undefined ? [] : found.secrets.map((path) => join(root, path));
  return { secrets, undecided: found.result !== 'whole' || secrets.length < found.secrets.length };
}

function onlyReads({ readsOnly, doubts }: SimpleCommand): boolean {
  return readsOnly && doubts.length === 0;
}

/** Whether another command of Git in the line may change what one shows. */
function isChangedByGit(commands: readonly SimpleCommand[], command: SimpleCommand): boolean {
  return commands.some((other) => other !== command && !onlyReads(other) && /(?:^|\/)git$/.test(other.words[0] ?? 'git'));
}

/** Whether a view is limited to files that are named as they are called, or to kinds of files without secrets: these are judged by their names. */
async function isLimited({ of, options, operands, paths }: StoredView, isFile: (path: string) => Promise<boolean>): Promise<boolean> {
  if (of === 'anything' || options.includes('--follow')) return false;
  const isNamed = async (path: string): Promise<boolean> => ONE_KIND.test(path) || (!readPathspec(path).wide && (await isFile(path)));
  const named = await Promise.all((paths.length > 0 ? paths : operands).map(isNamed));
  return paths.length > 0 ? named.every(Boolean) : named.some(Boolean);
}

async function isNamedFile(path: string, { documents, workspace }: Surroundings, signal: AbortSignal): Promise<boolean> {
  if (documents === undefined) return false;
  try {
    const { real } = await workspace.locate(path);
    return (await documents.stat(real, signal))?.type === 'file';
  } catch {
    signal.throwIfAborted();
    // What cannot be looked at may be a folder.
    return false;
  }
}
