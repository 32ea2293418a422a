import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { Shell } from '../../../../src/node/process/shell.js';
import { GUARDED } from '../../../../src/node/sandbox/guarded-places.js';
import { eventually } from '../../../support/eventually.js';
import { preparedFolder } from '../../../support/prepared-folder.js';
import { ALL_RUNS, everyNth, someNth } from '../../../support/runs.js';
import { HAS_BUBBLEWRAP, type Rig, sandboxRig } from './rig.js';

/** A program that is killed while what it watches over runs. */
async function killedHost(folder: string, note: string): Promise<void> {
  const source = new URL('../../../../src/node/process/process-group.ts', import.meta.url).pathname;
  const bundle = await build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', write: false });
  writeFileSync(join(folder, 'watchdog.mjs'), bundle.outputFiles[0]?.contents ?? '');
  const host = `import { spawn } from 'node:child_process';
    import { HostWatch } from './watchdog.mjs';
    new HostWatch('mark', ${JSON.stringify(note)}).follow(spawn('sleep', ['70'], { detached: true }).pid);
    process.kill(process.pid, 'SIGKILL');`;
  writeFileSync(join(folder, 'host.mjs'), host);
  await once(spawn(process.execPath, [join(folder, 'host.mjs')], { stdio: 'ignore' }), 'exit');
}

/** Names that count at any depth. */
const NAMES = GUARDED.flatMap(({ names }) => names).filter((name) => !name.includes('/') && !['.git', '.svn'].includes(name));
/** Where a name comes into being, below folders that are there and that are not. */
const PLACES = ['src', 'src/deep/er', 'new', 'new/er/est', 'src/.hidden'];
/** Ways in which it does; `@` is the folder. */
const WAYS = [
  ...['echo x > @/%', 'mkdir -p @/%/x && echo x > @/%/x/y', 'cp a.txt @/%', 'echo x > @/t && mv @/t @/%', 'ln -s ../a.txt @/%', 'ln a.txt @/%'],
  ...['mkdir -p t/x && echo x > t/% && mv t @/t', 'mkdir -p other && echo x > other/% && cp -r other @/o', 'echo x > @/% && touch -d 2001-01-01 @/% @'],
  ...['mkdir -p ~/.cache/x && echo x > ~/.cache/x/% && mv ~/.cache/x @/moved', 'mkdir -p node_modules/m && echo x > node_modules/m/% && mv node_modules/m @/m'],
];

/** Where not all runs are wanted, each way is tried with a tenth of the names, and each name with one or two of the ways. */
const SHARES = 10;
const namesOf = (at: number): readonly string[] => everyNth(NAMES, SHARES, at);
/** Ways of which no two have a name in common are tried by one command: what comes of a name is known to come of one of them. */
const SIZE = ALL_RUNS ? 1 : SHARES;
const TOGETHER = Array.from({ length: Math.ceil(WAYS.length / SIZE) }, (_, group) =>
  WAYS.slice(group * SIZE, (group + 1) * SIZE).map((way, index) => [way, group * SIZE + index] as const),
);

function gitIn(folder: string, home: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const copyRepository = preparedFolder((folder) => {
  const git = (...args: readonly string[]): string => gitIn(folder, folder, ...args);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  for (const [name, text] of [
    ['a.txt', 'one\n'],
    ['src/deep/er/b.txt', 'two\n'],
    ['src/.hidden/c.txt', 'three\n'],
  ] as const) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git('add', '.');
  git('commit', '-qm', 'First');
});

function repositoryRig(): Rig & { readonly git: (...args: readonly string[]) => string; readonly there: () => readonly string[] } {
  const rig = sandboxRig();
  const { workspace, home } = rig;
  mkdirSync(join(home, '.cache'));
  copyRepository(workspace);
  const git = (...args: readonly string[]): string => gitIn(workspace, home, ...args);
  const there = (): readonly string[] =>
    readdirSync(workspace, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:\.git|node_modules)(?:\/|$)/.test(path))
      .toSorted();
  return { ...rig, git, there };
}

