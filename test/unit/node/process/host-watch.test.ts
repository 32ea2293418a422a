import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { startServerProcess } from '../../../../src/node/process/server-process.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

it.each([
  ['before its group is known', ''],
  ['after that', 'watch.follow(command.pid);'],
])('A command does not outlive a host that is killed %s', async (_when, follow) => {
  const folder = temporaryFolder();
  const resolveDir = new URL('../../../../src/node/process', import.meta.url).pathname;
  const contents = "export { HostWatch } from './process-group.js'; export { MARK_VARIABLE } from './process-table.js';";
  await build({ stdin: { contents, resolveDir }, bundle: true, platform: 'node', format: 'esm', outfile: join(folder, 'watch.mjs') });
  const host = `import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { writeFileSync } from 'node:fs';
    import { HostWatch, MARK_VARIABLE } from './watch.mjs';
    const mark = ${JSON.stringify(folder)};
    const watch = new HostWatch(mark);
    const command = spawn('sleep', ['71'], { detached: true, env: { ...process.env, [MARK_VARIABLE]: mark } });
    await once(command, 'spawn');
    ${follow}
    writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(command.pid));
    process.kill(process.pid, 'SIGKILL');`;
  writeFileSync(join(folder, 'host.mjs'), host);
  await once(spawn(process.execPath, [join(folder, 'host.mjs')], { stdio: 'ignore' }), 'exit');
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await expect.poll(() => running([pid]), { timeout: 10_000 }).toEqual([]);
});

/** The watches that this process has started, by their script. */
function watches(): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return (
        readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('read -r group') &&
        /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1] === String(process.pid)
      );
    } catch {
      // No process, or one that has just ended.
      return false;
    }
  });
}

it.each([
  ['is not there', 'no-such-program', []],
  ['cannot have its arguments', process.execPath, ['a\0b']],
])('No watch is left of a server whose program %s', async (_what, command, args) => {
  const events = { stdout: () => undefined, stderr: () => undefined, ended: () => undefined };
  await expect(startServerProcess({ command, args, cwd: temporaryFolder(), env: {} }, events)).rejects.toThrow();
  await expect.poll(watches).toEqual([]);
});
