/** What is used of the package, which brings no types. */
declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process';

  /** Starts a program as `spawn` does; on Windows also a batch file, with its arguments quoted for it, and without a shell of the caller's. */
  export default function spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}
