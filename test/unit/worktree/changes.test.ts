import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeCounts } from '../../../src/worktree/applied.js';
import { asPatch, changeSetOf } from '../../../src/worktree/change-set.js';
import { commitOnBranch } from '../../../src/worktree/commit-on-branch.js';
import { compareWithMain } from '../../../src/worktree/compare.js';
import { mergeVersions } from '../../../src/worktree/merge-file.js';
import { viewOf } from '../../../src/worktree/view.js';
import type { Worktree } from '../../../src/worktree/record.js';
import type { MainRepository } from '../../../src/worktree/repository.js';
import { gitIn, going, made, rigWith, shellIn } from './rig.js';

/** Settings of a user who makes commits. */
const IDENTITY = [
  ['user.name', 'Ada'],
  ['user.email', 'ada@example.com'],
] as const;

const FILES =
  'for f in a b c d e "sp ace" same gone; do echo "$f" > "$f"; done; seq 1 40 > long; printf "\\0\\1" > bin; ln -s a link; printf ".env\\n" > .gitignore';
const WORK =
  'echo A > a; rm gone; git mv long moved; echo x >> moved; chmod +x b; printf "\\0\\2" > bin; rm link; ln -s b link; mkdir n; echo new > "n/né\nw"; echo S > same; ' +
  'git commit -qam work; echo C > c; echo "D" > "sp ace"; echo secret > .env; git config core.excludesFile /dev/null; echo n >> .git/info/exclude';

/** Paths of all that a worktree has changed. */
async function changedIn(worktree: Worktree, main: MainRepository): Promise<readonly string[]> {
  return (await changeSetOf(worktree, main, going)).files.map(({ path }) => path).sort();
}

test('E-78, E-75: what only ignore files from later on ignore is a change, in the patch, and in a commit', async () => {
  const rules = 'printf "build/\\n*.log\\n" > .gitignore; mkdir "in ner"; printf "*.o\\n!kept.o\\n" > "in ner/.gitignore"; echo own.sh > own-rules';
  const rig = await rigWith(`${rules}; echo one > a; ln -s a link; git add .; git commit -qm one`);
  for (const [name, value] of [...IDENTITY, ['core.excludesFile', 'own-rules']] as const) rig.git('config', name, value);
  const worktree = await made(rig);
  const { tree } = worktree;
  // As it began, with files that are ignored, at each place that has rules.
  shellIn(
    tree,
    'mkdir -p build "in ner/build" "in ner/d"; for f in build/x "in ner/build/x" l.log "in ner/l.log" "in ner/d/x.o" own.sh; do echo ignored > "$f"; done',
  );
  expect(await changedIn(worktree, rig.main)).toEqual([]);
  // An agent adds rules, also where the settings of the user name a file. What a tool keeps for itself is none of its work: a new folder that ignores itself.
  shellIn(
    tree,
    'echo "*.dat" >> .gitignore; mkdir -p cache new/deep; printf "# Made by a tool\\n*\\n" > cache/.gitignore; echo "*.dat" > new/.gitignore; echo "*.mine" >> own-rules',
  );
  shellIn(tree, 'for f in work.dat cache/x new/deep/y.dat "in ner/z.dat" w.mine "in ner/kept.o"; do echo "work in $f" > "$f"; done');
  const added = ['.gitignore', 'in ner/kept.o', 'in ner/z.dat', 'new/.gitignore', 'new/deep/y.dat', 'own-rules', 'w.mine', 'work.dat'];
  expect(await changedIn(worktree, rig.main)).toEqual(added);
  // Again, with what was seen the first time.
  expect(await changeCounts(worktree, rig.main, going)).toEqual({ changed: added.length, open: added.length, undone: 0 });
  const set = await changeSetOf(worktree, rig.main, going);
  expect(Buffer.from(await asPatch(viewOf(worktree, rig.main), set, going)).toString('utf8')).toContain('+work in new/deep/y.dat');
  expect(await commitOnBranch({ worktree, main: rig.main, message: 'All', branch: 'all', signal: going })).toMatchObject({ kind: 'committed' });
  expect(rig.git('diff', '--name-only', 'main', 'all').trim().split('\n').sort()).toEqual(added);
  // What an agent takes out of the rules counts as well, wherever they were.
  shellIn(tree, 'rm "in ner/.gitignore"; printf "*.log\\n!build\\n" > .gitignore; mv link other');
  expect(await changedIn(worktree, rig.main)).toEqual([...added, 'build/x', 'in ner/.gitignore', 'in ner/build/x', 'in ner/d/x.o', 'other'].sort());
});

