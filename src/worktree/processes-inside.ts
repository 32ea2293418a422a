import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { yieldEvery } from '../concurrency/steps.js';
import { errorCode } from '../node/files/file-errors.js';
import { isWithin } from '../node/files/within.js';

/** A process that works in a folder or has a file open there. */
export interface ProcessInside {
  readonly pid: number;
  /** One of the paths that it has there. */
  readonly path: string;
}

/** Number of the process that the system starts first. */
const FIRST = 1;
/** How long `lsof` may take, in milliseconds. */
const LSOF_MS = 20_000;
const LSOF_OUTPUT = 64 * 1024 * 1024;
/** How `lsof` ends when it found nothing, or could not look at some files. */
const LSOF_PARTLY = 1;

/**
 * The processes that work in a folder, run a program from there, or have a file open there: those of the user, since what others run cannot be seen.
 * @param folder absolute path, without links
 * @returns `undefined` where that cannot be found out
 */
export async function processesInside(folder: string, signal: AbortSignal): Promise<readonly ProcessInside[] | undefined> {
  if (process.platform === 'linux') return inProc(folder, signal);
  if (process.platform === 'darwin') return byLsof(folder, signal);
  return undefined;
}

async function inProc(folder: string, signal: AbortSignal): Promise<readonly ProcessInside[] | undefined> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: ProcessInside[] = [];
  const pause = yieldEvery();
  for (const pid of ids) {
    signal.throwIfAborted();
    const paths = pathsOf(pid);
    if (paths === 'unknown') return undefined;
    const path = paths.find((each) => isWithin(folder, each));
    if (path !== undefined) found.push({ pid, path });
    await pause();
  }
  return found;
}

/**
 * What proc(5) shows of a process: working directory, program, and open files. Synchronous, as nothing of it is on a disk: thousands of links would each
 * take longer to wait for than to read.
 */
function pathsOf(pid: number): readonly string[] | 'unknown' {
  const place = `/proc/${pid}`;
  try {
    // Those of other users cannot be looked at.
    if (statSync(place).uid !== process.getuid?.()) return [];
    const files = readdirSync(`${place}/fd`).map((name) => `fd/${name}`);
    const paths = ['cwd', 'exe', ...files].map((name) => linkOf(`${place}/${name}`));
    return paths.filter((path) => path.startsWith('/')).map((path) => path.replace(/ \(deleted\)$/, ''));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ESRCH') return [];
    // The first process only starts the others, and some systems show it to nobody.
    if (code === 'EACCES' || code === 'EPERM') return pid === FIRST ? [] : 'unknown';
    throw error;
  }
}

/** Empty for a file that was closed, a process that ended, or one of the kernel, which has no program. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return '';
    throw error;
  }
}

async function byLsof(folder: string, signal: AbortSignal): Promise<readonly ProcessInside[] | undefined> {
  const args = ['-w', '-n', '-P', '-F', 'pn', '-u', String(process.getuid?.())];
  try {
    const { stdout } = await promisify(execFile)('/usr/sbin/lsof', args, { signal, timeout: LSOF_MS, maxBuffer: LSOF_OUTPUT });
    return pathsIn(stdout, folder);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === LSOF_PARTLY && 'stdout' in error && typeof error.stdout === 'string') {
      return pathsIn(error.stdout, folder);
    }
    return undefined;
  }
}

/** Format: lsof(8), "Output for other programs": a line for each process, and below it one for each file. */
function pathsIn(output: string, folder: string): readonly ProcessInside[] {
  const found = new Map<number, ProcessInside>();
  let pid = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const path = line.slice(1);
    if (line.startsWith('n/') && isWithin(folder, path) && !found.has(pid)) found.set(pid, { pid, path });
  }
  return [...found.values()];
}
