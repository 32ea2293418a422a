import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SettingsCopies } from '../../../../src/node/sandbox/settings-copies.js';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { CANARY, SHAPES, git, has, plant, revealed } from './repository-shapes.js';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';
import { ALL_RUNS, everyNth, runs, sampled, someNth } from '../../../support/runs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** What reads a file, in every way that the programs of a small system have. */
const READERS: readonly ((file: string) => string)[] = [
  (file) => `cat ${file}`,
  (file) => `head -c 9999 ${file}`,
  (file) => `tail -n 999 ${file}`,
  (file) => `base64 -w 0 ${file}`,
  (file) => `od -An -tx1 -v ${file} | tr -d ' \\n'`,
  (file) => `rev ${file}`,
  (file) => `tac ${file}`,
  (file) => `sort ${file}`,
  (file) => `strings ${file}`,
  (file) => `awk 1 ${file}`,
  (file) => `sed -n p ${file}`,
  (file) => `cut -c 1- ${file}`,
  (file) => `nl ${file}`,
  (file) => `tr a a < ${file}`,
  (file) => `grep -n . ${file}`,
  (file) => `diff /dev/null ${file}`,
  (file) => `dd if=${file} 2>/dev/null`,
  (file) => `perl -pe 1 ${file}`,
  (file) => `bash -c 'echo "$(< ${file})"'`,
  (file) => `tar -cO ${file} 2>/dev/null`,
  (file) => `paste ${file}`,
  (file) => `git config --file ${file} --list`,
  (file) => `cp ${file} /tmp/x && cat /tmp/x`,
  (file) => `ln -s ${file} /tmp/l && cat /tmp/l`,
  (file) => `cat /proc/self/cwd/${file}`,
];
/** What looks through folders, or has Git say what its settings are. */
const SEARCHES: readonly string[] = [
  ...['grep -rn . . --include="config*"', 'find . -name "config*" -exec cat {} +', 'tar -cO . 2>/dev/null | strings', 'git config --list'],
  ...['git config --list --show-origin', 'git config --local -l', 'git config --worktree -l', 'git config --get-regexp .'],
  ...['git config --get-urlmatch http https://example.com/'],
  ...['git config remote.secret.url', 'git var -l', 'git remote -v', 'git remote get-url secret', 'git remote get-url --push --all secret'],
  ...['git ls-remote --get-url secret', 'git ls-remote --get-url https://github.com/x/y', 'git for-each-ref', 'git branch -vv', 'git submodule'],
  ...['git fetch --dry-run secret', 'git x', 'git credential fill <<< url=https://example.com'],
];

/** What Git says of a repository that reads its settings for it. */
const QUESTIONS: readonly string[] = [
  ...['status', 'status --short --branch', 'log --oneline --decorate --all', 'log -p -1', 'diff', 'diff --stat HEAD', 'branch -vv --all', 'remote -v'],
  ...['remote get-url origin', 'config --get core.bare', 'config --get core.repositoryformatversion', 'config --get-regexp ^branch[.]'],
  ...['config --get remote.origin.url', 'config --get diff.words.xfuncname', 'config --get-all remote.origin.fetch'],
  ...['rev-parse --git-dir --git-common-dir --is-bare-repository --show-toplevel HEAD', 'rev-parse --abbrev-ref @{upstream}'],
  ...['rev-parse --show-object-format', 'ls-files --stage', 'submodule status', 'worktree list', 'stash list', 'stash show -p', 'show --stat'],
  ...['describe --always --all', 'for-each-ref --format="%(refname)%(upstream:track)%(upstream)"', 'sparse-checkout list', 'cat-file -t HEAD'],
  ...['check-ignore new.txt', 'blame HEAD -- a.txt', 'shortlog -s HEAD', 'count-objects'],
];

/** Each line, and how it ended. */
const script = (lines: readonly string[]): string => lines.map((line) => `echo '== ${line.replaceAll("'", '')}'; ${line} 2>&1; echo "= $?"`).join('\n');

