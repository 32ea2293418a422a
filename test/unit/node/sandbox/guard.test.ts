import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorCode } from '../../../../src/node/files/file-errors.js';
import { ProcessGroup } from '../../../../src/node/process/process-group.js';
import { MARK_VARIABLE } from '../../../../src/node/process/process-table.js';
import { started } from '../../../../src/node/process/start-command.js';
import { GUARDED } from '../../../../src/node/sandbox/guarded-places.js';
import type { Shell } from '../../../../src/node/process/shell.js';
import { PROTECTED_FILES } from '../../../../src/permission/files/special-files.js';
import { preparedFolder } from '../../../support/prepared-folder.js';
import { someNth } from '../../../support/runs.js';
import { HAS_BUBBLEWRAP, type Rig, sandboxRig } from './rig.js';

const BASH: Shell = { kind: 'bash', program: '/bin/bash', argumentsFor: (text) => ['-c', text] };
const WORK = { readable: [], work: { hosts: [] } };
const NAMES = GUARDED.flatMap(({ names }) => names).filter((name) => name !== '.git');
/** Ways in which a name comes into being. */
const WAYS = [
  ...['echo x > %', 'mkdir -p %/x', 'cp a.txt %', 'mv b.txt %', 'mv d %', 'mv -T d %', 'ln -s a.txt %', 'ln a.txt %', 'cp -r d %', 'git mv a.txt %'],
  ...['rm -rf % && echo x > %', 'rmdir % && mkdir %', 'rmdir %/* %', 'mv % other && echo x > %', 'echo x > %/settings.json', 'touch %/x'],
];

function gitIn(folder: string, home: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }, encoding: 'utf8', stdio: 'pipe' });
}

const copyRepository = preparedFolder((folder) => {
  const git = (...args: readonly string[]): string => gitIn(folder, folder, ...args);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, 'src/b.txt'), 'two\n');
  git('add', '.');
  git('commit', '-qm', 'First');
  // What a command would plant: Git runs it when it looks for changes. The home directory is beside the workspace.
  writeFileSync(join(folder, 'evil.sh'), '#!/bin/sh\ntouch "$HOME/../ran"\n', { mode: 0o755 });
  git('add', '.');
  git('commit', '-qm', 'Second');
});

/** Ids of the processes that have a folder in their command line. Those that have ended have none. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return false;
      throw error;
    }
  });
}

/** A rig whose workspace is a repository with all that is missing missing, and what says whether a program ran outside of the sandbox. */
function guardRig(): Rig & { readonly git: (...args: readonly string[]) => string; readonly ran: () => boolean } {
  const rig = sandboxRig();
  const { workspace, home, base } = rig;
  copyRepository(workspace);
  return { ...rig, git: (...args) => gitIn(workspace, home, ...args), ran: () => existsSync(join(base, 'ran')) };
}

