import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileErrorCode } from '../domain/file-layer.js';

/** A process, so that another one with the same number can be told apart. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Machine, and where the system tells it, the time of its start. */
  readonly host: string;
  /** When the process started, in units of the system; empty where the system does not tell. */
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
  const identify = async (pid: number): Promise<ProcessIdentity> => ({ pid, host: await machine(), started: await startOf(pid) });
  let self: Promise<ProcessIdentity> | undefined;
  return {
    self: () => (self ??= identify(process.pid)),
    isRunning: async (identity) => {
      if (identity.host !== (await machine())) return 'unknown';
      if (!exists(identity.pid)) return 'no';
      const started = await startOf(identity.pid);
      if (started === '' || identity.started === '') return 'unknown';
      return started === identity.started ? 'yes' : 'no';
    },
  };
}

async function machine(): Promise<string> {
  return [hostname(), await readSystemFile('/proc/sys/kernel/random/boot_id')].join('/');
}

/** Field 22 of `/proc/<pid>/stat`, see proc(5); the name of the program before it may hold spaces. */
async function startOf(pid: number): Promise<string> {
  const stat = await readSystemFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
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
