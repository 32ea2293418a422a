import { present } from '../../domain/present.js';
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { type ConfigurationFile, readProblem, readRealFile } from '../files/configuration-file.js';
import { exists } from '../files/exists.js';
import { errorCode } from '../files/file-errors.js';
import { linkRefusal } from '../files/link-reach.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import type { BaseFolder } from './bases.js';

/** Files of one folder that are read, folders in it that are looked into, and how deep these may be. */
export const WALK_LIMITS = { files: 1_000, folders: 2_000, depth: 5 } as const;
/** Folders with thousands of others, and nothing that configures an agent. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** Files that are read at the same time. */
const AT_ONCE = 32;

/** Which files are looked for. */
export interface Wanted {
  readonly name: (name: string) => boolean;
  /** Whether folders are not looked into, because the program whose they are does not. */
  readonly flat?: boolean;
  /**
   * Whether a folder with such a file is one thing, as a skill is: it has one such file, what else is in it belongs to that, and the outermost folder does
   * not count.
   */
  readonly whole?: boolean;
}

/** A file that there is. */
export interface WalkedFile {
  /** The names from the folder on. */
  readonly parts: readonly string[];
  /** Absolute path without links: it alone is opened. */
  readonly real: string;
  /** Where the folder leads that it, or the link to it, is in. */
  readonly realFolder: string;
  /** Why it is not read, as a sentence for the user. */
  readonly refusal?: string;
}

/** What keeps files from being found. */
export interface WalkProblem {
  /** The names from the folder on; none for that itself. */
  readonly parts: readonly string[];
  /** A sentence for the user. */
  readonly message: string;
}

/** What there is below a folder, in the order of paths. */
export interface Walked {
  readonly files: readonly WalkedFile[];
  readonly problems: readonly WalkProblem[];
}

/** A folder on the way. */
interface Stop {
  readonly parts: readonly string[];
  readonly real: string;
  /** Whether a link was followed on the way to it, so that everything in it is judged by where it is. */
  readonly linked: boolean;
  /** Real paths of the folders on the way, with its own: one that comes again is a loop. */
  readonly above: readonly string[];
}

/**
 * Finds files below a folder of a program, such as `.claude/agents`. Links are followed as far as the base allows, whatever they are in place
 * of: a file, a folder, or a folder on the way. What is left out because of a limit or a link is among the problems. Rejects only when stopped.
 */
export async function walkFiles(folder: BaseFolder, wanted: Wanted, signal: AbortSignal): Promise<Walked> {
  return new Walk(folder, wanted, signal).run();
}

/** Reads a file that was found; `undefined` when it is gone. Rejects only when stopped. */
export async function readWalked(file: Pick<WalkedFile, 'real' | 'refusal'>, maxBytes: number, signal: AbortSignal): Promise<ConfigurationFile | undefined> {
  return file.refusal === undefined ? readRealFile({ path: file.real, maxBytes }, signal) : { problem: file.refusal };
}

/** The same for each of a list, a few at a time. */
export async function eachOf<T, R>(all: readonly T[], read: (each: T) => Promise<readonly R[]>, signal: AbortSignal): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    signal.throwIfAborted();
    results.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(read))).flat());
  }
  return results;
}

class Walk {
  private readonly files: WalkedFile[] = [];
  private readonly problems: WalkProblem[] = [];
  private readonly open: Stop[] = [];
  private seen = 0;

  constructor(
    private readonly folder: BaseFolder,
    private readonly wanted: Wanted,
    private readonly signal: AbortSignal,
  ) {}

  /** Folders near the top come first, so that a limit cuts what is deepest. */
  async run(): Promise<Walked> {
    await this.begin();
    for (let next = this.open.shift(); next !== undefined; next = this.open.shift()) {
      this.signal.throwIfAborted();
      this.seen += 1;
      if (this.seen > WALK_LIMITS.folders) {
        this.cut(t('More than {0} folders are in it. The others are not looked into.', formatNumber(WALK_LIMITS.folders)));
        break;
      }
      if (!(await this.look(next))) break;
    }
    const order = (a: WalkedFile, b: WalkedFile): number => (a.parts.join('/') < b.parts.join('/') ? -1 : 1);
    return { files: this.files.sort(order), problems: this.problems };
  }

