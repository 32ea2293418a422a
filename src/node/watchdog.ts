import { spawn } from 'node:child_process';

/** Ends the group given as `$1` when its input ends without a word: then the host is gone. */
const SCRIPT = 'read -r word; [ "$word" = done ] || kill -s KILL -- "-$1"';

/**
 * Watches that a command does not outlive this process, not even when that is killed (tool-03).
 * @param group id of the process group.
 * @returns what to call when the command has ended. Without effect on Windows.
 */
export function watchHost(group: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(group)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a watchdog, the group is still ended at an orderly exit.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return () => {
    child.stdin.end('done\n');
  };
}
