import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';
import { says } from '../../../support/wording.js';

describe.runIf(HAS_BUBBLEWRAP)('wall-01 a command in the sandbox', () => {
  it('reads the workspace, has the programs of the system and says how it ended', async () => {
    const { run, write, sandbox } = sandboxRig();
    write('work/src/a.ts', 'words\n');
    expect(await sandbox.state()).toEqual({ available: true, by: 'bubblewrap' });
    expect(await run('cat src/a.ts | tr a-z A-Z; git --version >/dev/null && exit 3')).toMatchObject({ output: 'WORDS\n', exitCode: 3 });
  });

  it('reads no file outside of the workspace: not of the home, not beside it, by no link and no “..”', async () => {
    const { run, write, workspace, home } = sandboxRig();
    const key = write('home/.ssh/id_rsa');
    write('home/notes.txt');
    write('beside.txt');
    symlinkSync(home, join(workspace, 'link'));
    const tries = [
      key,
      '~/notes.txt',
      '../beside.txt',
      'link/notes.txt',
      `${workspace}/../beside.txt`,
      '/etc/shadow',
      '/proc/1/root/../../beside.txt',
      `/proc/${process.pid}/root${key}`,
    ];
    const outcome = await run(tries.map((path) => `cat ${path}`).join('; '));
    expect(outcome.output).not.toContain('canary');
    expect(outcome.output.split('\n').filter((line) => line.includes('No such file or directory'))).toHaveLength(tries.length);
  });

  it('writes nothing that lasts', async () => {
    const { run, write, workspace, base } = sandboxRig();
    write('work/a.txt', 'as it was');
    const { output } = await run(
      `echo x > a.txt; rm -f a.txt; mkdir d; ln -s a.txt l; chmod 777 a.txt; touch ${base}/b /usr/b /etc/b /dev/b /b /run/b /var/tmp/b; echo private > /tmp/x && cat /tmp/x`,
    );
    expect(output).toMatch(/private\n$/);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('as it was');
    expect(['work/d', 'work/l', 'b'].filter((path) => existsSync(join(base, path)))).toEqual([]);
    expect(['/usr/b', '/etc/b', '/dev/b', '/b', '/tmp/x'].filter((path) => existsSync(path))).toEqual([]);
  });

  it('cannot make what is read-only writable again, nor see with other namespaces', async () => {
    const { run, write, workspace } = sandboxRig();
    write('work/a.txt', 'as it was');
    const { output } = await run(
      `mount -o remount,rw ${workspace}; umount ${workspace}; unshare -Urm true && echo unshared; unshare -U true && echo unshared; nsenter -t 1 -a true && echo entered; echo x > a.txt; cat /proc/self/status | grep CapEff`,
    );
    expect(output).toContain('CapEff:\t0000000000000000');
    expect(output).not.toMatch(/unshared|entered/);
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('as it was');
  });

  it('does not read files that hold passwords or keys, whatever leads to them', async () => {
    const { run, write, workspace } = sandboxRig();
    write('work/.env');
    write('work/deep/er/server.pem');
    write('work/.aws/credentials');
    write('work/config/local');
    write('work/.env.example', 'shown\n');
    symlinkSync('.env', join(workspace, 'innocent'));
    symlinkSync('config/local', join(workspace, '.env.local'));
    const { output } = await run('cat .env innocent deep/er/server.pem .aws/credentials .env.local config/local .env.example; grep -r canary . ; ls .aws');
    expect(output).not.toMatch(/canary$/m);
    expect(output).toContain('shown\n');
    expect(output).toContain('cat: .env: Permission denied');
  });

  it('does not read a secret that came, moved or became another kind of file since the last command', async () => {
    const { run, write, workspace, sandbox } = sandboxRig();
    write('work/.env');
    await run('true');
    sandbox.noteChange(write('work/new/.env.production'));
    sandbox.noteChange(join(workspace, 'new'));
    rmSync(join(workspace, '.env'));
    write('work/config/local');
    symlinkSync('config/local', join(workspace, '.env'));
    const { output } = await run('cat new/.env.production .env config/local');
    expect(output).not.toContain('canary');
    expect(output.match(/Permission denied/g)).toHaveLength(3);
  });

  it('does not read a secret that came since the last command where nobody says what comes', async () => {
    const { run, write } = sandboxRig({ unwatched: true });
    await run('true');
    write('work/new/.env.production');
    const { output } = await run('cat new/.env.production');
    expect(output).toContain('Permission denied');
    expect(output).not.toContain('canary');
  });

  it('has no network: not to this machine, not by a socket beside the workspace', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end('canary');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { run, base } = sandboxRig();
    const socket = createSocket(() => (hits += 1));
    await new Promise<void>((resolve) => socket.listen(join(base, 'socket'), resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const { output } = await run(
        `(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3); python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('${base}/socket')"; cat /proc/net/dev | grep -v lo:`,
      );
      expect(output).toMatch(/refused|unreachable/i);
      expect(output).not.toMatch(/canary|eth0|ens/);
      expect(hits).toBe(0);
    } finally {
      server.close();
      socket.close();
    }
  });

  it('sees nothing of the environment and the processes of the host', async () => {
    const { run } = sandboxRig();
    const { output } = await run(
      `env; cat /proc/*/environ | tr '\\0' '\\n'; cat /proc/${process.pid}/cmdline; kill -0 ${process.pid} && echo reached; ls /proc | grep -c '^[0-9]'`,
    );
    expect(output).not.toMatch(/canary|reached/);
    expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(8);
  });

  it('leaves nothing behind that goes on, not even a daemon', async () => {
    const { run, workspace } = sandboxRig();
    const mark = `8${process.pid}${Date.now() % 100_000}`;
    const outcome = await run(`setsid -f sleep ${mark}; (sleep ${mark} &); echo done`);
    expect(outcome).toMatchObject({ output: 'done\n', exitCode: 0 });
    expect(outcome.detached ?? []).toEqual([]);
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8', cwd: workspace });
    expect(left).not.toContain(`sleep ${mark}`);
  });

  it('is ended with everything in it at its time limit', async () => {
    const { run } = sandboxRig();
    const mark = `7${process.pid}${Date.now() % 100_000}`;
    expect(await run(`setsid -f sleep ${mark}; sleep ${mark}`, { timeoutMs: 1_000 })).toMatchObject({ timedOut: true });
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`sleep ${mark}`);
  });

  it.runIf(process.getuid?.() === 0)('is held just so for a user that is not root', async () => {
    const { sandbox, write, workspace, base } = sandboxRig({ env: { PATH: '/usr/bin:/bin' } });
    write('work/a.txt', 'words\n');
    write('beside.txt');
    execFileSync('chown', ['-R', '65534:65534', base]);
    const shell = await sandbox.around({ kind: 'bash', program: '/bin/bash', argumentsFor: (text) => ['-c', text] }, { command: '', cwd: workspace });
    const script = `cat a.txt; cat ../beside.txt /etc/shadow; echo x > a.txt; (exec 3<>/dev/tcp/127.0.0.1/1); id -u`;
    const output = execFileSync(shell.program, [...shell.argumentsFor(`exec 2>&1; ${script}`)], {
      encoding: 'utf8',
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect(output).toMatch(/^words\n/);
    expect(output).toMatch(/65534\n$/);
    expect(output).not.toContain('canary');
    expect(output).toContain('Read-only file system');
  });

  it('reads what a rule allows beside the workspace, and no secrets below that but those that it names', async () => {
    const { run, write, home } = sandboxRig();
    write('home/notes/a.txt', 'words\n');
    write('home/notes/.env');
    write('home/beside.txt');
    write('work/.env', 'allowed\n');
    const readable = [join(home, 'notes'), write('work/.env', 'allowed\n')];
    const { output } = await run(`cat ~/notes/a.txt .env; cat ~/notes/.env ~/beside.txt`, { readable });
    expect(output).toMatch(/^words\nallowed\n/);
    expect(output).not.toContain('canary');
  });

  it('finds a workspace under the name that it was opened by', async () => {
    const { base, workspace, write } = sandboxRig();
    write('work/a.txt', 'words\n');
    const named = join(base, 'named');
    symlinkSync(workspace, named);
    const other = sandboxRig({ folders: () => [named] });
    expect(await other.run(`cat ${named}/a.txt`, { cwd: workspace })).toMatchObject({ output: 'words\n' });
  });
});

describe.runIf(HAS_BUBBLEWRAP)('git in the sandbox', () => {
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('tells the truth of a folder that is a part of a repository, and of a linked worktree', async () => {
    const rig = sandboxRig();
    const repository = join(rig.base, 'repository');
    mkdirSync(join(repository, 'part'), { recursive: true });
    writeFileSync(join(repository, 'a.txt'), 'a');
    writeFileSync(join(repository, 'part', 'b.txt'), 'b');
    git(repository, 'init', '-q');
    git(repository, 'add', '.');
    git(repository, 'commit', '-qm', 'First');
    git(repository, 'worktree', 'add', '-q', join(rig.base, 'tree'));
    for (const folder of [join(repository, 'part'), join(rig.base, 'tree')]) {
      const { run } = sandboxRig({ folders: () => [folder] });
      const outcome = await run('git status --short && git log --format=%s', { cwd: folder });
      expect(outcome).toMatchObject({ output: 'First\n', exitCode: 0 });
      expect((await run('cat ../a.txt', { cwd: folder })).output).toContain('No such file');
    }
  });

  it('does not follow a file .git to a repository that knows nothing of it', async () => {
    const rig = sandboxRig();
    const stranger = join(rig.home, 'project');
    mkdirSync(stranger);
    git(stranger, 'init', '-q');
    writeFileSync(join(stranger, '.git', 'config'), '[remote "origin"]\nurl = https://canary@example.com\n');
    rig.write('work/.git', `gitdir: ${stranger}/.git\n`);
    const { output, exitCode } = await rig.run('git remote -v; git config --list');
    expect(output).not.toContain('canary');
    expect(exitCode).not.toBe(0);
  });

  it('lets git run no filter, converter or monitor that the repository’s own settings name', async () => {
    const { run, write, workspace } = sandboxRig();
    const plain = repository(workspace, write);
    write('work/evil.sh', '#!/bin/sh\necho run by git >&2\ncat\n');
    chmodSync(join(workspace, 'evil.sh'), 0o755);
    write('work/.gitattributes', 'a.txt filter=x diff=x\n');
    for (const name of ['core.fsmonitor', 'filter.x.clean', 'diff.x.textconv', 'diff.x.command', 'diff.external']) plain('config', name, './evil.sh');
    write('work/a.txt', 'two\n');
    const { output } = await run('git status --short; git diff; git log -p');
    expect(output).toContain('+two');
    expect(output).not.toContain('run by git');
  });

  it('lets git fetch nothing from where the repository’s own settings say that missing objects are', async () => {
    const { run, write, workspace } = sandboxRig();
    const plain = repository(workspace, write);
    write('work/evil.sh', '#!/bin/sh\necho run by git >&2\n');
    chmodSync(join(workspace, 'evil.sh'), 0o755);
    const blob = plain('rev-parse', 'HEAD:a.txt').trim();
    for (const [name, value] of [
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.partialclonefilter', 'blob:none'],
      ['remote.origin.url', `ext::${join(workspace, 'evil.sh')}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      plain('config', name, value);
    rmSync(join(workspace, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const { output } = await run('git log -p');
    expect(output).toContain(blob);
    expect(output).not.toContain('run by git');
  });
});

/** Makes the workspace a repository with a file that is committed. @returns git itself, with nothing switched off */
function repository(workspace: string, write: (path: string, text: string) => void): (...args: readonly string[]) => string {
  const plain = (...args: readonly string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  plain('init', '-q');
  write('work/a.txt', 'one\n');
  plain('add', '.');
  plain('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a');
  return plain;
}

describe('without a sandbox', () => {
  it.each(['/', '/usr', '/etc', '/home', '/usr/../usr/', '~', '~/..'])('is a window in which %s is open, and it says so at once', async (name) => {
    const { home, base } = sandboxRig();
    const folder = name.replace('~', home);
    const { sandbox, run } = sandboxRig({ folders: () => [join(base, 'work'), folder], home });
    const begin = performance.now();
    expect(await sandbox.state()).toEqual({ available: false, reason: expect.stringContaining(folder) as string, advice: expect.any(String) as string });
    await expect(run('cat /etc/shadow')).rejects.toThrow(folder);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('nothing runs that is to be confined, and the reason says what to do', async () => {
    const { sandbox, run, workspace, write } = sandboxRig({ bubblewrap: [], platform: 'linux' });
    write('work/a.txt');
    expect(await sandbox.state()).toEqual({ available: false, reason: says('bubblewrapMissing'), advice: says('installBubblewrap') });
    await expect(run('touch b')).rejects.toThrow(says('bubblewrapMissing'));
    expect(existsSync(join(workspace, 'b'))).toBe(false);
    const none = createProcesses({ logFolder: workspace, env: {} });
    await expect(
      none.run({ command: 'true', cwd: workspace, timeoutMs: 5_000, confined: { readable: [] } }, new AbortController().signal, () => undefined),
    ).rejects.toThrow('no sandbox');
  });

  it.runIf(process.platform === 'linux')('a program that holds nothing, or cannot, is none', async () => {
    const { base, write } = sandboxRig();
    const pretender = write('bwrap-that-holds-nothing', '#!/bin/bash\n[ "$1" = --help ] && exit; while [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
    const failing = write('bwrap-that-fails', '#!/bin/bash\n[ "$1" = --help ] && exit; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1\n');
    execFileSync('chmod', ['+x', pretender, failing], { cwd: base });
    expect(await sandboxRig({ bubblewrap: [pretender] }).sandbox.state()).toMatchObject({ available: false });
    expect(await sandboxRig({ bubblewrap: [failing] }).sandbox.state()).toMatchObject({
      available: false,
      reason: says('sandboxNotPossible', 'bwrap: setting up uid map: Permission denied'),
    });
    expect(await sandboxRig({ platform: 'win32' }).sandbox.state()).toMatchObject({ available: false, advice: says('sandboxInWsl') });
  });
});
