import { createServer } from 'node:net';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeAt } from '../../support/temporary-folder.js';
import { listWorktrees } from '../../../src/worktree/list.js';
import { givePorts, variablesOf } from '../../../src/worktree/ports.js';
import { removeWorktree } from '../../../src/worktree/trash.js';
import { type SetUpRunner, setUp } from '../../../src/worktree/set-up.js';
import { readSetUpPlan } from '../../../src/worktree/set-up-plan.js';
import { going, made, probe, rigWith } from './rig.js';

test('E-72: a plan is read from the file of Gnomon, else from that of Cursor, with .worktreeinclude', async () => {
  const folder = temporaryFolder();
  const read = (platform: NodeJS.Platform = 'linux'): ReturnType<typeof readSetUpPlan> => readSetUpPlan([folder], platform, going);
  expect(await read()).toMatchObject({ files: [], commands: [], copy: [], ports: 10 });
  writeAt(join(folder, '.worktreeinclude'), '# secrets\n.env\n\nconfig/*.local\n!config/a.local\n');
  writeAt(join(folder, '.cursor/worktrees.json'), { 'setup-worktree': ['npm ci'], 'setup-worktree-windows': 'set up.ps1' });
  expect(await read()).toMatchObject({ commands: ['npm ci'], copy: ['.env', 'config/*.local', '!config/a.local'] });
  expect((await read('win32')).files[0]?.problem).toContain('set up.ps1');
  writeAt(join(folder, '.cursor/worktrees.json'), { 'setup-worktree-unix': 'set up.sh' });
  writeAt(join(folder, '.cursor/set up.sh'), 'echo 1\n');
  expect((await read()).commands).toEqual(["sh '.cursor/set up.sh'"]);
  writeAt(join(folder, '.cursor/worktrees.json'), { 'setup-worktree': '../../elsewhere.sh' });
  expect((await read()).files[0]?.problem).toContain('elsewhere');
  writeAt(join(folder, '.gnomon/worktree.json'), { setup: { unix: ['make'], windows: ['nmake'] }, copy: ['*.key'], ports: 3 });
  expect(await read()).toMatchObject({ commands: ['make'], copy: ['*.key', '.env', 'config/*.local', '!config/a.local'], ports: 3 });
  expect((await read('win32')).commands).toEqual(['nmake']);
  writeAt(join(folder, '.gnomon/worktree.json'), { set: ['make'] });
  expect(await read()).toMatchObject({ commands: [], files: [{ path: '.gnomon/worktree.json', problem: expect.stringContaining('set') as string }, {}] });
});

test('E-72: only ignored files that are listed are copied, no link is followed, nothing is overwritten, and a command that fails ends the set-up', async () => {
  const rig = await rigWith('printf ".env*\\nsecrets/\\n" > .gitignore; echo tracked > tracked.env; git add .; git commit -qm one');
  const { root } = rig.main;
  writeAt(join(rig.around, 'outside'), 'outside');
  for (const name of ['.env', '.env.local', 'secrets/a', 'secrets/b']) writeAt(join(root, name), `${name}\n`);
  writeAt(join(root, 'new.env'), 'not ignored');
  symlinkSync(join(rig.around, 'outside'), join(root, '.env.link'));
  chmodSync(join(root, '.env'), 0o600);
  const worktree = await made(rig);
  writeAt(join(worktree.tree, '.env.local'), 'mine\n');
  const plan = { files: [], commands: ['one', 'two', 'three'], copy: ['*.env', '.env*', '/secrets/a'], ports: 10 };
  const ran: string[] = [];
  const run: SetUpRunner = (command) => {
    ran.push(command);
    return Promise.resolve({ exitCode: command === 'two' ? 3 : 0, output: `${command} says\n` });
  };
  const outcome = await setUp(plan, { worktree, main: rig.main, run }, going);
  expect([...outcome.copied].sort()).toEqual(['.env', 'secrets/a']);
  expect(outcome.notCopied.map(({ path }) => path).sort()).toEqual(['.env.link', '.env.local']);
  expect(outcome).toMatchObject({
    kind: 'failed',
    steps: [
      { command: 'one', exitCode: 0 },
      { command: 'two', exitCode: 3, output: 'two says\n' },
    ],
  });
  expect(ran).toEqual(['one', 'two']);
  expect(lstatSync(join(worktree.tree, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(worktree.tree, '.env.local'), 'utf8')).toBe('mine\n');
  expect(existsSync(join(worktree.tree, '.env.link'))).toBe(false);
  // E-75: from now on, the listed ones count as work.
  expect(await removeWorktree(worktree.unit, rig.home, { main: rig.main, probe }, going)).toMatchObject({
    reasons: [{ kind: 'listed', paths: ['.env.local'] }],
  });
});

test('E-74: each worktree has a name and ports of its own, in which nothing listens', async () => {
  const rig = await rigWith();
  const first = await givePorts(await made(rig, { branch: 'main' }, 'one'), rig.home);
  expect(variablesOf(first)).toMatchObject({ GNOMON_WORKTREE: 'one', GNOMON_PORT_BASE: String(first.record.ports?.base) });
  const server = createServer().listen((first.record.ports?.base ?? 0) + 13, '127.0.0.1');
  await once(server, 'listening');
  const second = await givePorts(await made(rig, { branch: 'main' }, 'two'), rig.home);
  server.close();
  expect(second.record.ports?.base).toBe((first.record.ports?.base ?? 0) + 20);
  expect(await givePorts(second, rig.home)).toBe(second);
  expect((await listWorktrees(rig.home, probe, going)).map(({ name }) => name).sort()).toEqual(['one', 'two']);
});