describe.runIf(HAS_BUBBLEWRAP)('settings of repositories in the sandbox', () => {
  // Every second of them in a run, and all in the soak.
  for (const [shape, { name, make }] of someNth([...SHAPES.entries()], 2)) {
    it(`show no secret to any reader, and Git says the same as with them: ${name}`, async () => {
      const rig = sandboxRig({ folders: () => [made.workspace] });
      execFileSync('rmdir', [rig.workspace]);
      const made = make(rig.base);
      const cwd = join(made.workspace, made.start ?? '.');
      const asks = script(everyNth(QUESTIONS, 3, shape).map((question) => `git ${question}`));
      const env = { PATH: process.env['PATH'], HOME: rig.home, GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', TERM: 'dumb' };
      const outside = execFileSync('bash', ['-c', asks], { cwd, env, encoding: 'utf8' });
      expect(outside).toContain('user:secret@');
      const inside = await rig.run(asks, { cwd });
      expect(inside.output.trimEnd().split('\n')).toEqual(outside.replaceAll('user:secret@', '').trimEnd().split('\n'));

      for (const file of made.settings) expect(has(plant(file))).toBe(true);
      const reads = made.settings.flatMap((file, at) => everyNth(READERS, 3, shape + at).map((reader) => reader(relative(cwd, file))));
      const { output } = await rig.run(script([...reads, ...everyNth(SEARCHES, 3, shape)]), { cwd, timeoutMs: 60_000 });
      expect(output).toContain('[core]');
      expect(output.split('\n== ').filter(revealed)).toEqual([]);
    });
  }

  it('follow what changes: a branch with what it follows, and a remote that is gone', async () => {
    const { run, workspace } = sandboxRig();
    git(workspace, 'init', '-q');
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(workspace, 'remote', 'add', 'origin', 'https://me:word@example.com/x.git');
    git(workspace, 'update-ref', 'refs/remotes/origin/next', 'HEAD');
    expect((await run('git remote -v; git branch -vv')).output).toContain('origin\thttps://example.com/x.git (fetch)');
    git(workspace, 'checkout', '-q', '-b', 'next', '--track', 'origin/next');
    expect((await run('git branch -vv')).output).toContain('[origin/next]');
    git(workspace, 'remote', 'remove', 'origin');
    expect((await run('git remote -v; git branch -vv')).output).not.toContain('origin');
  });

  it('count for a repository that came later, by a link to them, and for other programs', async () => {
    const { run, workspace, base, sandbox, write } = sandboxRig();
    await run('true');
    git(base, 'init', '-q', join(workspace, 'later'));
    plant(join(workspace, 'later/.git/config'));
    symlinkSync('later/.git/config', join(workspace, 'innocent'));
    sandbox.noteChange(join(workspace, 'later'));
    write('work/.hg/hgrc', `[auth]\nx.password = ${CANARY}\n`);
    const others = ['later/.git/.credentials', 'later/.git/config.bak', 'later/.git/annex/creds/x', '.jj/repo/config.toml', '.bzr/branch/branch.conf'];
    for (const file of others) write(`work/${file}`, CANARY);
    sandbox.noteChange(join(workspace, '.hg'));
    sandbox.noteChange(join(workspace, '.jj'));
    sandbox.noteChange(join(workspace, '.bzr'));
    const { output } = await run('cat innocent; grep -r . .');
    expect(output).toContain('repositoryformatversion');
    expect(revealed(output)).toBe(false);
  });

  it('are refused by Git just so where it cannot read them, and wait for no pipe', async () => {
    const { run, workspace } = sandboxRig();
    git(workspace, 'init', '-q');
    writeFileSync(join(workspace, '.git/config'), `[user\npassword = ${CANARY}\n`);
    const broken = await run('git status; cat .git/config');
    expect(broken.output).toContain('fatal: bad config line');
    expect(broken.output).not.toContain(CANARY);
    execFileSync('sh', ['-c', 'rm .git/config && mkfifo .git/config'], { cwd: workspace });
    expect((await run('cat .g*t/config')).output).not.toContain(CANARY);
  });

  it('of the user are not shown to a command that was allowed, and name the user all the same', async () => {
    const { run, write, workspace } = sandboxRig();
    plant(write('home/.gitconfig', '[user]\n\tname = Ann\n\temail = ann@example.com\n'));
    git(workspace, 'init', '-q');
    const { output } = await run('git commit --allow-empty -qm x && git log --format=%an; cat ~/.gitconfig; git config -l', { hosts: [] });
    expect(output).toContain('Ann\n');
    expect(revealed(output)).toBe(false);
  });
});

describe('a copy of settings', () => {
  it.each([
    ['[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n', true],
    ['[branch "a"]\n\tvscode-merge-base = origin/main\n', true],
    ['[core]\n\tbare = false # word\n', false],
    ['; word\n[core]\n\tbare = false\n', false],
    ['[remote "origin"]\n\turl = https://word@example.com/a.git\n', false],
    ['[http]\n\textraHeader = word\n', false],
    ['[core\n', false],
  ])('knows whether it says all that the file says: %j', async (text, whole) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'config'), text);
    const copy = await new SettingsCopies(join(folder, 'copies'), process.env).of(join(folder, 'config'));
    expect(copy?.whole).toBe(whole);
    expect(readFileSync(copy?.path ?? '', 'utf8')).not.toContain('word');
  });
});

