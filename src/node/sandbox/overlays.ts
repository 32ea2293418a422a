import { createHash, randomBytes } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { errorCode } from '../files/file-errors.js';
import { isWithin } from '../files/within.js';
import type { StandIn } from './guarded-places.js';
import { runTrial, type TrialEnd, TriedPrograms } from './run-trial.js';

/** How folders that overlays work in are named, and the milliseconds after which none is mounted from one any more. */
const WORK = 'gnomon-overlay-';
const LEFT_MS = 60 * 60_000;
/** A folder that stands in for what is missing has one in it: else another could be renamed to its place. */
const FILLING = 'empty';
/** What a trial ends with when the stand-ins held. */
const HELD = 42;
/** What would change or replace the stand-in `standin`. */
const TRIES = [
  ...['rmdir standin/empty', 'mkdir standin/x', 'touch standin', 'touch standin/x', 'chmod 700 standin', 'ln -s x standin/x'],
  ...['mv -T other standin', 'mv -T other standin/empty', 'mv standin gone', 'rm -rf standin'],
];

/** A view of a workspace folder in which there is something at missing names, for the sandbox alone. */
export interface Overlay {
  /** The workspace folder that it lies over. */
  readonly folder: string;
  /** A folder with stand-ins for what is missing there. */
  readonly standIns: string;
  /** A folder of its own, with what `mount` needs; gone once it is mounted. */
  readonly work: string;
}

/**
 * Mounts overlays, then becomes the command behind `--`. In the folder of each are links to the upper and lower folder, so that no name can be
 * taken for an option. What is written goes straight to the workspace, the upper folder. What is in the lower one stays as it is: to copy or to
 * remove it, the kernel needs the folder that it works in, which is gone by then.
 * The options keep to what is supported when others change the upper folder meanwhile. Source: docs.kernel.org/filesystems/overlayfs.html
 */
const SCRIPT =
  'while [ "$1" != -- ]; do ' +
  'cd "$1" && mount -t overlay gnomon -o userxattr,index=off,metacopy=off,xino=off,lowerdir=lower,upperdir=upper,workdir=work "$2" && ' +
  'cd / && rm -rf "$1" || exit 126; shift 2; done; shift; exec "$@"';

/** Where util-linux has what makes namespaces. Not looked up in PATH, which may name world-writable folders. */
const UNSHARE = ['/usr/bin/unshare', '/bin/unshare', '/run/current-system/sw/bin/unshare'];

type Command = readonly [string, ...string[]];

/** By bubblewrap, what makes the namespace in which stand-ins were tried out, and held. */
const HOLDING = new TriedPrograms<Command>();

/**
 * Gives missing names a place that is not on the disk. A mount needs something to be mounted over, which bubblewrap would make in the
 * workspace itself, where it would stay when all is killed; the stand-ins lie in a folder of ours, and an overlay shows them in the workspace to
 * the sandbox alone.
 */
export class Overlays {
  private readonly tried = new Map<string, Promise<string>>();
  private holds: Promise<void> | undefined;
  /** What makes a mount namespace with everything else as it is, whose root is the user. */
  private outer: Command;

  /** @param storage absolute path of a folder for the stand-ins @param program bubblewrap */
  constructor(
    private readonly storage: string,
    private readonly program: string,
  ) {
    this.outer = outerBubblewrap(program);
  }

  /** A command in a place where overlays lie over the workspace. */
  around(overlays: readonly Overlay[], command: Command): Command {
    return [...this.outer, '/bin/sh', '-c', SCRIPT, 'sh', ...overlays.flatMap(({ folder, work }) => [work, folder]), '--', ...command];
  }

