import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManagedWorktrees } from '../../../src/agent-host/worktrees/managed-worktrees.js';
import { notCommittedText } from '../../../src/agent-host/worktrees/worktree-problems.js';
import { type WorktreeRow, worktreeRows } from '../../../src/agent-host/worktrees/worktree-rows.js';
import { Worktrees } from '../../../src/agent-host/worktrees/worktrees.js';
import { holdWorktree } from '../../../src/worktree/holders.js';
import { reasonText } from '../../../src/worktree/reasons.js';
import { ownPlace, writeRecord } from '../../../src/worktree/record.js';
import { KEPT_MS } from '../../../src/worktree/trash.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { going, made, probe, type Rig, rigWith, shellIn } from '../worktree/rig.js';

/** The worktrees of the window in which a folder is open. */
function managedIn(...folders: readonly string[]): ManagedWorktrees {
  const local = folders.map((path) => ({ name: 'project', path }));
  const groundIn = (): never => {
    throw new Error('No session works here.');
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const all = { all: () => [], local: () => local, paths: () => folders, onDidChange: () => () => undefined };
  return new ManagedWorktrees(new Worktrees({ folders: all, groundIn, log }));
}

/** What the list shows, by name. */
async function shown(managed: ManagedWorktrees, now = Date.now()): Promise<Readonly<Record<string, WorktreeRow>>> {
  const list = await managed.list(going);
  const { worktrees, trash } = worktreeRows(list, await managed.changedFiles(list, going), now);
  return Object.fromEntries([...worktrees.map((row) => [row.name, row] as const), ...trash.map((row) => [`trash ${row.name}`, row] as const)]);
}

const managedOf = ({ main }: Rig): ManagedWorktrees => managedIn(main.root);

test('E-76: the list says of each what it is, its size, its last use, and its changes; what can be done depends on that', async () => {
  const rig = await rigWith();
  const [used, kept, cut, gone, orphan, trashed] = [
    await made(rig, undefined, 'used'),
    await made(rig, undefined, 'kept'),
    await made(rig, undefined, 'cut'),
    await made(rig, undefined, 'gone'),
    await made(rig, undefined, 'orphan'),
    await made(rig, undefined, 'trashed'),
  ];
  const managed = managedOf(rig);
  const hold = await holdWorktree(used, 'run', probe);
  shellIn(kept.tree, 'echo x > new; git commit -q --allow-empty -m empty; echo y > a.txt');
  await managed.lock(kept.unit, 'for later');
  await writeRecord(cut.unit, { ...cut.record, state: 'creating' });
  rmSync(gone.tree, { recursive: true });
  rmSync(ownPlace(orphan.unit, 'record.json'));
  expect(await managed.remove(trashed.unit, going)).toMatchObject({ kind: 'in_trash' });

  const rows = await shown(managed);
  const all = ['open', 'changes', 'apply', 'commit', 'patch', 'lock', 'remove'];
  const words = Object.fromEntries(Object.entries(rows).map(([name, { description, actions }]) => [name, [description.split(' · ')[0], actions]]));
  expect(words).toEqual({
    used: ['In use', all],
    kept: ['Locked', all.map((action) => (action === 'lock' ? 'unlock' : action))],
    cut: ['Unfinished', ['open', 'lock', 'remove']],
    gone: ['Folder gone', ['lock', 'remove']],
    orphan: ['Unknown', ['open', 'remove']],
    'trash trashed': ['', ['restore']],
  });
  expect(rows['kept']?.description).toMatch(/^Locked · [\d.]+ kB$/);
  expect(rows['kept']?.detail).toBe('Last used just now · 2 changed files');
  expect(rows['used']?.detail).toBe('Last used just now · No changed files');
  expect(rows['trash trashed']?.detail).toMatch(/^Can be restored, and is deleted in (?:9|10) minutes$/);
  // As it would be shown where it could not be deleted when its time was over.
  expect((await shown(managed, Date.now() + KEPT_MS))['trash trashed']?.detail).toBe('Stays in the trash until nothing would be lost with it');
  expect((await shown(managed, Date.now() + 7_500_000))['used']?.detail).toBe('Last used 2 hours ago · No changed files');
  await hold.release();
});

test('E-75, E-42: removing says each reason why one stays; what is in the trash is restored, unless its name is taken', async () => {
  const rig = await rigWith();
  const { unit, tree } = await made(rig);
  const managed = managedOf(rig);
  shellIn(tree, 'echo x > new');
  await managed.lock(unit, 'mine');
  const outcome = await managed.remove(unit, going);
  expect(outcome.kind === 'stays' && outcome.reasons.map(reasonText)).toEqual(['It is locked: mine', 'Files in it were changed and not committed: new.']);
  await managed.unlock(unit);
  expect(readFileSync(ownPlace(unit, 'record.json'), 'utf8')).not.toContain('locked');
  rmSync(join(tree, 'new'));
  const removed = await managed.remove(unit, going);
  if (removed.kind !== 'in_trash') throw new Error('It stays.');
  expect([existsSync(unit), Object.keys(await shown(managed))]).toEqual([false, ['trash work']]);
  mkdirSync(unit);
  expect(await managed.restore(removed.unit)).toBeUndefined();
  rmSync(unit, { recursive: true });
  expect((await managed.restore(removed.unit))?.unit).toBe(unit);
  expect(await managed.restore(removed.unit)).toBeUndefined();
  expect([existsSync(join(tree, 'a.txt')), Object.keys(await shown(managed))]).toEqual([true, ['work']]);
  // One that is gone meanwhile is not made anew.
  rmSync(unit, { recursive: true });
  expect([await managed.lock(unit, 'mine'), await managed.unlock(unit), existsSync(unit)]).toEqual([undefined, undefined, false]);
});

test('E-76: what one has changed is committed on a branch or saved as a patch, and then it can go', async () => {
  const rig = await rigWith();
  const worktree = await made(rig);
  const managed = managedOf(rig);
  expect(await managed.patch(worktree, going)).toHaveLength(0);
  shellIn(worktree.tree, 'echo two >> a.txt; printf "\\0\\1" > binary');
  writeFileSync(join(rig.around, 'the.patch'), await managed.patch(worktree, going));
  expect((await managed.changes(worktree, going)).files.map(({ path }) => path)).toEqual(['a.txt', 'binary']);
  const commit = (branch: string): ReturnType<ManagedWorktrees['commitOnBranch']> => managed.commitOnBranch(worktree, { branch, message: 'Do it' }, going);
  const refused = await commit('..');
  expect(refused.kind === 'failed' && notCommittedText(refused)).toBe('“..” is no name for a branch.');
  const there = await commit('main');
  expect(there.kind === 'failed' && notCommittedText(there)).toBe('There is a branch “main” already.');
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  expect(await commit('by-agent')).toMatchObject({ kind: 'committed', branch: 'by-agent' });
  expect(rig.git('log', '-1', '--format=%an %s', 'by-agent')).toBe('Ada Do it\n');
  rig.git('apply', '../the.patch');
  expect(rig.git('diff', '--stat', 'by-agent')).toBe(' binary | Bin 2 -> 0 bytes\n 1 file changed, 0 insertions(+), 0 deletions(-)\n');
  // It can go now.
  expect(await managed.remove(worktree.unit, going)).toMatchObject({ kind: 'in_trash' });
  await expect(commit('late')).rejects.toThrow('ENOENT');
});

test('without a folder or a repository, there is a sentence; what is stopped rejects', async () => {
  const sentence = 'A worktree needs a Git repository, and the folder that is open is in none.';
  await expect(managedIn().list(going)).rejects.toThrow(sentence);
  await expect(managedIn(temporaryFolder()).list(going)).rejects.toThrow(sentence);
  const rig = await rigWith();
  expect(await managedOf(rig).list(going)).toEqual({ worktrees: [], trash: [] });
  await made(rig);
  await expect(managedOf(rig).list(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});