describe('files with settings of version control', () => {
  const SECRET = [
    ...['.git/config', 'a/.git/config', '.git/config.worktree', '.git/worktrees/x/config.worktree', '.git/modules/a/b/config'],
    ...['.git/modules/a/modules/b/config.worktree', 'store.git/config', '.GIT/Config', '.git/config.lock', '.git/config~', '.git/.credentials'],
    ...['.git/git-credentials', '.git/annex/creds/a', '.hg/hgrc', '.hg/hgrc-not-shared', '.hgrc', '.jj/repo/config.toml', '.bzr/branch/branch.conf'],
    ...['.gitconfig', '.config/git/config', '.subversion/auth/svn.simple/x', 'CVS/Root', '.p4config', 'etc/shadow', 'proc/1/environ'],
    ...['.git/logs/HEAD', '.git/logs/refs/heads/main', 'a/.git/logs/refs/stash', '.GIT/Logs/HEAD'],
    ...['.git/COMMIT_EDITMSG', '.git/worktrees/x/COMMIT_EDITMSG', '.git/rebase-merge/patch', '.git/rebase-apply/0001', '.git/rr-cache/a/preimage.1'],
    ...['.git/lost-found/other/a', '.git/ADD_EDIT.patch', '.git/addp-hunk-edit.diff', '.git/remotes/origin', '.git/lfs/objects/a/b', 'store.git/TAG_EDITMSG'],
    ...['.svn/pristine/a/b.svn-base', 'a/.svn/text-base/b.svn-base', '.hg/store/data/a.i', '.hg/last-message.txt', '.hg/patches/a.patch', 'CVS/Base/a'],
  ];
  const ORDINARY = [
    ...['.git/HEAD', '.git/index', '.git/hooks/pre-commit', '.git/refs/heads/main', 'logs/HEAD', '.git/info/exclude', 'config', 'src/config.ts'],
    ...['.git/MERGE_MSG', '.git/packed-refs', '.git/rebase-merge/git-rebase-todo', '.git/rebase-merge/done', '.git/sequencer/todo', '.git/MERGE_RR'],
    ...['docs/0001-first.md', 'fix.patch', 'COMMIT_EDITMSG.md', 'remotes/a', 'cache/preimage.ts'],
    ...['git/config', '.github/config.yml', '.gitignore', '.gitmodules', '.git', '.hg/store/00changelog.i', 'lib/credential.ts', 'proc/a.ts', 'environ'],
  ];
  it.each(SECRET)('%s may hold passwords', (path) => expect(isSecret(path)).toBe(true));
  it.each(ORDINARY)('%s is an ordinary one', (path) => expect(isSecret(path)).toBe(false));
});

