import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { HAS_BUBBLEWRAP, sandboxRig } from './rig.js';

/** A server of this machine, and what it was asked for. */
async function listen(): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host ?? ''} ${request.url ?? ''}`);
    response.end('words of the server');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

/** Asks a proxy as programs do, by the variable. */
const asks = (address: string): string => `node -e '
  const http = require("http"), proxy = new URL(process.env.http_proxy);
  http.get({ host: proxy.hostname, port: proxy.port, path: "${address}", headers: { host: new URL("${address}").host } }, (answer) => { process.stdout.write(answer.statusCode + " "); answer.pipe(process.stdout); }).on("error", (error) => console.log(error.message));'`;
/** Asks for a tunnel, and sends a request through it. */
const tunnels = (host: string): string => `node -e '
  const http = require("http"), proxy = new URL(process.env.https_proxy);
  http.request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: "${host}" }).on("connect", (answer, socket) => {
    process.stdout.write(answer.statusCode + " ");
    if (answer.statusCode !== 200) process.exit();
    socket.end("GET / HTTP/1.0\\r\\nHost: inner\\r\\n\\r\\n");
    socket.pipe(process.stdout);
  }).end();'`;

describe.runIf(HAS_BUBBLEWRAP)('wall-02 a command that was allowed, in the sandbox', () => {
  it('changes the workspace, temporary files and caches, and nothing else', async () => {
    const { run, write, base, workspace, home } = sandboxRig();
    write('home/notes.txt', 'as it was');
    mkdirSync(join(home, '.cache'));
    const { output } = await run(
      'echo new > made.txt; mkdir -p deep/er && echo x > deep/er/a; echo t > /tmp/t && cat /tmp/t; echo c > ~/.cache/c; echo x > ~/notes.txt; echo x > ~/new; echo x > ../beside; cat ~/notes.txt',
      { hosts: [] },
    );
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('new\n');
    expect([
      existsSync(join(workspace, 'deep/er/a')),
      existsSync(join(home, '.cache/c')),
      existsSync(join(home, 'new')),
      existsSync(join(base, 'beside')),
      existsSync('/tmp/t'),
    ]).toEqual([true, true, false, false, false]);
    expect(output).toMatch(/^t$/m);
    expect(output).not.toContain('as it was');
    expect(readFileSync(join(home, 'notes.txt'), 'utf8')).toBe('as it was');
  });

  it('commits, but does not change what Git or an editor runs later', async () => {
    const { run, write, workspace } = sandboxRig();
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    write('work/.vscode/settings.json', '{}\n');
    write('work/a.txt', 'words\n');
    const tries = [
      'echo x > .git/hooks/pre-commit',
      'git config core.fsmonitor ./x',
      'echo x > .vscode/settings.json',
      'echo x > .vscode/tasks.json',
      'rm -rf .vscode',
      'mv .git/hooks .git/other',
    ];
    const { output } = await run(`git add a.txt && git -c user.name=a -c user.email=a@example.com commit -qm first && git log --oneline; ${tries.join('; ')}`, {
      hosts: [],
    });
    expect(output).toContain('first');
    expect(readFileSync(join(workspace, '.vscode/settings.json'), 'utf8')).toBe('{}\n');
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).not.toContain('fsmonitor');
    expect(['.git/hooks/pre-commit', '.vscode/tasks.json', '.git/other'].filter((name) => existsSync(join(workspace, name)))).toEqual([]);
  });

  it('reads no passwords and keys, and has no network', async () => {
    const { run, write } = sandboxRig();
    write('work/.env');
    write('home/.ssh/id_rsa');
    const { port, asked } = await listen();
    const { output } = await run(`cat .env ~/.ssh/id_rsa; exec 4<>/dev/tcp/127.0.0.1/${port} && echo connected`, { hosts: [] });
    expect(output).not.toMatch(/^canary|connected/m);
    expect(asked).toEqual([]);
  });

  it('has the variables that other commands have, and no password of them', async () => {
    const { run } = sandboxRig({ env: { PLAIN_OF_THE_HOST: 'shown', A_TOKEN: 'canary' } });
    expect((await run('echo "[$PLAIN_OF_THE_HOST$A_TOKEN][$TMPDIR]"', { hosts: [] })).output).toBe('[shown][/tmp]\n');
  });

  it('reaches the hosts that the person named, by name and those below one, and no other', async () => {
    const { port, asked } = await listen();
    const lookup = { allow: () => true, resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) };
    const { run } = sandboxRig({ lookup });
    const hosts = ['named.example', '*.below.example'];
    const tried = async (line: string): Promise<string> => (await run(line, { hosts })).output.trim();
    expect(await tried(asks(`http://named.example:${port}/a?b`))).toBe('200 words of the server');
    expect(await tried(asks(`http://x.below.example:${port}/c`))).toBe('200 words of the server');
    expect(await tried(tunnels(`named.example:${port}`))).toMatch(/^200 .*words of the server$/s);
    for (const host of ['other.example', 'below.example', 'named.example.evil.example', 'evilnamed.example']) {
      expect(await tried(asks(`http://${host}:${port}/`))).toContain(`403 ${host} is not among the hosts`);
      expect(await tried(tunnels(`${host}:${port}`))).toBe('403');
    }
    expect(asked).toEqual([`named.example:${port} /a?b`, `x.below.example:${port} /c`, 'inner /']);
    expect(await tried(`exec 4<>/dev/tcp/127.0.0.1/${port} && echo connected`)).not.toContain('connected\n');
  });

  it('does not reach the private network by a name that leads there', async () => {
    const { port, asked } = await listen();
    const { run } = sandboxRig({ lookup: { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) } });
    expect((await run(asks(`http://named.example:${port}/`), { hosts: ['named.example'] })).output).toContain('502');
    expect((await run(asks(`http://127.0.0.1:${port}/`), { hosts: ['127.0.0.1'] })).output).toContain('403');
    expect(asked).toEqual([]);
  });

  it('reaches all where the person lets it', async () => {
    const { port } = await listen();
    const { run } = sandboxRig();
    expect((await run(`exec 4<>/dev/tcp/127.0.0.1/${port} && echo connected`, { hosts: ['*'] })).output).toContain('connected');
  });

  it('leaves nothing of its way out behind when the hosts change, nor when the window ends', async () => {
    const { run, sandbox } = sandboxRig();
    const temporary = temporaryFolder();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await Promise.all([run('true', { hosts: ['first.example'] }), run('true', { hosts: ['first.example'] })]);
    const onlyFolder = (): string | undefined => {
      const names = readdirSync(temporary);
      expect(names).toHaveLength(1);
      return names[0];
    };
    const first = await eventually(onlyFolder);
    await run('true', { hosts: ['second.example'] });
    await eventually(() => expect(onlyFolder()).not.toBe(first));
    sandbox.dispose();
    await eventually(() => expect(readdirSync(temporary)).toEqual([]));
  });

  it('ends with everything that it started', async () => {
    const { run } = sandboxRig();
    const { output, leftBehind } = await run('setsid sleep 1000 & echo started', { hosts: ['named.example'] });
    expect([output, leftBehind]).toEqual(['started\n', false]);
  });
});
