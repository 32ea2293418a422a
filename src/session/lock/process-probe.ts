import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';

/** Identity of a process, to distinguish it from another one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Machine, and, where the system reports it, the time of its start. */
  readonly host: string;
  /** When the process started, in units of the system; empty where the system does not report it. */
  readonly started: string;
}

/** Says whether the holder of a lock is still there. */
export interface ProcessProbe {
  self(): Promise<ProcessIdentity>;
  /** `unknown` for a process of another machine, or a number that may have been given to another process. */
  isRunning(identity: ProcessIdentity): Promise<'yes' | 'no' | 'unknown'>;
}

/** Probes processes of this machine: by signal 0, and on Linux by the time of their start in `/proc`. */
export function createProcessProbe(): ProcessProbe {
  const identify = async (pid: number): Promise<ProcessIdentity> => ({ pid, host: await machine(), started: (await statOf(pid)).started });
  let self: Promise<ProcessIdentity> | undefined;
  return {
    self: () => (self ??= identify(process.pid)),
    isRunning: async (identity) => {
      if (identity.host !== (await machine())) return 'unknown';
      if (!exists(identity.pid)) return 'no';
      const { state, started } = await statOf(identity.pid);
      // A zombie has ended; its number is only kept until its parent asks how.
      if (state === 'Z' || state === 'X') return 'no';
      if (started === '' || identity.started === '') return 'unknown';
      return started === identity.started ? 'yes' : 'no';
    },
  };
}

async function machine(): Promise<string> {
  return [hostname(), await readSystemFile('/proc/sys/kernel/random/boot_id')].join('/');
}

/** Fields 3 and 22 of `/proc/<pid>/stat`, see proc(5); the name of the program before them may contain spaces. */
async function statOf(pid: number): Promise<{ readonly state: string; readonly started: string }> {
  const stat = await readSystemFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** Empty where there is no such file: on other systems, and for a process that just ended. */
async function readSystemFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return fileErrorCode(error) === 'EPERM';
  }
}