describe.runIf(HAS_BUBBLEWRAP)('what Git writes of a secret file while it works', () => {
  const EDITOR = { GIT_EDITOR: 'true', GIT_SEQUENCE_EDITOR: 'true', EDITOR: 'true' };
  /** What leads Git to write what is in files, as it is, into its own folder; each line in a copy of one repository. */
  const WORK: readonly string[] = [
    ...[
      'git commit --amend -v',
      'git commit --amend --verbose --verbose',
      'git -c commit.verbose=true commit --amend',
      'git commit -v -m x || git commit -v --amend',
    ],
    ...[
      'git rebase -i --exec false HEAD~1',
      'git -c merge.conflictStyle=diff3 rebase other',
      'git rebase --apply other',
      'git -c rerere.enabled=true rebase other',
    ],
    ...[
      'git -c rerere.enabled=true merge other',
      'git merge --squash other',
      'git cherry-pick other',
      'git revert HEAD',
      'git stash',
      'git stash && git stash apply',
    ],
    ...['git format-patch --stdout HEAD~1 > ../x.mbox; git am ../x.mbox', 'git format-patch --stdout other~1..other > ../x.mbox; git am -3 ../x.mbox'],
    ...['echo B=1 >> .env; git add -e < /dev/null', "echo B=1 >> .env; printf 'e\\n' | git add -p", "echo B=1 >> .env; printf 'e\\n' | git stash -p"],
    ...[
      'git hash-object -w .env; git fsck --lost-found',
      'git reset -q --soft HEAD~1; git stash; git stash drop; git fsck --lost-found',
      'git rm -q --cached .env; git commit -v -m gone',
    ],
    ...['git worktree add -q ../tree; cd ../tree && git commit --amend -v', 'git worktree add -q -b third ../tree; cd ../tree && git rebase other'],
    ...[
      'git tag -a v1',
      'git notes add -m x; git notes edit',
      'git branch --edit-description',
      'git replace --edit HEAD || true',
      'git bisect start HEAD HEAD~1',
      'git request-pull HEAD~1 . || true',
    ],
    ...['git rebase -i other; git commit -v -a --amend'],
  ];

  /** How long one of the lines may take, in milliseconds, on a machine with much else to do. */
  const EACH_MS = 10_000;

  it(
    'is in files that count as secret, and in none that a command that reads can see, to which Git says the same',
    async () => {
      const { run, sandbox, workspace, base } = sandboxRig();
      const first = join(base, 'first');
      mkdirSync(first);
      git(first, 'init', '-q');
      for (const [key, value] of [
        ['user.name', 'A'],
        ['user.email', 'a@example.com'],
        ['core.compression', '9'],
      ] as const)
        git(first, 'config', key, value);
      const commit = (branch: string, text: string): void => {
        writeFileSync(join(first, '.env'), text);
        git(first, 'add', '-f', '.env');
        git(first, 'commit', '-qm', branch);
      };
      writeFileSync(join(first, 'a.txt'), 'a\n');
      git(first, 'add', '.');
      git(first, 'commit', '-qm', 'a');
      commit('base', `TOKEN=${CANARY}\nA=1\n`);
      git(first, 'checkout', '-q', '-b', 'other');
      commit('other', `TOKEN=${CANARY}-other\nA=2\n`);
      git(first, 'checkout', '-q', 'main');
      commit('main', `TOKEN=${CANARY}-main\nA=3\n`);
      const told: string[] = [];
      const names = new Set<string>();
      for (const [index, line] of sampled(WORK).entries()) {
        const [top, cd] = [join(workspace, `w${index}`), `cd w${index}/work`];
        const folder = join(top, 'work');
        cpSync(first, folder, { recursive: true });
        spawnSync('bash', ['-c', line], { cwd: folder, env: { ...process.env, ...EDITOR, HOME: '/nonexistent' }, input: '' });
        sandbox.noteChange(top);
        const found = spawnSync('grep', ['-rla', CANARY, '..'], { cwd: folder, encoding: 'utf8' })
          .stdout.trimEnd()
          .split('\n')
          .filter((path) => path.includes('/.git/'));
        for (const path of found) names.add(path.replace(/^.*\/\.git\//, ''));
        told.push(...found.filter((path) => !isSecret(path)).map((path) => `${line}: ${path}`));
        const inside = await run(`${cd}; grep -rla ${CANARY} .. 2>/dev/null | grep .git/; git status`);
        const status = spawnSync('git', ['status'], { cwd: folder, encoding: 'utf8' });
        // A patch that is not seen is an empty one to it, for which it has other hints.
        const plain = (text: string): string => text.replaceAll(/^(?: {2}\(.*|The current patch is empty\.)\n/gm, '');
        if (plain(inside.output) !== plain(status.stdout)) told.push(`${line}: ${inside.output}\ninstead of\n${status.stdout}`);
        const conflicts = spawnSync('git', ['ls-files', '-u'], { cwd: folder, encoding: 'utf8' }).stdout !== '';
        if (!conflicts && (await run(`${cd} && git commit -q --allow-empty -v -m next`, { hosts: [] })).exitCode !== 0) told.push(`${line}: no commit`);
        // Each command looks through all repositories that there are.
        rmSync(top, { recursive: true });
        sandbox.noteChange(top);
      }
      expect(told).toEqual([]);
      if (ALL_RUNS) for (const name of ['COMMIT_EDITMSG', 'rebase-merge/patch', 'rebase-apply/0001']) expect([...names]).toContain(name);
    },
    EACH_MS * runs(WORK.length),
  );
});

describe.runIf(HAS_BUBBLEWRAP)('logs of references, in the sandbox', () => {
  const ENTRY = `${'0'.repeat(40)} ${'1'.repeat(40)} A <a@example.com> 1700000000 +0000\tpull`;
  const ADDRESSES: readonly string[] = [
    ...[`https://ann:${CANARY}@example.com/x.git main`, `HTTPS://${CANARY}@example.com/x`, `https://example.com/x?token=${CANARY}`],
    ...[`http://a:b${CANARY}@[::1]:80/x: Fast-forward`, `ssh://ann:${CANARY}@example.com/x`],
    `--rebase ftp://ann:p@${CANARY}@example.com/x`,
  ];
  const LOGS: readonly string[] = [
    ...['.git/logs/HEAD', '.git/logs/refs/heads/a/b', '.git/logs/refs/stash'],
    ...['.git/worktrees/one/logs/HEAD', '.git/modules/one/logs/HEAD', 'later/.git/logs/HEAD'],
  ];

  it('show the addresses of pulls without their user info, wherever they lie', async () => {
    const { run, write, workspace } = sandboxRig();
    for (const folder of ['.git', 'later/.git', '.git/modules/one']) write(`work/${folder}/HEAD`, 'ref: refs/heads/main\n');
    for (const log of LOGS) write(`work/${log}`, ADDRESSES.map((address) => `${ENTRY} ${address}\n`).join(''));
    symlinkSync('logs', join(workspace, '.git/innocent'));
    const { output } = await run(`cat ${LOGS.join(' ')} .git/innocent/HEAD; grep -r pull .`);
    expect(output).not.toContain(CANARY);
    expect(output.match(/pull https:\/\/example\.com\/x\.git main/g)?.length).toBeGreaterThan(LOGS.length);
  });

  it('are read as they are where they have none, and by what was written since', async () => {
    const { run, workspace } = sandboxRig();
    for (const line of ['init -q -b main', 'commit -q --allow-empty -m First']) git(workspace, ...line.split(' '));
    expect((await run('git reflog; git stash list')).output).toMatch(/HEAD@\{0\}: commit \(initial\): First\n$/);
    git(workspace, 'update-ref', '-m', `pull https://ann:${CANARY}@example.com/x: Fast-forward`, '--create-reflog', 'refs/heads/main', 'HEAD', 'HEAD');
    writeFileSync(join(workspace, '.git/logs/HEAD'), `${ENTRY} https://ann:${CANARY}@example.com/y: Fast-forward\n`, { flag: 'a' });
    const { output } = await run('git log -g; git reflog; cat .git/logs/HEAD');
    expect(output).not.toContain(CANARY);
    expect(output).toContain('pull https://example.com/y: Fast-forward');
  });

  it('are still written by what was allowed', async () => {
    const { run, workspace } = sandboxRig();
    git(workspace, 'init', '-q', '-b', 'main');
    const commit = 'git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m First';
    expect((await run(`${commit} && git reflog`, { hosts: [] })).output).toContain('commit (initial): First');
  });
});