test('E-78: a folder in place of a file, and a name that Git refuses, count as well where only an ignore file from later on ignores them', async () => {
  const rig = await rigWith('mkdir d e; echo one > a; echo one > d/x; echo "*.o" > e/.gitignore; git add .; git commit -qm one');
  for (const [name, value] of IDENTITY) rig.git('config', name, value);
  const worktree = await made(rig);
  shellIn(
    worktree.tree,
    'echo "*" > .gitignore; rm -rf a d e; mkdir a; echo in > a/in; echo file > d; echo file > e; mkdir -p "f/GIT~1"; echo x > "f/GIT~1/x"',
  );
  const set = await changeSetOf(worktree, rig.main, going);
  expect(set.files.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
    'added .gitignore',
    'added a/in',
    'added d',
    'added e',
    'deleted a',
    'deleted d/x',
    'deleted e/.gitignore',
  ]);
  expect(set.refused).toEqual(['f/GIT~1/x']);
  const left = { kind: 'failed', why: 'left_out', detail: 'f/GIT~1/x' };
  expect(await commitOnBranch({ worktree, main: rig.main, message: 'All', branch: 'all', signal: going })).toEqual(left);
});

test('E-78: the change set has commits, changes, and new files, by kind and with both contents; the patch makes the same of the base', async () => {
  const rig = await rigWith(`${FILES}; git add .; git commit -qm one`);
  const worktree = await made(rig);
  shellIn(worktree.tree, WORK);
  const set = await changeSetOf(worktree, rig.main, going);
  const seen = set.files.map(({ path, from, kind, binary }) => [path, kind, ...(from === undefined ? [] : [from]), ...(binary ? ['binary'] : [])].join(' '));
  expect(seen.sort()).toEqual(
    [
      'a modified',
      'b mode',
      'bin modified binary',
      'c modified',
      'gone deleted',
      'link modified',
      'moved renamed long',
      'n/né\nw added',
      'same modified',
      'sp ace modified',
    ].sort(),
  );
  expect(set.files.find(({ path }) => path === 'a')).toMatchObject({ base: { bytes: Buffer.from('a\n'), mode: '100644' }, now: { bytes: Buffer.from('A\n') } });
  expect(set.files.find(({ path }) => path === 'link')).toMatchObject({ base: { kind: 'link', target: 'a' }, now: { kind: 'link', target: 'b' } });

  // In the main checkout meanwhile: another change, the same change, a new file in the way, something staged.
  shellIn(rig.main.root, 'echo other > c; echo S > same; mkdir n; echo staged > e; git add e; echo unstaged > e');
  const index = readFileSync(join(rig.main.gitFolder, 'index'));
  const compared = await compareWithMain(set, { worktree, main: rig.main }, going);
  const fits = Object.fromEntries(compared.map(({ change, fit }) => [change.path, fit]));
  expect(fits).toMatchObject({ a: 'clean', b: 'clean', c: 'conflict', same: 'same', gone: 'clean', moved: 'clean', link: 'clean', 'n/né\nw': 'clean' });
  expect(compared.find(({ change }) => change.path === 'c')?.main).toMatchObject({ kind: 'file', bytes: new Uint8Array(Buffer.from('other\n')) });
  expect(readFileSync(join(rig.main.gitFolder, 'index'))).toEqual(index);

  const patch = join(rig.around, 'patch');
  writeFileSync(patch, await asPatch(viewOf(worktree, rig.main), set, going));
  const other = await made(rig, { branch: 'main' }, 'other');
  gitIn(other.tree, 'apply', '--index', patch);
  expect(gitIn(other.tree, 'write-tree').trim()).toBe(set.tree);
});

// Other systems have only names in UTF-8.
test.runIf(process.platform === 'linux')('E-78: a name that is not in UTF-8 is a change, in a commit as it is, and no other file is taken for it', async () => {
  const [bad, wide] = [`"$(printf 'bad\\377name')"`, `"$(printf 'caf\\351')"`];
  const rig = await rigWith('echo move > moved; git add .; git commit -qm one');
  shellIn(rig.main.root, `echo one > ${wide}; git add .; git commit -qm two; echo draft > "$(printf 'draft\\376')"`);
  const worktree = await made(rig, 'snapshot');
  expect(shellIn(worktree.tree, 'cat draft*')).toBe('draft\n');
  shellIn(worktree.tree, `echo two > ${wide}; mkdir ${bad}; echo new > ${bad}/x; git mv moved "$(printf 'moved\\377')"; echo k > "k\\\\u0041"`);
  const set = await changeSetOf(worktree, rig.main, going);
  // In the main checkout, what would be the same by the names that are shown.
  shellIn(rig.main.root, `mkdir bad\ufffdname; echo new > bad\ufffdname/x; echo k > "k\\\\u0041"`);
  const compared = await compareWithMain(set, { worktree, main: rig.main }, going);
  expect(compared.map(({ change: { path, from, kind, now }, fit }) => [path, from, kind, now.kind, fit])).toEqual([
    ['bad\ufffdname/x', undefined, 'added', 'not_read', 'conflict'],
    ['caf\ufffd', undefined, 'modified', 'not_read', 'conflict'],
    ['k\\u0041', undefined, 'added', 'file', 'same'],
    ['moved\ufffd', 'moved', 'renamed', 'not_read', 'conflict'],
  ]);
  expect((await changeCounts(worktree, rig.main, going)).changed).toBe(4);
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  expect(await commitOnBranch({ worktree, main: rig.main, message: 'All', branch: 'all', signal: going })).toMatchObject({ kind: 'committed' });
  const names = String.raw`"bad\377name/x" "caf\351" "draft\376" "k\\u0041" "moved\377"`;
  expect(rig.git('ls-tree', '-r', '--name-only', 'all').trim().split('\n').join(' ')).toBe(names);
});

