import { readdirSync, readFileSync } from 'node:fs';

/** Those of some processes that still run. One that has ended and that nobody collects, as in a container without an init process, does not. */
export function running(ids: readonly number[]): readonly number[] {
  return ids.filter((id) => {
    try {
      process.kill(id, 0);
    } catch {
      // There is none.
      return false;
    }
    return process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(statusOf(id));
  });
}

/** Format: proc(5), `/proc/pid/status`. */
function statusOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8');
  } catch {
    // It has ended just now.
    return 'State:\tX';
  }
}

/**
 * The processes that have a home folder, on Linux: all that a program was given it for, and all that they have started.
 * Format: proc(5), `/proc/pid/environ` and `/proc/pid/cmdline`.
 * @param part what must be in the command line
 */
export function processesWithHome(home: string, part = ''): readonly number[] {
  const read = (id: string, name: string): string => {
    try {
      return readFileSync(`/proc/${id}/${name}`, 'utf8');
    } catch {
      // It has ended just now, or is none of ours.
      return '';
    }
  };
  const has = (id: string): boolean => read(id, 'environ').split('\0').includes(`HOME=${home}`) && read(id, 'cmdline').includes(part);
  return running(
    readdirSync('/proc')
      .filter((id) => /^\d+$/.test(id) && has(id))
      .map(Number),
  );
}
