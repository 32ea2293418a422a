import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeAt } from '../../support/temporary-folder.js';
import { createWorktree } from '../../../src/worktree/create.js';
import { holdWorktree } from '../../../src/worktree/holders.js';
import { chooseHome, unitAround } from '../../../src/worktree/home.js';
import { listWorktrees } from '../../../src/worktree/list.js';
import { reasonText } from '../../../src/worktree/reasons.js';
import { ownPlace, readWorktree, type Worktree, writeRecord } from '../../../src/worktree/record.js';
import { inspect, openRepository } from '../../../src/worktree/repository.js';
import { emptyTrash, KEPT_MS, removeWorktree, restoreWorktree, trashedIn } from '../../../src/worktree/trash.js';
import { gitIn, going, made, probe, type Rig, rigWith, shellIn } from './rig.js';

const RECORD = 'record.json';

/** Tries to remove a worktree. @returns the kinds of reasons why it stays, and their sentences; none when it is in the trash */
async function staying(rig: Rig, { unit }: Pick<Worktree, 'unit'>): Promise<{ readonly kinds: readonly string[]; readonly text: string }> {
  const outcome = await removeWorktree(unit, rig.home, { main: rig.main, probe }, going);
  expect(existsSync(unit)).toBe(outcome.kind === 'stays');
  const reasons = outcome.kind === 'stays' ? outcome.reasons : [];
  return { kinds: reasons.map(({ kind }) => kind), text: reasons.map(reasonText).join('\n') };
}