test('E-78: a file that has become a folder, and a folder that has become a file, are seen, and are a commit', async () => {
  const rig = await rigWith('echo f > file; mkdir -p d/e; echo in > d/in; echo deep > d/e/deep; git add .; git commit -qm one');
  const worktree = await made(rig);
  shellIn(worktree.tree, 'rm file; mkdir -p file/g; echo new > file/g/new; rm -r d; echo flat > d');
  const { files } = await changeSetOf(worktree, rig.main, going);
  expect(files.map(({ path, kind }) => `${path} ${kind}`).sort()).toEqual(['d added', 'd/e/deep deleted', 'd/in deleted', 'file deleted', 'file/g/new added']);
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  const wanted = { worktree, main: rig.main, message: 'Turn them', branch: 'turned', signal: going };
  expect(await commitOnBranch(wanted)).toMatchObject({ kind: 'committed' });
  expect(rig.git('ls-tree', '-r', '--name-only', 'turned')).toBe('d\nfile/g/new\n');
});

test('a commit on a branch is made by Gnomon: in the name of the user, without hooks, on top of the commits of the agent, the index untouched', async () => {
  const rig = await rigWith('echo one > a.txt; git add .; git commit -qm one; echo staged > s; git add s');
  const worktree = await made(rig);
  const wanted = { worktree, main: rig.main, message: 'All of it\n\nWith words.', branch: 'result', signal: going };
  expect(await commitOnBranch(wanted)).toEqual({ kind: 'nothing' });
  shellIn(worktree.tree, 'echo two > a.txt; git commit -qam "by an agent"; echo new > b; git add b; echo three > a.txt');
  if (rig.git('config', '--default', '', '--get', 'user.email').trim() === '') expect(await commitOnBranch(wanted)).toMatchObject({ why: 'no_identity' });
  rig.git('config', 'user.name', 'Ada');
  rig.git('config', 'user.email', 'ada@example.com');
  writeFileSync(join(rig.main.gitFolder, 'hooks', 'reference-transaction'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const index = readFileSync(join(rig.main.gitFolder, 'index'));
  expect(await commitOnBranch({ ...wanted, branch: 'no..name' })).toMatchObject({ why: 'bad_branch' });
  expect(await commitOnBranch({ ...wanted, branch: 'main' })).toMatchObject({ why: 'branch_exists' });
  expect(await commitOnBranch(wanted)).toMatchObject({ kind: 'committed', branch: 'result' });
  expect(rig.git('log', '--format=%an %s', 'result').trim().split('\n')).toEqual(['Ada All of it', 'Elf by an agent', 'Elf one']);
  expect([rig.git('show', 'result:a.txt'), rig.git('show', 'result:b')]).toEqual(['three\n', 'new\n']);
  expect(readFileSync(join(rig.main.gitFolder, 'index'))).toEqual(index);
  expect(gitIn(worktree.tree, 'status', '--porcelain')).toBe('');
  rig.git('fsck', '--strict');
});

test('a commit on a branch has the files, on top of what the worktree began with, where an agent has deleted its repository', async () => {
  const rig = await rigWith();
  for (const [name, value] of IDENTITY) rig.git('config', name, value);
  const worktree = await made(rig);
  shellIn(worktree.tree, 'echo more >> a.txt; git commit -qam more; echo new > new; rm -rf .git');
  expect(await commitOnBranch({ worktree, main: rig.main, message: 'All', branch: 'all', signal: going })).toMatchObject({ kind: 'committed' });
  expect(rig.git('diff', '--name-only', 'all~1', 'all').trim().split('\n')).toEqual(['a.txt', 'new']);
  expect(rig.git('rev-parse', 'all~1')).toBe(rig.git('rev-parse', 'main'));
});

test('E-33, E-77: a merge keeps what both have changed, and marks what both changed otherwise', async () => {
  const text = (...lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n`);
  const base = text('1', '2', '3', '4', '5', '6', '7');
  const [main, worktree] = [text('one', '2', '3', '4', '5', '6', '7'), text('1', '2', '3', '4', '5', '6', 'seven')];
  const names = ['yours', 'base', 'elf'] as const;
  expect(await mergeVersions({ base, main, worktree }, names, going)).toEqual({
    kind: 'merged',
    conflicts: 0,
    bytes: text('one', '2', '3', '4', '5', '6', 'seven'),
  });
  const both = await mergeVersions({ base, main, worktree: text('uno', '2', '3', '4', '5', '6', '7') }, names, going);
  expect(both).toMatchObject({ kind: 'merged', conflicts: 1 });
  expect(both.kind === 'merged' && Buffer.from(both.bytes).toString()).toContain('<<<<<<< yours\none\n||||||| base\n1\n=======\nuno\n>>>>>>> elf\n');
  expect(await mergeVersions({ base, main, worktree: Buffer.from([0, 1, 2]) }, names, going)).toEqual({ kind: 'binary' });
});
