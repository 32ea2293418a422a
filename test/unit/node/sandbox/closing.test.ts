import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommandOutcome } from '../../../../src/domain/workspace/processes.js';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { createSandbox } from '../../../../src/node/sandbox/sandbox.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { HAS_BUBBLEWRAP } from './rig.js';

/** A folder that is closed, with one in which commands run that are not confined. */
function closedRig(bubblewrap?: readonly string[]): { readonly at: (name: string) => string; readonly run: (command: string) => Promise<CommandOutcome> } {
  const base = temporaryFolder();
  const at = (name: string): string => join(base, name);
  for (const name of ['checkout', 'worktree', 'home']) mkdirSync(at(name));
  writeFileSync(at('checkout/lines.txt'), 'mine\n');
  symlinkSync(at('checkout'), at('other-name'));
  const sandbox = createSandbox({
    ...{ folders: () => [at('worktree')], readable: [], rules: () => Promise.resolve({ key: '', mayRead: () => true }), storage: at('storage') },
    ...{ home: at('home'), env: process.env },
    ...(bubblewrap === undefined ? {} : { bubblewrap }),
  });
  onTestFinished(() => sandbox.dispose());
  const processes = createProcesses({ logFolder: at('logs'), env: { ...process.env, ROOT: at('checkout') }, sandbox, closed: [at('other-name')] });
  return { at, run: (command) => processes.run({ command, cwd: at('worktree'), timeoutMs: 20_000 }, new AbortController().signal, () => undefined) };
}

describe.runIf(HAS_BUBBLEWRAP)('E-41: a command that is not confined, beside a folder that is closed', () => {
  it.each([
    'echo theirs > "$ROOT/lines.txt"',
    'rm -rf "$ROOT"',
    'mv "$ROOT/lines.txt" moved.txt',
    'ln "$ROOT/lines.txt" linked.txt && echo theirs > linked.txt',
    'cd ../other-name && touch made.txt',
    'node -e \'require("node:fs").writeFileSync(process.env.ROOT + "/made.txt", "")\'',
    'mount -o remount,rw "$ROOT"; touch "$ROOT/made.txt"',
    'umount "$ROOT"; touch "$ROOT/made.txt"',
    `[ -w /proc/${process.pid}/root$ROOT/lines.txt ]`,
  ])('changes nothing in it: %s', async (command) => {
    const { at, run } = closedRig();
    expect((await run(command)).exitCode).not.toBe(0);
    expect([readFileSync(at('checkout/lines.txt'), 'utf8'), existsSync(at('checkout/made.txt'))]).toEqual(['mine\n', false]);
  });

  it('can do all else: read it, write elsewhere, and leave its exit code', async () => {
    const { at, run } = closedRig();
    const { exitCode, output } = await run('cat "$ROOT/lines.txt"; echo made > ../made.txt; echo in > here.txt; exit 7');
    expect([exitCode, output, readFileSync(at('made.txt'), 'utf8'), readFileSync(at('worktree/here.txt'), 'utf8')]).toEqual([7, 'mine\n', 'made\n', 'in\n']);
  });

  it('does not run where that could not be tried out, and is held once it can', async () => {
    const program = join(temporaryFolder(), 'bwrap');
    // As on a machine without memory, the first trial is killed.
    writeFileSync(
      program,
      `#!/bin/bash\nif [ "$1" = --dev-bind ] && [ ! -e ${program}.once ]; then touch ${program}.once; kill -9 $$; fi\nexec /usr/bin/bwrap "$@"\n`,
    );
    chmodSync(program, 0o755);
    const { at, run } = closedRig([program]);
    await expect(run('touch "$ROOT/made.txt"')).rejects.toThrow('could not be found out');
    expect((await run('touch "$ROOT/made.txt"')).exitCode).not.toBe(0);
    expect(existsSync(at('checkout/made.txt'))).toBe(false);
  });

  it('runs as it always did where there is no sandbox', async () => {
    const { at, run } = closedRig([]);
    expect((await run('touch "$ROOT/made.txt"')).exitCode).toBe(0);
    expect(existsSync(at('checkout/made.txt'))).toBe(true);
  });
});