test('E-42, E-75: uncommitted, unmerged, detached, stashed, locked, in use: it stays and says why; clean again, it goes', async () => {
  const rig = await rigWith();
  const worktree = await made(rig);
  const { tree, unit, record } = worktree;
  shellIn(tree, 'echo x > new; echo y >> a.txt');
  expect(await staying(rig, worktree)).toEqual({ kinds: ['uncommitted'], text: 'Files in it were changed and not committed: a.txt, new.' });
  shellIn(tree, 'git stash -qu');
  expect((await staying(rig, worktree)).kinds).toEqual(['commits']);
  shellIn(tree, 'git stash drop -q; git checkout -q --detach; git commit -q --allow-empty -m detached; git checkout -q work');
  expect((await staying(rig, worktree)).kinds).toEqual(['commits']);
  shellIn(tree, 'git branch kept HEAD@{1}');
  rig.git('fetch', '-q', tree, 'kept:refs/heads/kept');
  await writeRecord(unit, { ...record, locked: 'for later' });
  expect(await staying(rig, worktree)).toEqual({ kinds: ['locked'], text: 'It is locked: for later' });
  await writeRecord(unit, record);
  const hold = await holdWorktree(worktree, 'window', probe);
  expect(await staying(rig, worktree)).toEqual({ kinds: ['in_use'], text: 'It is open in another window.' });
  await hold.release();
  // What a process that is gone has left does not count.
  writeAt(ownPlace(unit, 'holders', 'old.json'), { as: 'run', ...(await probe.self()), pid: 2 ** 22 + 1 });
  const child = spawn('sleep', ['1000'], { cwd: join(tree), stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect((await staying(rig, worktree)).text).toBe(`Process ${child.pid} works in it: ${tree}.`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  writeFileSync(join(tree, '.git', 'index.lock'), '');
  expect((await staying(rig, worktree)).kinds).toEqual(['lock_file']);
  rmSync(join(tree, '.git', 'index.lock'));
  expect(await removeWorktree(unit, rig.home, { main: rig.main, probe }, going)).toMatchObject({ kind: 'in_trash' });
  expect(existsSync(unit)).toBe(false);
});

test('E-75: the trash keeps for ten minutes, restores, and deletes only what is proved again', async () => {
  const rig = await rigWith();
  const ground = { main: rig.main, probe };
  const { unit, tree } = await made(rig);
  await removeWorktree(unit, rig.home, ground, going);
  const [trashed] = await trashedIn(rig.home);
  if (trashed === undefined) throw new Error('It is not in the trash.');
  expect(await emptyTrash(rig.home, ground, trashed.removedAt + KEPT_MS - 1, going)).toEqual([]);
  // The commit that it began with is kept meanwhile.
  rig.git('commit', '-q', '--amend', '-m', 'another');
  rig.git('reflog', 'expire', '--expire=now', '--all');
  rig.git('gc', '-q', '--prune=now');
  expect((await restoreWorktree(trashed, rig.home))?.unit).toBe(unit);
  expect(gitIn(tree, 'status', '--porcelain')).toBe('');
  // By now, nothing of the user’s leads to that commit.
  expect((await staying(rig, { unit })).kinds).toEqual(['commits']);
  rig.git('fetch', '-q', tree, 'HEAD:refs/heads/former');
  await removeWorktree(unit, rig.home, ground, going);
  const [again] = await trashedIn(rig.home);
  if (again === undefined) throw new Error('It is not in the trash.');
  writeFileSync(join(again.unit, 'project-work', 'late'), 'written in the trash');
  expect(await emptyTrash(rig.home, ground, Date.now() + KEPT_MS, going)).toMatchObject([{ reasons: [{ kind: 'uncommitted' }] }]);
  rmSync(join(again.unit, 'project-work', 'late'));
  mkdirSync(join(unit, 'taken'), { recursive: true });
  expect(await restoreWorktree(again, rig.home)).toBeUndefined();
  expect(await emptyTrash(rig.home, ground, Date.now() + KEPT_MS, going)).toEqual([{ unit: again.unit, reasons: [] }]);
  expect(existsSync(again.unit)).toBe(false);
  expect(rig.git('for-each-ref', 'refs/gnomon')).toBe('');
});

test('E-75, E-42: what Git does not see keeps it: nested repositories, files of a submodule, a missing or broken repository, what is only staged', async () => {
  const rig = await rigWith(
    `echo one > a.txt; echo "*.tmp" > .gitignore; git add .; git update-index --add --cacheinfo 160000,${'1'.repeat(40)},module; git commit -qm one`,
  );
  const worktree = await made(rig);
  const { tree, unit } = worktree;
  const after = async (script: string, back: string): Promise<readonly string[]> => {
    shellIn(tree, script);
    const { kinds } = await staying(rig, worktree);
    shellIn(tree, back);
    return kinds;
  };
  expect(await after('echo x > module/file', 'rm module/file')).toEqual(['nested']);
  expect(await after('git init -q in.tmp', 'rm -rf in.tmp')).toEqual(['nested']);
  expect(await after('echo x > s; git add s; rm s', 'git reset -q')).toEqual(['staged']);
  expect(await after('mkdir -p .git/modules/m; echo x > .git/modules/m/config', 'rm -r .git/modules')).toEqual(['under_way']);
  // A commit to which nothing else leads.
  const grafted = 'git commit -q --allow-empty -m two; echo "$(git rev-parse HEAD~1) $(git rev-parse HEAD)" > .git/info/grafts; git reset -q --hard HEAD~1';
  expect(await after(`${grafted}; rm -rf .git/logs .git/ORIG_HEAD`, 'rm .git/info/grafts')).toEqual(['under_way']);
  expect(await after('git update-index --assume-unchanged a.txt; echo x > a.txt', 'echo one > a.txt')).toEqual(['uncommitted']);
  expect(await after('echo x > ../beside', 'rm ../beside')).toEqual(['foreign']);
  if (process.getuid?.() !== 0) {
    mkdirSync(join(tree, 'closed.tmp'));
    chmodSync(join(tree, 'closed.tmp'), 0);
    expect((await staying(rig, worktree)).kinds).toEqual(['unreadable']);
    chmodSync(join(tree, 'closed.tmp'), 0o700);
  }
  renameSync(join(tree, '.git'), join(rig.around, 'hidden'));
  expect((await staying(rig, worktree)).kinds).toContain('not_proved');
  renameSync(join(rig.around, 'hidden'), join(tree, '.git'));
  rmSync(join(rig.main.gitFolder, 'HEAD'));
  expect((await staying(rig, worktree)).kinds).toContain('not_proved');
  writeFileSync(join(rig.main.gitFolder, 'HEAD'), 'ref: refs/heads/main\n');
  expect(await removeWorktree(unit, rig.home, { main: rig.main, probe }, going)).toMatchObject({ kind: 'in_trash' });
});

test('E-75: what only the ignore file of an agent ignores keeps it until it is kept elsewhere, and so does a listed file that this file lets Git see', async () => {
  const rig = await rigWith('echo one > a.txt; printf "*.tmp\\n.env\\n" > .gitignore; git add .; git commit -qm one');
  const worktree = await made(rig);
  const { tree, unit, record } = worktree;
  await writeRecord(unit, { ...record, listed: ['.env', '*.key'] });
  // A listed file that is ignored as it was at the beginning.
  shellIn(tree, 'echo E=1 > .env');
  expect((await staying(rig, worktree)).text).toBe('Ignored files that are listed for worktrees differ from those of the main checkout: .env.');
  shellIn(tree, 'echo rubbish > x.tmp; printf "*.tmp\\n*.dat\\n*.key\\n" > .gitignore; echo work > result.dat; echo key > a.key');
  const all = 'Files in it were changed and not committed: .env, .gitignore, a.key and 1 more.';
  expect((await staying(rig, worktree)).text).toBe(all);
  // The same rules in the main checkout say no more of what may be lost.
  shellIn(rig.main.root, `cp "${tree}/.gitignore" "${tree}/.env" "${tree}/a.key" .`);
  expect((await staying(rig, worktree)).text).toBe('Files in it were changed and not committed: result.dat.');
  shellIn(rig.main.root, 'echo work > result.dat');
  expect(await staying(rig, worktree)).toEqual({ kinds: [], text: '' });
});

test('E-76: a record of which only the words on its agent cannot be read is that of a worktree all the same', async () => {
  const rig = await rigWith();
  const { unit, record } = await made(rig);
  for (const agent of [5, null, {}, { type: 'general', task: 1, chat: 'c' }]) {
    writeFileSync(ownPlace(unit, RECORD), JSON.stringify({ ...record, agent }));
    expect((await readWorktree(unit))?.record).toEqual(record);
  }
  writeFileSync(ownPlace(unit, RECORD), JSON.stringify({ ...record, locked: 5 }));
  expect(await readWorktree(unit)).toBeUndefined();
});

/** Other systems have only names in UTF-8. */
const hasAnyNames = process.platform === 'linux';

test.runIf(hasAnyNames)('E-75: a name that is not in UTF-8 keeps it as any other does, and it goes once the main checkout has the same', async () => {
  const [bad, wide] = [`"$(printf 'bad\\377name')"`, `"$(printf 'caf\\351')"`];
  const rig = await rigWith('echo one > a.txt; echo "*.tmp" > .gitignore; git add .; git commit -qm one');
  shellIn(rig.main.root, `echo caf > ${wide}; git add .; git commit -qm two`);
  const worktree = await made(rig);
  const { tree } = worktree;
  const after = async (script: string, back: string): Promise<string> => {
    shellIn(tree, script);
    const { text } = await staying(rig, worktree);
    shellIn(tree, back);
    return text;
  };
  expect(await after(`echo new > ${bad}`, `rm ${bad}`)).toBe('Files in it were changed and not committed: bad\ufffdname.');
  expect(await after(`echo two > ${wide}`, 'git checkout -q .')).toBe('Files in it were changed and not committed: caf\ufffd.');
  expect(await after('rm caf*', 'git checkout -q .')).toBe('Files in it were changed and not committed: caf\ufffd.');
  expect(await after(`echo x > ${bad}; git add .; rm ${bad}`, 'git reset -q')).toContain('The index has content that is in no file');
  expect(await after(`mkdir ${bad}; git init -q ${bad}/in.tmp`, `rm -rf ${bad}`)).toBe(
    'There are repositories in it, or files in the folder of a submodule: bad\ufffdname/in.tmp/.git.',
  );
  expect(await after(`mkdir .git/modules; mkdir .git/modules/${bad}; echo x > .git/modules/${bad}/config`, 'rm -r .git/modules')).toContain('modules');
  // A file by the name that is shown is another one, and so is one beyond a link.
  shellIn(tree, `mkdir ${bad}; echo new > ${bad}/é; echo two > ${wide}`);
  shellIn(rig.main.root, `mkdir bad\ufffdname; echo new > bad\ufffdname/é; echo two > caf\ufffd; ln -s bad\ufffdname ${bad}`);
  expect((await staying(rig, worktree)).text).toBe('Files in it were changed and not committed: bad\ufffdname/é, caf\ufffd.');
  shellIn(rig.main.root, `rm ${bad}; mkdir ${bad}; echo new > ${bad}/é; echo two > ${wide}`);
  expect(await staying(rig, worktree)).toEqual({ kinds: [], text: '' });
  const emptied = await emptyTrash(rig.home, { main: rig.main, probe }, Date.now() + KEPT_MS, going);
  expect(emptied.map(({ unit, reasons }) => [existsSync(unit), reasons])).toEqual([[false, []]]);
});

test('E-75, E-76: folders without a record, unfinished ones, and missing ones are listed; only what is known to be empty goes', async () => {
  const rig = await rigWith();
  const ground = { main: rig.main, probe };
  const [orphan, cut, gone, used] = [
    await made(rig, undefined, 'orphan'),
    await made(rig, undefined, 'cut'),
    await made(rig, undefined, 'gone'),
    await made(rig, undefined, 'used'),
  ];
  rmSync(ownPlace(orphan.unit, RECORD));
  await writeRecord(cut.unit, { ...cut.record, state: 'creating' });
  rmSync(join(cut.tree, 'a.txt'));
  rmSync(gone.tree, { recursive: true });
  mkdirSync(join(rig.home.folder, 'begun', 'gnomon', 'view'), { recursive: true });
  await holdWorktree(used, 'run', probe);
  const listed = await listWorktrees(rig.home, probe, going);
  const states = Object.fromEntries(listed.map(({ name, state }) => [name, state]));
  expect(states).toEqual({ orphan: 'unknown', cut: 'unfinished', gone: 'gone', used: 'in_use', begun: 'unknown' });
  expect(listed.every(({ bytes, lastUse, name }) => (bytes > 0 || name === 'begun') && Math.abs(Date.now() - lastUse) < 600_000)).toBe(true);
  const outcomes = await Promise.all(listed.map(async ({ unit, name }) => [name, (await removeWorktree(unit, rig.home, ground, going)).kind]));
  expect(Object.fromEntries(outcomes)).toEqual({ orphan: 'stays', cut: 'in_trash', gone: 'in_trash', used: 'stays', begun: 'in_trash' });
  expect((await emptyTrash(rig.home, ground, Date.now() + KEPT_MS, going)).map(({ reasons }) => reasons)).toEqual([[], [], []]);
});

test('E-75: what a snapshot has of the user is kept until it is somewhere else', async () => {
  const rig = await rigWith();
  writeAt(join(rig.main.root, 'draft'), 'first\n');
  const worktree = await made(rig, 'snapshot');
  writeAt(join(rig.main.root, 'draft'), 'second\n');
  expect((await staying(rig, worktree)).text).toBe('It began with changes that are neither in the main checkout nor in a commit any more: draft.');
  shellIn(rig.main.root, 'echo first > old; git add old; git commit -qm "it is in a commit, by another name"');
  expect(await removeWorktree(worktree.unit, rig.home, { main: rig.main, probe }, going)).toMatchObject({ kind: 'in_trash' });
});

test('E-75, E-42: what the main checkout has at the same path, or a newer commit of the user, is kept; another mode, content, or path is not', async () => {
  const rig = await rigWith('echo one > a.txt; echo two > b.txt; echo three > c.txt; ln -s a.txt link; git add .; git commit -qm one');
  const worktree = await made(rig);
  const root = rig.main.root;
  const left = async (there: string, user = ''): Promise<string> => {
    shellIn(worktree.tree, there);
    if (user !== '') shellIn(root, user);
    return (await staying(rig, worktree)).text;
  };
  const uncommitted = (paths: string): string => `Files in it were changed and not committed: ${paths}.`;
  expect(await left('echo changed > a.txt; mkdir d; echo new > d/n; ln -sf b.txt link; rm b.txt')).toBe(uncommitted('a.txt, b.txt, d/n and 1 more'));
  expect(await left('', 'echo changed > a.txt; mkdir d; echo new > d/other')).toBe(uncommitted('b.txt, d/n, link'));
  expect(await left('', 'mv d/other d/n; ln -sf b.txt link')).toBe(uncommitted('b.txt'));
  expect(await left('', 'rm b.txt; chmod +x c.txt')).toBe('');
  await back(rig, worktree);
  expect(await left('chmod +x c.txt a.txt')).toBe(uncommitted('a.txt'));
  // Its content is in a commit, but that it can be run is not.
  expect(await left('chmod -x a.txt c.txt; echo two > b.txt; chmod +x b.txt', 'echo two > b.txt; git add .; git commit -qm "b again"')).toBe(
    uncommitted('b.txt'),
  );
  expect(await left('rm b.txt; echo staged > s; git add s; echo in a file > s', 'rm b.txt; echo in a file > s')).toBe(
    'The index has content that is in no file and in no commit: s.',
  );
  expect(await left('', 'echo staged > elsewhere; git add elsewhere; git commit -qm elsewhere')).toBe('');
  await back(rig, worktree);
  // An old content is in a commit, but the worktree began after that.
  expect(await left('git reset -q --hard; cp c.txt d.txt')).toBe(uncommitted('d.txt'));
});

/** Takes a worktree that could be removed out of the trash again. */
async function back(rig: Rig, { unit }: Worktree): Promise<void> {
  const trashed = (await trashedIn(rig.home)).find(({ name }) => unit.endsWith(name));
  expect(trashed && (await restoreWorktree(trashed, rig.home))?.unit).toBe(unit);
}

test('E-42: without Git, without a repository, bare, detached, unborn, with a lock file, by a bad or taken name', async () => {
  const rig = await rigWith('echo one > a.txt; git add .; git commit -qm one; git branch other; git checkout -q --detach; : > .git/index.lock; echo new > n');
  const found = await inspect(rig.main, going);
  expect(found).toMatchObject({
    head: { kind: 'detached' },
    branches: [{ name: 'main' }, { name: 'other' }],
    lockFiles: ['index.lock'],
    bytes: { checkout: 4, untracked: 4 },
    isPartial: false,
  });
  expect(await made(rig, 'snapshot', 'despite')).toMatchObject({ record: { name: 'despite' } });
  const wanted = { main: rig.main, home: rig.home, base: { branch: 'main' }, probe, signal: going };
  for (const name of ['../x', 'a/b', '.git', 'x.lock', 'CON', '']) expect(await createWorktree({ ...wanted, name })).toMatchObject({ why: 'bad_name' });
  expect(await createWorktree({ ...wanted, name: 'despite' })).toMatchObject({ why: 'name_taken' });
  expect(await createWorktree({ ...wanted, name: 'none', base: { branch: 'none' } })).toMatchObject({ why: 'no_branch' });
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(createWorktree({ ...wanted, name: 'stopped', signal: stopped })).rejects.toThrow('stopped');
  expect(readdirSync(rig.home.folder).sort()).toEqual(['.trash', 'despite']);

  const folder = temporaryFolder();
  expect(await openRepository(folder)).toMatchObject({ kind: 'no_repository' });
  gitIn(folder, 'init', '-q', '--bare');
  expect(await openRepository(folder)).toMatchObject({ kind: 'bare' });
});

test('E-42: on a full disk nothing is left, and the main repository is as it was', async () => {
  const rig = await rigWith('head -c 300000 /dev/urandom > big; git add .; git commit -qm one');
  const bin = join(rig.around, 'bin');
  // A file can have 64 blocks of 512 bytes: Git ends as on a disk that is full.
  writeAt(join(bin, 'git'), `#!/bin/sh\nulimit -f 64\nPATH="${process.env['PATH']}" exec git "$@"\n`);
  chmodSync(join(bin, 'git'), 0o755);
  const path = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = path));
  process.env['PATH'] = `${bin}:${path}`;
  const outcome = await createWorktree({ main: rig.main, home: rig.home, name: 'full', base: { branch: 'main' }, probe, signal: going });
  process.env['PATH'] = path;
  expect(outcome).toMatchObject({ kind: 'failed' });
  expect(readdirSync(rig.home.folder)).toEqual(['.trash']);
  expect(rig.git('for-each-ref', 'refs/gnomon') + rig.git('status', '--porcelain')).toBe('');
});

test('E-73: worktrees lie outside of every workspace folder, on the same file system, and Git ignores them where they are in a repository', async () => {
  const rig = await rigWith();
  gitIn(rig.around, 'init', '-q');
  await made(rig);
  expect(gitIn(rig.around, 'status', '--porcelain', '--untracked-files=all')).not.toContain('gnomon');
  expect(await chooseHome(rig.main, { workspaceFolders: [rig.around] })).not.toMatchObject({ all: join(rig.around, '.gnomon-worktrees') });
  expect(await chooseHome(rig.main, { workspaceFolders: [], configured: rig.main.root })).toBe('inside_workspace');
  expect(await chooseHome(rig.main, { workspaceFolders: [], configured: '/proc' })).toBe('other_file_system');
  expect(unitAround(join(rig.home.folder, 'work', 'project-work', 'a'))).toBe(join(rig.home.folder, 'work'));
  expect(unitAround(rig.main.root)).toBeUndefined();
});