  private async begin(): Promise<void> {
    const { path, base } = this.folder;
    try {
      if (!(await exists(path))) return;
      const [real, realBase] = await Promise.all([realPathOf(path), realPathOf(base)]);
      const linked = real !== join(realBase, path.slice(base.length));
      if (linked) await this.follow({ parts: [], real, linked, above: [] });
      else this.open.push({ parts: [], real, linked, above: [real] });
    } catch (error) {
      this.problems.push({ parts: [], message: readProblem(error) });
    }
  }

  /** Looks into a folder. @returns whether there is room for more files */
  private async look(stop: Stop): Promise<boolean> {
    const entries = await this.entriesOf(stop);
    const named = entries.filter((entry) => !entry.isDirectory() && this.wanted.name(entry.name));
    if (this.wanted.whole === true && stop.parts.length > 0 && named[0] !== undefined) return this.take(named[0], stop);
    for (const entry of entries) {
      if (entry.isDirectory() || entry.isSymbolicLink()) {
        if (await this.enter(entry, stop)) continue;
      }
      if (!named.includes(entry) || this.wanted.whole === true) continue;
      if (!(await this.take(entry, stop))) return false;
    }
    return true;
  }

  private async entriesOf({ parts, real }: Stop): Promise<readonly Dirent[]> {
    try {
      return (await readdir(real, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
      if (!isMissing) this.problems.push({ parts, message: readProblem(error) });
      else if (parts.length === 0 && (await isLink(this.folder.path))) this.problems.push({ parts, message: leadsNowhere(real) });
      return [];
    }
  }

  /** Goes on with a folder, or the folder that a link leads to. @returns whether it is one */
  private async enter(entry: Dirent, stop: Stop): Promise<boolean> {
    const path = join(stop.real, entry.name);
    const isLinked = entry.isSymbolicLink();
    if (isLinked && !(await isFolder(path))) return false;
    if (this.wanted.flat === true || SKIPPED.has(entry.name)) return true;
    const parts = [...stop.parts, entry.name];
    if (parts.length > WALK_LIMITS.depth) {
      this.cut(t('Folders below more than {0} others in it are not looked into.', WALK_LIMITS.depth));
      return true;
    }
    if (!isLinked) {
      this.open.push({ parts, real: path, linked: stop.linked, above: [...stop.above, path] });
      return true;
    }
    await this.follow({ parts, real: await realPathOf(path), linked: true, above: stop.above });
    return true;
  }

  /** Goes on with the folder that a link leads to, unless that is one on the way, which is looked into already. */
  private async follow(stop: Stop): Promise<void> {
    const refusal = await linkRefusal(stop.real, this.folder.reach);
    if (refusal !== undefined) this.problems.push({ parts: stop.parts, message: refusal });
    else if (!stop.above.some((each) => isWithin(stop.real, each))) this.open.push({ ...stop, above: [...stop.above, stop.real] });
  }

  /** @returns whether there was room for the file */
  private async take(entry: Dirent, { parts, real, linked }: Stop): Promise<boolean> {
    if (this.files.length === WALK_LIMITS.files) {
      this.cut(t('More than {0} files are in it. The others are not read.', formatNumber(WALK_LIMITS.files)));
      return false;
    }
    const named = [...parts, entry.name];
    const path = join(real, entry.name);
    if (!linked && !entry.isSymbolicLink()) this.files.push({ parts: named, realFolder: real, real: path });
    else await this.takeLinked({ parts: named, realFolder: real, real: path });
    return true;
  }

  private async takeLinked(file: WalkedFile): Promise<void> {
    try {
      const real = await realPathOf(file.real);
      const refusal = (await linkRefusal(real, this.folder.reach)) ?? ((await exists(real)) ? undefined : leadsNowhere(real));
      this.files.push({ ...file, real, ...present({ refusal }) });
    } catch (error) {
      this.problems.push({ parts: file.parts, message: readProblem(error) });
    }
  }

  private cut(message: string): void {
    if (!this.problems.some((problem) => problem.message === message)) this.problems.push({ parts: [], message });
  }
}

function leadsNowhere(real: string): string {
  return t('It is a link to {0}, which is not there.', escapeHidden(real));
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
