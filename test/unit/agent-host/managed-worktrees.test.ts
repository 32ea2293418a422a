import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManagedWorktrees } from '../../../src/agent-host/worktrees/managed-worktrees.js';
import { notCommittedText } from '../../../src/agent-host/worktrees/worktree-problems.js';
import { type WorktreeRow, worktreeRows } from '../../../src/agent-host/worktrees/worktree-rows.js';
import { Worktrees } from '../../../src/agent-host/worktrees/worktrees.js';
import { noteApplied } from '../../../src/worktree/applied.js';
import { holdWorktree } from '../../../src/worktree/holders.js';
import { isKeptByCommit, reasonText } from '../../../src/worktree/reasons.js';
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
async function shown(
  managed: ManagedWorktrees,
  { now = Date.now(), chats = new Map<string, string>() }: { readonly now?: number; readonly chats?: ReadonlyMap<string, string> } = {},
): Promise<Readonly<Record<string, WorktreeRow>>> {
  const list = await managed.list(going);
  const { worktrees, trash } = worktreeRows(list, { counts: await managed.changeCounts(list, going), chats, now });
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
  const words = Object.fromEntries(Object.entries(rows).map(([name, { detail, actions }]) => [name, [detail.split(' · ')[0], actions]]));
  expect(words).toEqual({
    used: ['In use', all],
    kept: ['Locked', all.map((action) => (action === 'lock' ? 'unlock' : action))],
    cut: ['Unfinished', ['open', 'lock', 'remove']],
    gone: ['Folder gone', ['lock', 'remove']],
    orphan: ['Unknown', ['open', 'remove']],
    'trash trashed': [expect.stringMatching(/^Can be restored, and is deleted in (?:9|10) minutes$/), ['restore']],
  });
  expect(rows['kept']?.detail).toMatch(/^Locked · 2 changed files · not applied yet · [\d.]+ kB · Last used just now$/);
  expect(rows['used']?.detail).toMatch(/^In use · No changed files · [\d.]+ kB · Last used just now$/);
  // As it would be shown where it could not be deleted when its time was over.
  expect((await shown(managed, { now: Date.now() + KEPT_MS }))['trash trashed']?.detail).toBe('Stays in the trash until nothing would be lost with it');
  expect((await shown(managed, { now: Date.now() + 7_500_000 }))['used']?.detail).toMatch(/Last used 2 hours ago$/);
  await hold.release();
});

test('E-76: the list says whose work is in one, for which chat, and how much of it is in the files of the user now', async () => {
  const rig = await rigWith('for name in a b c; do echo one > $name; done; git add .; git commit -qm one');
  const worktree = await made(rig);
  const agent = { type: 'general', task: 'Fix the\nparser', chat: 'c1' };
  await writeRecord(worktree.unit, { ...worktree.record, agent });
  const managed = managedOf(rig);
  const one = rig.git('rev-parse', 'HEAD:a').trim();
  const row = async (): Promise<readonly (string | undefined)[]> => {
    const { work } = await shown(managed, { chats: new Map([['c1', 'Parsers']]) });
    return [work?.description, ...(work?.detail.split(' · ').slice(1, -2) ?? [])];
  };
  const purpose = 'general: Fix the parser · chat “Parsers”';
  expect(await row()).toEqual([purpose, 'No changed files']);
  shellIn(worktree.tree, 'echo two > a; echo two > b; rm c');
  expect(await row()).toEqual([purpose, '3 changed files', 'not applied yet']);
  // The user has done the same, without having applied anything.
  shellIn(rig.main.root, 'echo two > a');
  expect(await row()).toEqual([purpose, '3 changed files', '2 not applied yet']);
  const two = rig.git('hash-object', 'a').trim();
  await noteApplied(worktree, [
    { path: 'b', version: { id: two, mode: '100644' }, replaced: one },
    { path: 'c', replaced: one },
  ]);
  shellIn(rig.main.root, 'echo two > b; rm c');
  expect(await row()).toEqual([purpose, '3 changed files', 'applied']);
  // What is changed after that, such as a hunk that is undone, is a change of the user.
  shellIn(rig.main.root, 'echo three > b');
  expect(await row()).toEqual([purpose, '3 changed files', 'applied']);
  shellIn(rig.main.root, 'git checkout -q .');
  expect(await row()).toEqual([purpose, '3 changed files', '1 not applied yet', '2 undone']);
  shellIn(worktree.tree, 'echo one > a');
  expect(await row()).toEqual([purpose, '2 changed files', 'applied and undone']);
  expect((await shown(managed))['work']?.description).toBe('general: Fix the parser');
});

test('E-76: what others have named draws no icon in the list', async () => {
  const rig = await rigWith();
  const { unit, record } = await made(rig);
  mkdirSync(join(rig.home.folder, '$(bug)', 'files'), { recursive: true });
  await writeRecord(unit, { ...record, agent: { type: 'general', task: 'Run $(pass)', chat: 'c1' } });
  const rows = Object.values(await shown(managedOf(rig), { chats: new Map([['c1', '$(error) Parsers']]) }));
  expect(rows.map(({ name, description }) => `${name} ${description}`).sort()).toEqual([
    '$\u200b(bug) ',
    'work general: Run $\u200b(pass) · chat “$\u200b(error) Parsers”',
  ]);
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
  expect(await managed.changes(worktree, going)).toEqual([
    { path: 'a.txt', before: 'one\n', after: 'one\ntwo\n' },
    { path: 'binary', after: 'This file is no text. Its size is 0 kB.' },
  ]);
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

test('E-75, E-76: one that began with changes of the user that are gone by now can go once they are on a branch', async () => {
  const rig = await rigWith();
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  const managed = managedOf(rig);
  const root = rig.main.root;
  for (const [name, agent] of Object.entries({ unchanged: 'true', applied: 'echo agent > a.txt' })) {
    shellIn(root, `echo draft ${name} > a.txt`);
    const worktree = await made(rig, 'snapshot');
    shellIn(worktree.tree, agent);
    // What was changed is applied, and the draft is nowhere else.
    shellIn(root, name === 'applied' ? agent : 'git checkout -q .');
    const stays = await managed.remove(worktree.unit, going);
    expect(stays).toMatchObject({ kind: 'stays', reasons: [{ kind: 'snapshot' }] });
    expect(stays.kind === 'stays' && isKeptByCommit(stays.reasons)).toBe(true);
    const wish = { branch: name, message: 'Keep it' };
    if (name === 'unchanged') expect(await managed.commitOnBranch(worktree, wish, going)).toEqual({ kind: 'nothing' });
    expect(await managed.commitOnBranch(worktree, { ...wish, begun: true }, going)).toMatchObject({ kind: 'committed' });
    expect(rig.git('log', '-p', '--format=', name)).toContain(`+draft ${name}`);
    const removed = await managed.remove(worktree.unit, going);
    expect(removed).toMatchObject({ kind: 'in_trash' });
    rmSync(removed.kind === 'in_trash' ? removed.unit : '', { recursive: true });
  }
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
