import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAt } from '../../support/temporary-folder.js';
import { createWorktree } from '../../../src/worktree/create.js';
import { changeSetOf } from '../../../src/worktree/change-set.js';
import { gitIn, going, made, probe, rigWith, shellIn } from './rig.js';

/** All files of a folder of Git with their content, but for references of Gnomon’s. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !path.includes('refs/gnomon'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

test('a worktree of a branch has its files, a branch of its own, and nothing that differs', async () => {
  const rig = await rigWith('printf "one\\n" > a.txt; mkdir b; echo two > b/run; chmod +x b/run; ln -s a.txt link; git add .; git commit -qm one');
  const before = contentsOf(rig.main.gitFolder);
  const { tree, unit } = await made(rig);
  expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('one\n');
  expect(lstatSync(join(tree, 'b/run')).mode & 0o111).not.toBe(0);
  expect(readlinkSync(join(tree, 'link'))).toBe('a.txt');
  expect(gitIn(tree, 'status', '--porcelain=v1', '--branch')).toBe('## work\n');
  expect(gitIn(tree, 'rev-parse', 'main', 'HEAD')).toBe(rig.git('rev-parse', 'main', 'main'));
  expect(contentsOf(rig.main.gitFolder)).toEqual(before);
  expect(unit.startsWith(join(rig.around, '.gnomon-worktrees'))).toBe(true);
  expect(rig.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('E-40: a snapshot has uncommitted, staged, deleted, and untracked files, no ignored ones, and touches neither index nor references', async () => {
  const rig = await rigWith('echo .env > .gitignore; for f in a b c d; do echo $f > $f; done; git add .; git commit -qm one');
  shellIn(rig.main.root, 'echo A > a; echo B > b; git add b; rm c; echo B2 > b; mkdir n; echo new > n/new; echo secret > .env; git stash list > /dev/null');
  const before = contentsOf(rig.main.gitFolder);
  const worktree = await made(rig, 'snapshot');
  const { tree } = worktree;
  expect(contentsOf(rig.main.gitFolder)).toEqual(before);
  expect(['a', 'b', 'n/new'].map((name) => readFileSync(join(tree, name), 'utf8'))).toEqual(['A\n', 'B2\n', 'new\n']);
  expect(existsSync(join(tree, 'c'))).toBe(false);
  expect(existsSync(join(tree, '.env'))).toBe(false);
  expect((await changeSetOf(worktree, rig.main, going)).files).toEqual([]);
  expect(gitIn(tree, 'status', '--porcelain')).toBe('');
  writeAt(join(tree, 'a'), 'changed\n');
  expect((await changeSetOf(worktree, rig.main, going)).files).toMatchObject([
    { path: 'a', kind: 'modified', base: { kind: 'file', bytes: Buffer.from('A\n') } },
  ]);
});

test('E-40: a snapshot of a repository without commits', async () => {
  const rig = await rigWith('echo one > a.txt');
  expect(await createWorktree({ main: rig.main, home: rig.home, name: 'work', base: { branch: 'main' }, probe, signal: going })).toMatchObject({
    why: 'no_commit',
  });
  const { tree } = await made(rig, 'snapshot');
  expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('one\n');
});
