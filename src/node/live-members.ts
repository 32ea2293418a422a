import { readdir, readFile } from 'node:fs/promises';

/**
 * Whether a process group has a member that still runs. A dead one that its parent never collects, as in a container
 * without an init process, can be signalled for ever; only the process table of Linux tells the difference.
 * @returns `true` where there is no such table: what can be signalled then counts as running.
 */
export async function hasLiveMember(group: number): Promise<boolean> {
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
  const ids = names.filter((name) => /^\d+$/.test(name));
  if (ids.length === 0) return true;
  const states = await Promise.all(ids.map((id) => liveIn(id, group)));
  return states.includes(true);
}

/** Format: proc(5), `/proc/pid/stat`: id, name in parentheses, state, parent, group. The name may hold anything. */
async function liveIn(id: string, group: number): Promise<boolean> {
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '');
  const [state = 'X', , ofGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(ofGroup) === group && !['Z', 'X'].includes(state);
}
