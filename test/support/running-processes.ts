import { readFileSync } from 'node:fs';

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
