import { readFile } from 'node:fs/promises';

/** Milliseconds of one tick of the processor times in `/proc`: Linux tells all programs 100 in a second. */
const TICK_MS = 10;

/**
 * Milliseconds of the processor that this process has used. The difference of two says what something costs, whatever
 * else the machine does meanwhile; a wait costs nothing.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The same of another process with all its threads, in steps of 10 ms; fields 14 and 15 of `/proc/PID/stat`, see proc(5). */
export async function processorMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, the second field, may hold spaces; after it the third is the first.
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