describe.runIf(HAS_BUBBLEWRAP)('wall-02 what programs outside follow, below the top of a workspace folder', () => {
  it.each(TOGETHER.map((ways) => [ways.map(([way]) => way).join(' | '), ways] as const))('is gone after the command, and reported: %s', async (_, ways) => {
    const { run, workspace, git, there } = repositoryRig();
    await run('true', { hosts: [] });
    const tries = ways.flatMap(([way, at]) =>
      namesOf(at).map((name, index) => {
        // Each in a folder of its own, so that none is in the way of another.
        const folder = `${PLACES[index % PLACES.length] ?? 'src'}/n${at}-${index}`;
        return { name, line: `mkdir -p ${folder}; ${way.replaceAll('@', folder).replaceAll('%', name)}; rm -rf t other` };
      }),
    );
    const names = tries.map(({ name }) => name);
    const { takenAway = [], exitCode } = await run(tries.map(({ line }) => line).join('\n'), { hosts: [] });
    expect(exitCode).toBe(0);
    const left = there().filter((path) => path.split('/').some((name) => NAMES.includes(name)));
    expect(left).toEqual([]);
    expect(new Set(takenAway.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))).toEqual(new Set(names));
    for (const { kept } of takenAway) expect([kept, readdirSync(dirname(kept ?? '')).length]).toEqual([kept, 1]);
    expect(
      git('status', '--porcelain')
        .split('\n')
        .filter((line) => NAMES.some((name) => line.includes(name))),
    ).toEqual([]);
    expect(existsSync(join(workspace, 'src/deep/er/b.txt'))).toBe(true);
  });

  it('stays where the user, Git, or an earlier time has made it', async () => {
    const { run, git, write, workspace, sandbox } = repositoryRig();
    write('work/.husky/pre-commit', 'true\n');
    write('work/src/AGENTS.md', 'as it was\n');
    write('work/AGENTS.md', 'top\n');
    git('add', '.');
    git('commit', '-qm', 'Instructions');
    git('checkout', '-qb', 'other');
    write('work/src/deep/CLAUDE.md', 'of the other branch\n');
    write('work/packages/one/.vscode/settings.json', '{}\n');
    git('add', '.');
    git('commit', '-qm', 'More');
    git('checkout', '-q', 'main');
    const work = async (line: string): Promise<void> => {
      const { takenAway, output, exitCode } = await run(line, { hosts: [] });
      expect({ line, takenAway, exitCode, output: exitCode === 0 ? '' : output }).toEqual({ line, takenAway: undefined, exitCode: 0, output: '' });
    };
    await work('git checkout -q other');
    expect(readFileSync(join(workspace, 'src/deep/CLAUDE.md'), 'utf8')).toBe('of the other branch\n');
    await work('git checkout -q main');
    await work('git worktree add -q trees/one other');
    expect(readFileSync(join(workspace, 'trees/one/packages/one/.vscode/settings.json'), 'utf8')).toBe('{}\n');
    expect(git('-C', join(workspace, 'trees/one'), 'status', '--porcelain')).toBe('');
    await work('echo changed > src/AGENTS.md; git stash -q; git stash pop -q');
    expect(readFileSync(join(workspace, 'src/AGENTS.md'), 'utf8')).toBe('changed\n');
    await work('git stash -q; git rebase -q other; git mv src lib; git commit -qm Moved; git mv lib src; git commit -qm Back');
    await work('git clone -q . copy; git init -q fresh; mkdir -p node_modules/x; echo x > node_modules/x/AGENTS.md');
    expect(git('-C', join(workspace, 'copy'), 'status', '--porcelain')).toBe('');
    // What the user saves while a command runs, and what was made between two.
    write('work/docs/AGENTS.md', 'of the user\n');
    sandbox.noteChange(join(workspace, 'docs/AGENTS.md'));
    await work('mkdir docs/out');
    sandbox.noteOwn(join(workspace, 'docs/CLAUDE.md'));
    await work('echo saved > docs/CLAUDE.md');
    expect(git('status', '--porcelain')).toContain('docs/');
    expect(readFileSync(join(workspace, 'docs/AGENTS.md'), 'utf8')).toBe('of the user\n');
  });

  it('that is there cannot be changed, and what is committed only now does not come back elsewhere', async () => {
    const { run, write, workspace, git } = repositoryRig();
    write('work/packages/one/.vscode/settings.json', '{}\n');
    await run('echo x > packages/one/.vscode/settings.json; rm -rf packages/one/.vscode; mv packages/one packages/two; mv packages p2', { hosts: [] });
    expect(readFileSync(join(workspace, 'packages/one/.vscode/settings.json'), 'utf8')).toBe('{}\n');
    await run('mkdir -p x/.claude; echo evil > x/.claude/settings.json; git add x; git commit -qm evil; git checkout -q -- x || git reset -q --hard', {
      hosts: [],
    });
    expect(existsSync(join(workspace, 'x/.claude'))).toBe(false);
    const { takenAway = [] } = await run('git checkout -q -f HEAD -- x', { hosts: [] });
    expect(takenAway.map(({ path }) => path)).toEqual([join(workspace, 'x/.claude')]);
    expect(git('status', '--porcelain', 'x')).toContain('D');
  });

  /** `$EVIL` is a program that says that it ran. */
  const IN_REPOSITORIES = [
    'mkdir -p sub && git init -q sub && git -C sub config core.fsmonitor $EVIL',
    'git clone -q . sub && cp $EVIL sub/.git/hooks/post-index-change',
    'git worktree add -q sub; echo ../../../new > .git/worktrees/sub/commondir; cp -r .git new; git --git-dir=new config core.fsmonitor $EVIL',
    'git worktree add -q sub; printf "[core]\\nfsmonitor = %s\\n" $EVIL > .git/worktrees/sub/config.worktree',
    'mkdir -p sub; git init -q new; git -C new config core.fsmonitor $EVIL; echo "gitdir: ../new/.git" > sub/.git',
    'mkdir -p .git/modules; git init -q new; mv new/.git .git/modules/sub; git --git-dir=.git/modules/sub config core.fsmonitor $EVIL; mkdir sub; echo "gitdir: ../.git/modules/sub" > sub/.git',
  ];
  it.each(someNth(IN_REPOSITORIES, 3))('runs nothing in a new repository: %s', async (plant) => {
    const { run, workspace, git, base, write } = repositoryRig();
    write('work/evil.sh', `#!/bin/sh\ntouch ${join(base, 'ran')}\n`);
    execFileSync('chmod', ['+x', join(workspace, 'evil.sh')]);
    git('config', 'extensions.worktreeConfig', 'true');
    const { takenAway = [] } = await run(`EVIL=${workspace}/evil.sh; ${plant}`, { hosts: [] });
    expect(takenAway).not.toEqual([]);
    for (const line of ['-C sub status', '-C sub commit --allow-empty -qm x', 'status']) {
      try {
        git(...line.split(' '));
      } catch {
        // It is no repository any more.
      }
    }
    expect(existsSync(join(base, 'ran'))).toBe(false);
  });

  /** How settings in effect lead to `tools/in`, a folder with hooks or a file with settings. */
  const LEADING: Readonly<Record<string, (rig: ReturnType<typeof repositoryRig>) => void>> = {
    'core.hooksPath': ({ git }) => void git('config', 'core.hooksPath', 'tools/in'),
    'the last of several': ({ git }) => ['a', 'b', 'tools/in'].forEach((value) => git('config', '--add', 'core.hooksPath', value)),
    'an absolute one': ({ git, workspace }) => void git('config', 'core.hooksPath', join(workspace, 'tools/in')),
    'one of the user': ({ write }) => void write('home/.gitconfig', '[core]\n\thooksPath = tools/in\n'),
    'one of a worktree': ({ git }) =>
      ['extensions.worktreeConfig true', '--worktree core.hooksPath tools/in'].forEach((line) => git('config', ...line.split(' '))),
    'one that is included': ({ git, write }) => [write('work/.git/more', '[core]\n\thooksPath = tools/in\n'), git('config', 'include.path', 'more')],
    'one that the user includes': ({ write, base }) => [
      write('more', '[core]\n\thooksPath = tools/in\n'),
      write('home/.gitconfig', `[includeIf "gitdir:**"]\n\tpath = ${base}/more\n`),
    ],
  };
  it.each(someNth(Object.entries(LEADING), 3))('runs no hook where settings in effect look for some: %s', async (_, lead) => {
    const rig = repositoryRig();
    const { run, workspace, base, git, write } = rig;
    write('work/tools/keep');
    lead(rig);
    for (const isThere of [false, true]) {
      if (isThere) write('work/tools/in/keep');
      await run(`mkdir -p tools/in; printf '#!/bin/sh\ntouch ${base}/ran\n' > tools/in/pre-commit; chmod +x tools/in/pre-commit`, { hosts: [] });
      git('commit', '--allow-empty', '-qm', 'x');
      expect([isThere, existsSync(join(base, 'ran'))]).toEqual([isThere, false]);
    }
    expect((await run('echo x > tools/other', { hosts: [] })).exitCode).toBe(0);
    expect(readdirSync(join(workspace, 'tools')).toSorted()).toEqual(['in', 'keep', 'other']);
  });

  it.each(['../tools/in', '$/tools/in'])('cannot change settings that those of a repository include: %s', async (path) => {
    const { run, workspace, git, write, base } = repositoryRig();
    write('work/tools/in', '[alias]\n\tx = status\n');
    git('config', 'include.path', path.replace('$', workspace));
    await run(`printf '[core]\nfsmonitor = "touch ${base}/ran; false"\n' > tools/in; rm -f tools/in; mv tools old`, { hosts: [] });
    git('status');
    expect([existsSync(join(base, 'ran')), readFileSync(join(workspace, 'tools/in'), 'utf8')]).toEqual([false, '[alias]\n\tx = status\n']);
  });

  /** What one command makes and may, and how another one that runs already changes it. */
  const LATER = [
    ['git init -q sub', 'git -C sub config core.fsmonitor "touch $RAN; false"'],
    ['git clone -q . sub', 'printf "#!/bin/sh\ntouch $RAN\n" > sub/.git/hooks/post-index-change; chmod +x sub/.git/hooks/post-index-change'],
    ['git worktree add -q sub with', 'echo changed > sub/src/.vscode/tasks.json'],
  ] as const;
  it.each(LATER)('is looked at again after a command that ran meanwhile: %s; %s', async (make, change) => {
    const { run, workspace, git, base, write } = repositoryRig();
    git('checkout', '-qb', 'with');
    write('work/src/.vscode/tasks.json', '{}\n');
    git('add', '.');
    git('commit', '-qm', 'Tasks');
    git('checkout', '-q', 'main');
    await run('true', { hosts: [] });
    // An overlay does not show what comes into being below it, but what becomes of a file that is there.
    write('work/go', '');
    const long = run(`RAN=${base}/ran; touch started; until [ -s go ]; do sleep 0.1; done; ${change}`, { hosts: [] });
    await eventually(() => expect(existsSync(join(workspace, 'started'))).toBe(true));
    for (const line of [make, 'touch x']) expect([line, (await run(line, { hosts: [] })).takenAway]).toEqual([line, undefined]);
    write('work/go', 'go');
    const { takenAway = [] } = await long;
    expect(takenAway).toHaveLength(1);
    try {
      git('-C', 'sub', 'status');
    } catch {
      // It is no repository any more.
    }
    expect([existsSync(join(base, 'ran')), existsSync(join(workspace, 'sub/src/.vscode'))]).toEqual([false, false]);
  });

  it.each(someNth(['info/grafts', 'objects/info/alternates', 'remotes/evil', 'branches/evil'], 2))('cannot come into a repository: %s', async (name) => {
    const { run, workspace, git } = repositoryRig();
    await run(`mkdir -p .git/${dirname(name)}; echo x > .git/${name}`, { hosts: [] });
    expect(existsSync(join(workspace, '.git', name))).toBe(false);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is gone when all was killed, once the next command runs, and nothing that came later', async () => {
    const { sandbox, workspace, base, home, git } = repositoryRig();
    const bash: Shell = { kind: 'bash', program: '/bin/bash', argumentsFor: (text) => ['-c', text] };
    const command = 'mkdir -p src/x; echo x > src/x/AGENTS.md; sleep 60';
    const shell = await sandbox.around(bash, { command, cwd: workspace, confined: { readable: [], work: { hosts: [] } } });
    const child = spawn(shell.program, [...shell.argumentsFor(command)], { cwd: workspace, env: { PATH: process.env['PATH'] }, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await eventually(() => expect(existsSync(join(workspace, 'src/x/AGENTS.md'))).toBe(true));
    child.kill('SIGKILL');
    await ended;
    const note = shell.work?.note ?? '';
    await killedHost(base, note);
    await eventually(() => expect(readFileSync(note, 'utf8')).toBe('over\n'));
    await eventually(() => {
      writeFileSync(join(workspace, 'src/x/CLAUDE.md'), 'of the user, later\n');
      expect(statSync(join(workspace, 'src/x/CLAUDE.md')).ctimeMs).toBeGreaterThan(statSync(note).ctimeMs);
    });
    const next = sandboxRig({ folders: () => [workspace], storage: join(base, 'storage'), home });
    const { takenAway } = await next.run('true', { cwd: workspace, hosts: [] });
    expect(takenAway?.map(({ path }) => path)).toEqual([join(workspace, 'src/x/AGENTS.md')]);
    expect(git('status', '--porcelain', '-uall')).toBe('?? src/x/CLAUDE.md\n');
    expect((await next.run('true', { cwd: workspace, hosts: [] })).takenAway).toBeUndefined();
  });
});
