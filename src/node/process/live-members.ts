import { readdir, readFile } from 'node:fs/promises';

/** The variable that marks the processes of one command, wherever they go. */
export const MARK_VARIABLE = 'GNOMON_COMMAND';

/**
 * Whether a process group has a member that still runs. A dead one that its parent never collects, as in a container
 * without an init process, can be signalled for ever; only the process table of Linux tells the difference.
 * @returns `true` where there is no such table: what can be signalled then counts as running.
 */
export async function hasLiveMember(group: number): Promise<boolean> {
  const ids = await processIds();
  if (ids.length === 0) return true;
  const states = await Promise.all(ids.map(stateOf));
  return states.some((state) => state.group === group && state.alive);
}

/**
 * The processes with a mark in the environment they were started with, also those that left the group with
 * `setsid` or lost their parent. Only Linux tells; programs that replace their environment are not found.
 */
export async function markedProcesses(mark: string): Promise<readonly number[]> {
  const wanted = `\0${MARK_VARIABLE}=${mark}\0`;
  const found = await Promise.all(
    (await processIds()).map(async (id) => {
      // Processes of other users, and those that have just ended, cannot be read.
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(wanted) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

async function processIds(): Promise<readonly string[]> {
  // Systems without this table are answered for by the callers.
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
  return names.filter((name) => /^\d+$/.test(name));
}

/** Format: proc(5), `/proc/pid/stat`: id, name in parentheses, state, parent, group. The name may contain anything. */
async function stateOf(id: string): Promise<{ readonly group: number; readonly alive: boolean }> {
  // A process that has just ended is not alive.
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '');
  const [state = 'X', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { group: Number(group), alive: !['Z', 'X', ''].includes(state) };
}