describe.runIf(HAS_BUBBLEWRAP)('wall-02 what programs outside follow, for a command that was allowed', () => {
  it('cannot come into being, whatever makes it, and leaves nothing behind', async () => {
    const { run, workspace, git } = guardRig();
    mkdirSync(join(workspace, 'd'));
    const before = readdirSync(workspace);
    // Every way for some names, and some ways for every name.
    const tries = NAMES.flatMap((name, at) => {
      const ways = WAYS.filter((_, index) => at % 12 === 0 || index % 5 === at % 5).map((way) => way.replaceAll('%', name));
      return ['[ -e b.txt ] || : > b.txt', ...ways, `[ -d d ] || echo "LOST d to ${name}"`];
    });
    const { output } = await run(`{ ${tries.join('; ')}; } 2>/dev/null; rm -rf b.txt other; git status --porcelain`, { hosts: [] });
    expect(output).toBe('');
    expect(readdirSync(workspace)).toEqual(before);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is guarded for all that is protected of Git, editors, and agents, but for what Git keeps apart', () => {
    const followed = PROTECTED_FILES.filter(({ power }) => power === 'editor' || power === 'git' || power === 'agent');
    const wanted = followed.flatMap(({ folders = [], files = [], places = [] }) => [
      ...folders,
      ...files,
      ...places.filter((place) => place.startsWith('.github/')),
    ]);
    const guarded = new Set(NAMES.map((name) => name.toLowerCase()));
    // Patterns; names that no folder can stand in for or that only count elsewhere.
    const others = [
      ...['.git', '.gitmodules', '.gitconfig', '.hgrc', 'copilot-instructions.md'],
      ...['mcp-config.json', 'mcp_config.json', 'mcp_settings.json', 'cline_mcp_settings.json', 'claude_desktop_config.json'],
    ];
    expect(wanted.filter((name) => !name.includes('*') && !guarded.has(name) && !others.includes(name))).toEqual([]);
  });

  it('does not keep workflows from coming into being beside missing instructions', async () => {
    const { run, write, workspace, git } = guardRig();
    write('work/.github/dependabot.yml', 'version: 2\n');
    await run(
      'mkdir .github/workflows; echo x > .github/workflows/a.yml; echo x > .github/copilot-instructions.md; mkdir -p .github/instructions/x; mv .github gone',
      { hosts: [] },
    );
    expect(readdirSync(join(workspace, '.github')).toSorted()).toEqual(['dependabot.yml', 'workflows']);
    expect(git('status', '--porcelain')).toBe('?? .github/\n');
  });

  /** Each would have Git run a program when it is next used outside. `%` is the folder of the repository, `$EVIL` the program, `$SET` sets it. */
  const PLANTS = [
    'mv %/.git %/.g2 && cp -r %/.g2 %/.git; git -C % config $SET',
    'cp -r %/.git %/.g2; rm -rf %/.git; mv %/.g2 %/.git; git -C % config $SET',
    'cp -r %/.git %/new; git --git-dir=%/new config $SET; mv -T --exchange %/new %/.git || { mv %/.git %/old; mv %/new %/.git; }',
    'cp -r %/.git /tmp/g; git --git-dir=/tmp/g config $SET; rm -rf %/.git; cp -r /tmp/g %/.git; mv /tmp/g/config %/.git/config',
    'cp -r %/.git %/new; git --git-dir=%/new config $SET; echo "gitdir: new" > %/file; mv -f %/file %/.git; ln -sfn new %/.git',
    'cp -r %/.git %/new; git --git-dir=%/new config $SET; rm -f %/.git; echo "gitdir: new" > %/.git',
    'cp -r %/.git %/new; git --git-dir=%/new config $SET; echo ../new > %/.git/commondir',
    'cp -r %/.git %/new; git --git-dir=%/new config $SET; echo ../new > %/c; mv -f %/c %/.git/commondir || ln -sf ../c %/.git/commondir',
    'git -C % config $SET; git -C % config --worktree $SET; plain >> %/.git/config; plain > %/.git/config.worktree',
    'plain > %/x; mv -f %/x %/.git/config; plain > %/.git/config.lock; mv -f %/.git/config.lock %/.git/config',
    'mv %/.git/info %/.git/i2; mkdir -p %/.git/info; echo "* filter=x" > %/.git/info/attributes; git -C % config filter.x.clean $EVIL; touch %/a.txt',
    'cp $EVIL %/.git/hooks/post-index-change; mv %/.git/hooks %/.git/h2 && mkdir %/.git/hooks && cp $EVIL %/.git/hooks/post-index-change',
    'umount %/.git; mount --bind /tmp %/.git; unshare -Urm umount %/.git/commondir; unshare -Urm mount --bind /tmp %/.git; git -C % config $SET',
    'mv % moved; mkdir -p %; cp -r moved/.git %/.git; git -C % config $SET',
  ];
  it.each(someNth(PLANTS, 3))('is what it was: %s', async (plant) => {
    const { run, workspace, home, ran, write } = guardRig();
    // Also for a repository deep in the workspace.
    execFileSync('cp', ['-r', join(workspace, '.git'), join(workspace, 'src/.git')]);
    write('work/src/a.txt', 'x\n');
    const prepared = `EVIL=${workspace}/evil.sh; SET="core.fsmonitor $EVIL"; plain() { printf '[core]\\nfsmonitor = %s\\n' "$EVIL"; }`;
    await run(['.', 'src'].map((folder) => `${prepared}\n${plant.replaceAll('%', folder)}`).join('\n'), { hosts: [] });
    writeFileSync(join(workspace, 'a.txt'), 'changed\n');
    // A command can still empty the folder; then Git finds no repository, and runs nothing.
    const options = { cwd: workspace, env: { PATH: process.env['PATH'], HOME: home } };
    for (const line of ['status', 'commit --allow-empty -qm x', '-C src status', 'worktree list']) spawnSync('git', line.split(' '), options);
    expect(ran()).toBe(false);
    const inGit = ['.git', '.git/info'].flatMap((name) => (existsSync(join(workspace, name)) ? readdirSync(join(workspace, name)) : []));
    expect(inGit.filter((name) => ['commondir', 'config.worktree', 'attributes'].includes(name))).toEqual([]);
    expect(lstatSync(join(workspace, '.git')).isDirectory()).toBe(true);
  });

  it('is where the hooks are, too, and what a linked worktree belongs to', async () => {
    const { run, workspace, git, ran, write } = guardRig();
    write('work/tools/hooks/pre-commit', '#!/bin/sh\n');
    chmodSync(join(workspace, 'tools/hooks/pre-commit'), 0o755);
    git('config', 'core.hooksPath', 'tools/hooks');
    git('worktree', 'add', '-q', join(workspace, 'trees/one'));
    const plant = [
      ...['cp evil.sh tools/hooks/pre-commit', 'mv tools t2', 'mkdir -p tools/hooks', 'cp evil.sh tools/hooks/pre-commit'],
      ...['cp -r .git new', `git --git-dir=new config core.fsmonitor ${workspace}/evil.sh`, 'echo ../../../new > .git/worktrees/one/commondir'],
      ...['rm -f trees/one/.git', `echo "gitdir: ${workspace}/new" > trees/one/.git`],
    ];
    await run(plant.join('; '), { hosts: [] });
    git('commit', '--allow-empty', '-qm', 'x');
    git('-C', 'trees/one', 'status');
    expect(ran()).toBe(false);
  });

  it('does not hinder the everyday work', async () => {
    const { run, workspace, git, write } = guardRig();
    write('work/package.json', '{ "scripts": { "test": "node test.js" } }\n');
    write('work/test.js', 'require("node:fs").mkdirSync("coverage"); console.log(1 + 1);\n');
    const work = [
      ...['git add -A', 'git commit -qm Third', 'git checkout -q -b other', 'echo two > a.txt', 'git commit -qam Fourth', 'git checkout -q main'],
      ...['echo x > c.txt', 'git add c.txt', 'git commit -qm Fifth', 'git merge -q --no-edit other', 'echo y >> a.txt', 'git stash -q'],
      ...['git stash pop -q', 'git checkout -q -- a.txt', 'git tag v1', 'git mv src lib', 'git commit -qm Sixth', 'git rebase -q main~1'],
      ...['git reset -q --hard', 'git branch -q -d other', 'git gc -q', 'git fsck', 'git cherry-pick --quit', 'git switch -q --detach HEAD~1'],
      ...['git switch -q main', 'git restore --source=HEAD~1 --staged --worktree .', 'git reset -q --hard', 'npm test --silent', 'rm -rf coverage'],
      ...['mkdir -p dist/x && echo 1 > dist/x/a && rm -rf dist && mkdir dist && mv dist build && rm -rf build', 'mv lib src && mv src lib'],
      `node -e "fs.renameSync('lib', 'l2'); fs.renameSync('l2', 'lib')"`,
    ];
    const steps = work.map((line) => `{ ${line}; } || { echo 'FAILED: ${line.replaceAll("'", '')}'; exit 1; }`);
    const { output } = await run(`${steps.join('\n')}\necho all done`, { hosts: [], timeoutMs: 60_000 });
    expect(output).toMatch(/2\nall done\n$/);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '--oneline')).toContain('Sixth');
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'a.txt', 'c.txt', 'evil.sh', 'lib', 'package.json', 'test.js']);
  });

  it('leaves nothing in the workspace and no process when its first process is killed at any moment', async () => {
    const { sandbox, workspace, git, base } = guardRig();
    const before = readdirSync(workspace);
    const inGit = readdirSync(join(workspace, '.git'));
    // The first moments are those of each step on the way to the command, the others are anywhere.
    for (const moment of [0, 1, 2, 4, 6, 8, 10, 13, 17, 22, 30, 45, 80, ...Array.from({ length: 17 }, () => Math.random() * 30)]) {
      const shell = await sandbox.around(BASH, { command: '', cwd: workspace, confined: WORK });
      const env = { PATH: process.env['PATH'], [MARK_VARIABLE]: `${base} ${moment}` };
      const child = spawn(shell.program, [...shell.argumentsFor('echo started; sleep 60')], { cwd: workspace, env, stdio: 'ignore', detached: true });
      const ended = once(child, 'exit');
      const group = new ProcessGroup(await started(child), env[MARK_VARIABLE]);
      await delay(moment);
      child.kill('SIGKILL');
      await ended;
      // As for every command in a sandbox that has ended.
      await group.endSandbox();
      group.release();
      expect([moment, readdirSync(workspace), processesOf(base)]).toEqual([moment, before, []]);
    }
    expect(readdirSync(join(workspace, '.git'))).toEqual(inGit);
    expect(git('status', '--porcelain', '--ignored')).toBe('');
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(base);
  });

  it.runIf(process.getuid?.() === 0)('is guarded just so for a user that is not root, who stays who he is', async () => {
    const { sandbox, workspace, base } = sandboxRig({ env: { PATH: '/usr/bin:/bin' } });
    execFileSync('git', ['init', '-q', workspace]);
    vi.spyOn(process, 'getuid').mockReturnValue(65_534);
    vi.spyOn(process, 'getgid').mockReturnValue(65_534);
    onTestFinished(() => void vi.restoreAllMocks());
    const shell = await sandbox.around(BASH, { command: 'git', cwd: workspace, confined: WORK });
    execFileSync('chown', ['-R', '65534:65534', base]);
    const script = [
      ...['exec 2>&1', 'id -u', 'id -g', 'echo x > made', 'mv .git .g2', 'echo x > .envrc/x', 'mkdir .husky/x', 'rmdir .husky/* .husky'],
      ...['grep CapEff /proc/self/status', 'git -c user.name=a -c user.email=b commit -q --allow-empty -m First', 'git log --format=%s'],
    ];
    const options = { encoding: 'utf8', uid: 65_534, gid: 65_534, cwd: '/', env: { PATH: '/usr/bin:/bin' } } as const;
    const output = execFileSync(shell.program, [...shell.argumentsFor(script.join('; '))], options);
    expect(output).toMatch(/^65534\n65534\n/);
    expect(output).toMatch(/CapEff:\t0000000000000000\nFirst\n$/);
    expect(readdirSync(workspace).sort()).toEqual(['.git', 'made']);
    expect(lstatSync(join(workspace, 'made')).uid).toBe(65_534);
  });

  it('refuses to run where that cannot be had, and says what to do', async () => {
    const { base, write } = sandboxRig();
    const program = write('bwrap', '#!/bin/sh\ncase "$*" in *gnomon-overlay*) echo "mount: no overlay here" >&2; exit 1;; esac; exec /usr/bin/bwrap "$@"\n');
    execFileSync('chmod', ['+x', program], { cwd: base });
    const { run } = sandboxRig({ bubblewrap: [program] });
    expect((await run('echo reads')).output).toBe('reads\n');
    await expect(run('echo works', { hosts: [] })).rejects.toThrow(/cannot protect .*mount: no overlay here.*unsandboxed: true/s);
  });
});
