import { join } from 'node:path';
import type { CommandAnalysis, SimpleCommand, StoredView } from '../../domain/tool/command-analysis.js';
import { readPathspec } from '../shell/git/pathspec.js';
import { ONE_KIND } from '../shell/readers/git.js';
import type { StoredLists, Surroundings } from '../surroundings.js';
import { StoredLook } from './stored-look.js';

/** Stored files of a repository, of those that commonly contain passwords or keys, that Git commands show. */
export interface StoredFiles {
  /** Absolute paths of such files, as they are or once were. */
  readonly secrets: readonly string[];
  /** Absolute paths of those that are not tracked and that they would add. */
  readonly added: readonly string[];
  /** Whether there may be more, because it could not be found out in time. */
  readonly undecided: boolean;
}

const NOTHING: StoredFiles = { secrets: [], added: [], undecided: false };

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
        const shown: StoredView = view.of !== 'untracked' && changed && isChangedByGit(commands, command) ? { ...view, of: 'anything' } : view;
        const places = command.folders ?? [undefined];
        return places.map((start) => resolve(shown, { start: start ?? cwd, lost: start === undefined, changed, looks, until, git, surroundings, signal }));
      }),
    ),
  );
  const all = (paths: (files: StoredFiles) => readonly string[]): readonly string[] => [...new Set(found.flatMap(paths))];
  return { secrets: all(({ secrets }) => secrets), added: all(({ added }) => added), undecided: found.some(({ undecided }) => undecided) };
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
  if (lost) return { ...NOTHING, undecided: true };
  const look = looks.get(folder) ?? new StoredLook({ folder, list: git.list, until, signal });
  looks.set(folder, look);
  const entryAt = (path: string): Promise<Entry> => entryNamed(join(folder, path), surroundings, signal);
  const found = await look.at(view, await isLimited(view, entryAt));
  // What is not there yet may be made before by another command of the line.
  if (found.result === 'nothing' && !changed) return NOTHING;
  const root = found.secrets.length === 0 ? undefined : await look.root();
  const secrets = root === undefined ? [] : found.secrets.map((path) => join(root, path));
  const undecided = found.result !== 'whole' || secrets.length < found.secrets.length;
  return view.of === 'untracked' ? { secrets: [], added: secrets, undecided } : { secrets, added: [], undecided };
}

function onlyReads({ readsOnly, doubts }: SimpleCommand): boolean {
  return readsOnly && doubts.length === 0;
}

/** Whether another command of Git in the line may change what one shows. */
function isChangedByGit(commands: readonly SimpleCommand[], command: SimpleCommand): boolean {
  return commands.some((other) => other !== command && !onlyReads(other) && /(?:^|\/)git$/.test(other.words[0] ?? 'git'));
}

/** A name with an ending. What has none may once have been a folder, whose files are then shown as well. */
const WITH_ENDING = /[^/]\.\w+$/;

/** Type of a path; `unknown` where it is unreadable, and may be a folder. */
type Entry = 'file' | 'nothing' | 'unknown';

/**
 * Whether a view is limited to files that are named as they are called, or to kinds of files without secrets: these are judged by their names.
 * Without `--` a word is a version only where nothing has its name (gitcli(7)): a folder beside a named file shows all that is in it.
 */
async function isLimited({ of, options, operands, paths }: StoredView, entryAt: (path: string) => Promise<Entry>): Promise<boolean> {
  if (of === 'anything' || of === 'untracked' || options.includes('--follow')) return false;
  const limits = async (path: string): Promise<'file' | 'version' | 'more'> => {
    if (ONE_KIND.test(path)) return 'file';
    if (readPathspec(path).wide) return 'more';
    const entry = await entryAt(path);
    return entry === 'file' && WITH_ENDING.test(path) ? 'file' : entry === 'nothing' ? 'version' : 'more';
  };
  const limited = await Promise.all((paths.length > 0 ? paths : operands).map(limits));
  return paths.length > 0 ? limited.every((one) => one === 'file') : limited.includes('file') && !limited.includes('more');
}

async function entryNamed(path: string, { documents, workspace }: Surroundings, signal: AbortSignal): Promise<Entry> {
  if (documents === undefined) return 'unknown';
  try {
    const { real } = await workspace.locate(path);
    const stat = await documents.stat(real, signal);
    return stat === undefined ? 'nothing' : stat.type === 'file' ? 'file' : 'unknown';
  } catch {
    signal.throwIfAborted();
    // What cannot be looked at may be a folder.
    return 'unknown';
  }
}
