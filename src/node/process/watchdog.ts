import { spawn } from 'node:child_process';
import { MARK_VARIABLE } from './live-members.js';

/**
 * Ends the group given as `$1` when its input ends without a word: then the host is gone. Then, where there is a
 * process table to read, those with the mark `$2` that left the group. Then notes in the file `$3` that all is over.
 */
const SCRIPT = `
read -r word
[ "$word" = done ] && exit
kill -s KILL -- "-$1"
for file in /proc/[0-9]*/environ; do
  if grep -aqsF "${MARK_VARIABLE}=$2" "$file"; then
    id=\${file%/environ}
    kill -s KILL "\${id#/proc/}"
  fi
done
[ -z "$3" ] || echo over >> "$3"`;

/**
 * Watches that a command does not outlive this process, not even when that is killed.
 * @param group id of the process group.
 * @param mark what its processes were given as `GNOMON_COMMAND`.
 * @param note absolute path of a file that is written to when it was ended.
 * @returns what to call when the command has ended. Without effect on Windows.
 */
export function watchHost(group: number, mark: string, note = ''): () => void {
  if (process.platform === 'win32') return () => undefined;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(group), mark, note], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a watchdog, the group is still ended at an orderly exit.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return () => {
    child.stdin.end('done\n');
  };
}
