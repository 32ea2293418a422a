import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asPatch, changeSetOf } from '../../../src/worktree/change-set.js';
import { commitOnBranch } from '../../../src/worktree/commit-on-branch.js';
import { compareWithMain } from '../../../src/worktree/compare.js';
import type { Worktree } from '../../../src/worktree/record.js';
import { inspect } from '../../../src/worktree/repository.js';
import { emptyTrash, KEPT_MS, removeWorktree } from '../../../src/worktree/trash.js';
import { viewOf } from '../../../src/worktree/view.js';
import { going, made, probe, type Rig, rigWith, shellIn } from './rig.js';

/** Names of hooks that commands of Git run. */
const HOOKS = [
  'post-checkout',
  'pre-commit',
  'post-commit',
  'commit-msg',
  'post-index-change',
  'reference-transaction',
  'post-rewrite',
  'pre-auto-gc',
  'update',
  'pre-push',
];
/** Settings that name a program. */
const PROGRAMS = [
  ...[
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
    'core.editor',
    'core.askPass',
    'core.alternateRefsCommand',
    'core.gitProxy',
    'gpg.program',
    'diff.external',
  ],
  ...[
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'diff.x.textconv',
    'diff.x.command',
    'merge.x.driver',
    'credential.helper',
    'uploadpack.packObjectsHook',
  ],
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'submodule.m.update', 'trailer.x.command', 'alias.status', 'gpg.ssh.defaultKeyCommand'],
];

/** Has a repository run a program at every occasion that there is. */
function makeHostile(folder: string, program: string): void {
  const more: readonly (readonly [string, string])[] = [
    ...([
      ['filter.x.required', 'true'],
      ['log.showSignature', 'true'],
      ['commit.gpgSign', 'true'],
      ['extensions.partialClone', 'origin'],
    ] as const),
    ...([
      ['remote.origin.promisor', 'true'],
      ['gc.auto', '1'],
      ['remote.origin.url', `ext::${program}`],
      ['core.repositoryFormatVersion', '1'],
    ] as const),
  ];
  const settings = [...PROGRAMS.map((name) => [name, `${name === 'submodule.m.update' ? '!' : ''}${program}`] as const), ...more];
  const lines = settings.map(([name, value]) => {
    const [section = '', ...keys] = name.split('.');
    return `[${section}${keys.length > 1 ? ` "${keys.slice(0, -1).join('.')}"` : ''}]\n\t${keys.at(-1) ?? ''} = "${value}"\n`;
  });
  appendFileSync(join(folder, '.git', 'config'), lines.join(''));
  const hooks = join(folder, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of HOOKS) writeFileSync(join(hooks, name), `#!/bin/sh\nexec ${program}\n`, { mode: 0o755 });
}

async function everything(rig: Rig, worktree: Worktree): Promise<void> {
  const { main } = rig;
  const set = await changeSetOf(worktree, main, going);
  expect(set.files.map(({ path }) => path)).toContain('a.txt');
  await compareWithMain(set, { worktree, main }, going);
  await asPatch(viewOf(worktree, main), set, going);
  expect(await removeWorktree(worktree.unit, rig.home, { main, probe }, going)).toMatchObject({ kind: 'stays' });
  expect(await commitOnBranch({ worktree, main, message: 'Work', branch: 'kept', signal: going })).toMatchObject({ kind: 'committed' });
  expect(await removeWorktree(worktree.unit, rig.home, { main, probe }, going)).toMatchObject({ kind: 'in_trash' });
  expect(await emptyTrash(rig.home, { main, probe }, Date.now() + KEPT_MS, going)).toMatchObject([{ reasons: [] }]);
}

test('nothing that a repository or an agent names is run: settings, hooks, filters, programs for differences, transports, submodules', async () => {
  const rig = await rigWith(
    'echo one > a.txt; echo "* filter=x diff=x merge=x" > .gitattributes; git add .; git commit -qm one; git config user.name Ada; git config user.email ada@example.com',
  );
  const mark = join(rig.around, 'RUN');
  const program = join(rig.around, 'evil.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat\n`, { mode: 0o755 });
  writeFileSync(join(rig.main.root, '.gitmodules'), '[submodule "m"]\n\tpath = m\n\turl = ./m\n');
  shellIn(rig.main.root, `git update-index --add --cacheinfo 160000,${'1'.repeat(40)},m`);
  writeFileSync(join(rig.main.root, 'a.txt'), 'changed\n');
  makeHostile(rig.main.root, program);
  // They are run by Git as it is.
  shellIn(rig.main.root, 'git diff --stat || true');
  expect(existsSync(mark)).toBe(true);
  shellIn(rig.around, `rm ${mark}`);
  expect(await inspect(rig.main, going)).toMatchObject({ kind: 'repository', files: 2 });
  const worktree = await made(rig, 'snapshot');
  makeHostile(worktree.tree, program);
  writeFileSync(join(worktree.tree, '.git', 'info', 'attributes'), '* filter=x diff=x\n');
  writeFileSync(join(worktree.tree, 'a.txt'), 'by an agent\n');
  await everything(rig, worktree);
  expect(existsSync(mark)).toBe(false);
});

test('E-41: what a shell in a worktree does to its repository changes nothing in the main one', async () => {
  const rig = await rigWith('echo one > a.txt; git add .; git commit -qm one; git branch other; echo x > s; git stash -qu');
  const state = (): string => rig.git('for-each-ref') + rig.git('config', '--local', '--list') + rig.git('stash', 'list') + rig.git('fsck', '--unreachable');
  const { tree } = await made(rig);
  const before = state();
  shellIn(tree, 'git config core.hooksPath /nowhere; git branch -D main; git branch other2; git tag t; git update-ref refs/heads/other HEAD');
  shellIn(
    tree,
    'git update-ref -d refs/stash; git reflog expire --expire=now --all; git gc -q --prune=now; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; git worktree prune',
  );
  expect(state()).toBe(before);
  expect(rig.git('status', '--porcelain')).toBe('');
});
