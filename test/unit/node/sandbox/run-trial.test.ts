import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { runTrial, TriedPrograms } from '../../../../src/node/sandbox/run-trial.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';

/** Starts what does not end with the one that started it, and writes its id to the file `$PIDS`. */
const LEAVES = 'setsid sleep 76 & echo $! > "$PIDS.new" && mv "$PIDS.new" "$PIDS"';

function pidIn(file: string): number {
  return Number(readFileSync(file, 'utf8'));
}

describe.runIf(process.platform === 'linux')('a trial of a sandbox', () => {
  it('says how it ended and why', async () => {
    expect(await runTrial('/bin/sh', ['-c', 'echo " no such thing " >&2; exit 3'], {})).toEqual({ exitCode: 3, stderr: 'no such thing' });
    expect(await runTrial('/bin/sh', ['-c', 'kill -s KILL $$'], {})).toEqual({ exitCode: undefined, stderr: '' });
    expect(await runTrial('/no/such/program', [], {})).toEqual({ exitCode: undefined, stderr: 'spawn /no/such/program ENOENT' });
  });

  it('leaves nothing when its first process has ended', async () => {
    const pids = join(temporaryFolder(), 'pids');
    expect(await runTrial('/bin/sh', ['-c', `${LEAVES}; exit 3`], { ...process.env, PIDS: pids })).toEqual({ exitCode: 3, stderr: '' });
    expect(running([pidIn(pids)])).toEqual([]);
  });

  it('leaves nothing when the host is killed', async () => {
    const folder = temporaryFolder();
    const [pids, bundle] = [join(folder, 'pids'), join(folder, 'trial.mjs')];
    const source = new URL('../../../../src/node/sandbox/run-trial.ts', import.meta.url).pathname;
    await build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: bundle });
    const trial = JSON.stringify(['-c', `${LEAVES}; wait`]);
    writeFileSync(join(folder, 'host.mjs'), `import { runTrial } from './trial.mjs'; await runTrial('/bin/sh', ${trial}, process.env);`);
    const host = spawn(process.execPath, [join(folder, 'host.mjs')], { env: { ...process.env, PIDS: pids }, stdio: 'ignore' });
    const ended = once(host, 'exit');
    await expect.poll(() => existsSync(pids)).toBe(true);
    host.kill('SIGKILL');
    await ended;
    await expect.poll(() => running([pidIn(pids)])).toEqual([]);
  });
});

describe('a program that was tried', () => {
  it('is tried anew when it failed or was replaced, and not for each sandbox', async () => {
    const program = join(temporaryFolder(), 'program');
    const tried = new TriedPrograms<string>();
    const found = (text: string): Promise<string> => tried.of(program, () => Promise.resolve(text));
    writeFileSync(program, 'one');
    await expect(tried.of(program, () => Promise.reject(new Error('It does not hold.')))).rejects.toThrow('It does not hold.');
    expect([await found('first'), await found('second')]).toEqual(['first', 'first']);
    writeFileSync(program, 'another');
    expect([await found('third'), await found('fourth')]).toEqual(['third', 'third']);
    rmSync(program);
    await expect(found('fifth')).rejects.toThrow('ENOENT');
  });
});

describe.runIf(HAS_BUBBLEWRAP)('a bubblewrap that leaves a process', () => {
  it.each([
    ['any sandbox', '*'],
    ['stand-ins for what is missing', '*standin/empty*'],
  ])('has none left when it was tried for %s', async (_what, tried) => {
    const { base, write } = sandboxRig();
    const pids = join(base, 'pids');
    const lines = [
      ...['#!/bin/sh', '[ "$1" = --help ] && exec /usr/bin/bwrap --help', `PIDS=${pids}`],
      ...[`case "$*" in ${tried}) ${LEAVES}; exit 1;; esac`, 'exec /usr/bin/bwrap "$@"', ''],
    ];
    const program = write('bwrap', lines.join('\n'));
    chmodSync(program, 0o755);
    await expect(sandboxRig({ bubblewrap: [program] }).run('true', { hosts: [] })).rejects.toThrow(/sandbox/i);
    expect(running([pidIn(pids)])).toEqual([]);
  });
});