  /**
   * Overlays for all workspace folders in which something is missing.
   * @throws Error where there can be none, as on some network drives.
   */
  async for(folders: readonly string[], absent: readonly StandIn[]): Promise<readonly Overlay[]> {
    const outer = folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(other, folder)));
    return Promise.all(
      [...new Set(outer)].map((folder) =>
        this.over(
          folder,
          absent.filter(({ path }) => isWithin(folder, path)),
        ),
      ),
    );
  }

  private async over(folder: string, absent: readonly StandIn[]): Promise<Overlay> {
    const standIns = await this.standIns(absent.map(({ path, ...rest }) => ({ ...rest, path: relative(folder, path) })));
    let base = this.tried.get(folder);
    if (base === undefined) {
      base = this.baseFor(folder, standIns);
      this.tried.set(folder, base);
      base.catch(() => this.tried.delete(folder));
    }
    return prepared(folder, standIns, await base);
  }

  /** Where the folder that an overlay works in can be: on the same mount as the workspace, but not in it. */
  private async baseFor(folder: string, standIns: string): Promise<string> {
    const { dev } = await stat(folder);
    const problems: string[] = [];
    await (this.holds ??= this.prepare());
    for (const base of [this.storage, tmpdir(), dirname(folder)]) {
      if (isWithin(folder, base) || (await stat(base)).dev !== dev) continue;
      try {
        const end = await this.inside(await prepared(folder, standIns, base), ['true']);
        if (end.exitCode === 0) return base;
        problems.push(problemOf(end));
      } catch (error) {
        problems.push(errorMessage(error));
      }
    }
    throw unprotected(folder, problems.join(' ').trim() || 'its file system has no place for that');
  }

  private async prepare(): Promise<void> {
    try {
      await mkdir(this.storage, { recursive: true });
      await this.removeLeft();
      this.outer = await HOLDING.of(this.program, () => this.tryStandIns());
    } catch (error) {
      this.holds = undefined;
      throw error;
    }
  }

  /** Tests in a folder of its own whether stand-ins hold, which depends on the kernel. @returns what makes the namespace in which they do */
  private async tryStandIns(): Promise<Command> {
    const trial = await mkdtemp(join(this.storage, `${WORK}trial-`));
    try {
      const standIns = await this.standIns([{ path: 'standin' }]);
      await mkdir(join(trial, 'upper/other'), { recursive: true });
      const upper = join(trial, 'upper');
      const script = `cd "$0" || exit 1; for try in ${TRIES.map((line) => `"${line}"`).join(' ')}; do $try && exit 1; done 2>/dev/null; exit ${HELD}`;
      let problem = '';
      for (const outer of [...(await unshares()), outerBubblewrap(this.program)]) {
        this.outer = outer;
        const end = await this.inside(await prepared(upper, standIns, trial), [script, upper]);
        if (end.exitCode === HELD) return outer;
        problem = problemOf(end);
      }
      throw unprotected('the folder', problem);
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
  }

  /** Removes what was left where all was killed before an overlay was mounted. */
  private async removeLeft(): Promise<void> {
    const old = Date.now() - LEFT_MS;
    for (const name of await readdir(this.storage)) {
      const folder = join(this.storage, name);
      if (
        name.startsWith(WORK) &&
        (await stat(folder).then(
          ({ mtimeMs }) => mtimeMs < old,
          () => false,
        ))
      )
        await rm(folder, { recursive: true, force: true });
    }
  }

  private inside(overlay: Overlay, script: readonly string[]): Promise<TrialEnd> {
    const [program, ...args] = this.around([overlay], [this.program, '--dev-bind', '/', '/', '--cap-drop', 'ALL', '--', '/bin/sh', '-c', ...script]);
    return runTrial(program, args, process.env);
  }

  /** A folder with these stand-ins, made once and never changed. @param absent with paths relative to the workspace folder */
  private async standIns(absent: readonly StandIn[]): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify(absent.map(({ path, text }) => [path, text ?? false]).sort()))
      .digest('hex')
      .slice(0, 32);
    const folder = join(this.storage, 'stand-ins', key);
    if (
      await stat(folder).then(
        () => true,
        () => false,
      )
    )
      return folder;
    const making = `${folder}.${randomBytes(6).toString('hex')}`;
    await mkdir(making, { recursive: true });
    for (const { path, text } of absent) {
      await mkdir(join(making, text === undefined ? join(path, FILLING) : dirname(path)), { recursive: true });
      if (text !== undefined) await writeFile(join(making, path), text);
    }
    await rename(making, folder).catch(async (error: unknown) => {
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
      // Another window has made it meanwhile.
      await rm(making, { recursive: true });
    });
    return folder;
  }
}

function outerBubblewrap(program: string): Command {
  return [program, '--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent', '--dev-bind', '/', '/', '--'];
}

/** It makes the namespaces and nothing else, so it takes half the time. Some systems let bubblewrap alone make them. */
async function unshares(): Promise<readonly Command[]> {
  const found = await Promise.all(
    UNSHARE.map((path) =>
      access(path, constants.X_OK).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found
    .flat()
    .slice(0, 1)
    .map((path) => [path, '--user', '--map-root-user', '--mount', '--']);
}

/** Why something did not work. */
function problemOf({ exitCode, stderr }: TrialEnd): string {
  if (stderr !== '') return stderr;
  return exitCode === undefined ? 'trying it took too long' : 'what stands in for missing files could be changed';
}

function unprotected(folder: string, problem: string): Error {
  const advice = 'To run this command outside of it, call bash again with unsandboxed: true; the user is asked then.';
  return new Error(`The sandbox for commands that change files cannot protect ${folder} here: ${problem}. ${advice}`);
}

async function prepared(folder: string, standIns: string, base: string): Promise<Overlay> {
  const work = await mkdtemp(join(base, WORK));
  await Promise.all([mkdir(join(work, 'work')), symlink(folder, join(work, 'upper')), symlink(standIns, join(work, 'lower'))]);
  return { folder, standIns, work };
}
