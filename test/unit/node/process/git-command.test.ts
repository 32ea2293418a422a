import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { git } from '../../../../src/node/process/git-command.js';

/** Git as it is, in a folder. @returns what it wrote */
const plainGit = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

test('a folder of the workspace that looks like a repository is none', async () => {
  const folder = temporaryFolder();
  execFileSync('git', ['init', '-q', folder]);
  const evil = join(folder, 'evil');
  for (const name of ['objects', 'refs']) mkdirSync(join(evil, name), { recursive: true });
  writeFileSync(join(evil, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(evil, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n');
  expect(execFileSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: evil, encoding: 'utf8' }).trim()).toMatch(/evil$/);
  await expect(git(evil, ['rev-parse', '--absolute-git-dir'])).rejects.toThrow('git rev-parse failed');
  expect((await git(folder, ['rev-parse', '--absolute-git-dir'])).toString().trim()).toMatch(/\.git$/);
});

test('no filter, converter or monitor of the repository’s own settings is run', async () => {
  const folder = temporaryFolder();
  const plain = (...args: readonly string[]): string => plainGit(folder, ...args);
  plain('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  plain('add', '.');
  plain('commit', '-qm', 'a');
  writeFileSync(join(folder, 'evil.sh'), '#!/bin/sh\ntouch PWN\ncat\n', { mode: 0o755 });
  writeFileSync(join(folder, '.gitattributes'), 'a.txt filter=x diff=x\n');
  for (const name of ['core.fsmonitor', 'filter.x.clean', 'filter.y.process', 'diff.x.textconv', 'diff.x.command', 'diff.external'])
    plain('config', name, './evil.sh');
  plain('config', 'filter.x.required', 'true');
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  plain('status');
  expect(existsSync(join(folder, 'PWN'))).toBe(true);
  rmSync(join(folder, 'PWN'));
  expect((await git(folder, ['diff', '--', 'a.txt'])).toString()).toContain('+two');
  expect((await git(folder, ['status', '--porcelain'])).toString()).toContain(' M a.txt');
  // What writes an index compares files that may have been changed since it was written.
  utimesSync(join(folder, 'a.txt'), new Date('2100-01-01'), new Date('2100-01-01'));
  plain('add', 'a.txt');
  rmSync(join(folder, 'PWN'));
  const index = join(folder, 'index');
  copyFileSync(join(folder, '.git', 'index'), index);
  await git(folder, ['update-index', '--skip-worktree', '-z', '--stdin'], undefined, { index, input: Buffer.from('a.txt\0') });
  expect(existsSync(join(folder, 'PWN'))).toBe(false);
});

test.each([
  ['add', '-A'],
  ['blame', 'a.txt'],
  ['cat-file', '-p', 'HEAD:a.txt'],
  ['check-ignore', 'a.txt'],
  ['checkout-index', '--prefix=copy/', 'a.txt'],
  ['diff', '--stat'],
  ['diff-files', '-p'],
  ['diff-index', '-p', 'HEAD'],
  ['grep', 'one'],
  ['hash-object', 'a.txt'],
  ['log', '-p', '--raw'],
  ['ls-files', '--others', '--exclude-standard'],
  ['ls-tree', 'HEAD'],
  ['rev-parse', '--git-path', 'index'],
  ['show', 'HEAD'],
  ['stash', 'create'],
  ['status', '--porcelain'],
  ['symbolic-ref', 'HEAD'],
  ['update-index', '--refresh'],
])('%s starts nothing that the settings of the repository name, for a file that may have been changed', async (command, ...args) => {
  const folder = temporaryFolder();
  const plain = (...rest: readonly string[]): string => plainGit(folder, ...rest);
  plain('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  plain('add', '.');
  plain('commit', '-qm', 'a');
  const canary = join(folder, '.git', 'PWN');
  const script = join(folder, '.git', 'evil.sh');
  writeFileSync(script, `#!/bin/sh\ntouch '${canary}'\ncat\n`, { mode: 0o755 });
  writeFileSync(join(folder, '.git', 'info', 'attributes'), '* filter=x diff=x\n');
  for (const name of ['filter.x.clean', 'filter.x.smudge', 'diff.x.textconv', 'diff.x.command', 'diff.external', 'core.fsmonitor', 'core.pager'])
    plain('config', name, script);
  utimesSync(join(folder, 'a.txt'), new Date('2100-01-01'), new Date('2100-01-01'));
  // It is run by Git as it is.
  plain('hash-object', 'a.txt');
  expect(existsSync(canary)).toBe(true);
  rmSync(canary);
  // Some need more settings than a command that only reads has. What they say does not matter here.
  await git(folder, [command, ...args]).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
  expect(existsSync(canary)).toBe(false);
});

test('no filter of the settings of a submodule is run', async () => {
  const folder = temporaryFolder();
  const sub = join(folder, 'sub');
  for (const place of [folder, sub]) plainGit(folder, 'init', '-q', place);
  writeFileSync(join(sub, 'a.txt'), 'one\n');
  writeFileSync(join(sub, '.gitattributes'), 'a.txt filter=x\n');
  for (const place of [sub, folder]) {
    plainGit(place, 'add', '.');
    plainGit(place, 'commit', '-qm', 'a');
  }
  writeFileSync(join(folder, 'evil.sh'), `#!/bin/sh\ntouch '${join(folder, 'PWN')}'\ncat\n`, { mode: 0o755 });
  plainGit(sub, 'config', 'filter.x.clean', join(folder, 'evil.sh'));
  writeFileSync(join(sub, 'a.txt'), 'two\n');
  for (const command of ['diff', 'status']) {
    plainGit(folder, command);
    expect(existsSync(join(folder, 'PWN'))).toBe(true);
    rmSync(join(folder, 'PWN'));
    await git(folder, [command, '--', 'sub']);
    expect(existsSync(join(folder, 'PWN'))).toBe(false);
  }
});

test('nothing is fetched from where the settings of the repository say that missing objects are', async () => {
  const folder = temporaryFolder();
  const plain = (...args: readonly string[]): string => plainGit(folder, ...args);
  plain('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  plain('add', '.');
  plain('commit', '-qm', 'a');
  writeFileSync(join(folder, 'evil.sh'), '#!/bin/sh\ntouch PWN\n', { mode: 0o755 });
  for (const [name, value] of [
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', `ext::${join(folder, 'evil.sh')}`],
    ['protocol.ext.allow', 'always'],
  ] as const)
    plain('config', name, value);
  const blob = plain('rev-parse', 'HEAD:a.txt').trim();
  rmSync(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  expect(() => plain('diff', '--', 'a.txt')).toThrow('fatal');
  expect(existsSync(join(folder, 'PWN'))).toBe(true);
  rmSync(join(folder, 'PWN'));
  for (const args of [
    ['diff', '--', 'a.txt'],
    ['cat-file', 'blob', blob],
    ['log', '-p'],
  ])
    await expect(git(folder, args)).rejects.toThrow(`git ${args[0] ?? ''} failed`);
  expect(existsSync(join(folder, 'PWN'))).toBe(false);
});

test('an object that stands in for another one by a replacement is not shown in its place', async () => {
  const folder = temporaryFolder();
  const run = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' }).trim();
  run('init', '-q');
  writeFileSync(join(folder, 'a.txt'), 'shown\n');
  writeFileSync(join(folder, '.env'), 'canary\n');
  run('add', '-f', '.');
  run('commit', '-qm', 'first');
  run('replace', run('rev-parse', 'HEAD:a.txt'), run('rev-parse', 'HEAD:.env'));
  expect(run('show', 'HEAD:a.txt')).toBe('canary');
  expect((await git(folder, ['show', 'HEAD:a.txt'])).toString('utf8')).toBe('shown\n');
});
