import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommandOutcome } from '../../../../src/domain/workspace/processes.js';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { eventually } from '../../../support/eventually.js';

interface RunOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly output?: (chunk: string) => void;
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  readonly logFolder?: string;
}

async function run(command: string, options: RunOptions = {}): Promise<CommandOutcome> {
  const processes = createProcesses({ logFolder: options.logFolder ?? temporaryFolder(), env: { ...process.env, ...options.env } });
  const request = { command, cwd: options.cwd ?? tmpdir(), timeoutMs: options.timeoutMs ?? 20_000 };
  return processes.run(request, options.signal ?? new AbortController().signal, options.output ?? (() => undefined));
}

/** Whether a process runs; one that has ended and was only not collected does not. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/^\d+ \(.*\) Z/.test(readFileSync(path, 'utf8'));
}

async function pidFrom(file: string): Promise<number> {
  await eventually(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+\n$/));
  return Number(readFileSync(file, 'utf8'));
}

/** A time limit that is reached when the test says so: what it is to meet has begun by then, on a busy machine, too. */
function limitInHand(): { readonly timeoutMs: number; readonly reach: () => void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  // More than passes meanwhile: to look for something again lets fake time pass.
  const timeoutMs = 600_000;
  return { timeoutMs, reach: () => void vi.advanceTimersByTime(timeoutMs) };
}

describe.runIf(process.platform === 'linux')('run', () => {
  it('returns output, exit code and duration', async () => {
    const outcome = await run('echo hi; exit 3');
    expect(outcome).toMatchObject({ exitCode: 3, signal: undefined, timedOut: false, cancelled: false, output: 'hi\n', omittedBytes: 0, logFile: undefined });
    expect(outcome.durationMs).toBeGreaterThan(0);
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: undefined, signal: 'SIGSEGV' });
  });

  it('keeps the order of output and errors', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `echo ${index}${index % 2 === 0 ? '' : ' >&2'}`);
    const { output } = await run(lines.join('\n'));
    expect(output).toBe(Array.from({ length: 50 }, (_, index) => `${index}\n`).join(''));
  });

  it('lets commands open /dev/stderr', async () => {
    expect(await run('echo a > /dev/stderr; echo b > /dev/stdout')).toMatchObject({ output: 'a\nb\n', exitCode: 0 });
  });

  it('makes do with two pipes where there are no named ones', async () => {
    const path = process.env['PATH'];
    vi.stubEnv('PATH', '/nowhere');
    try {
      const outcome = await run('echo out; echo err >&2; seq 1 20000; sleep 600 & exit 2', { env: { PATH: path } });
      expect(outcome).toMatchObject({ exitCode: 2, timedOut: false });
      expect(
        readFileSync(outcome.logFile ?? '', 'utf8')
          .split('\n')
          .sort()
          .slice(-3),
      ).toEqual(['9999', 'err', 'out']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('shows output while it comes, lines without end included', async () => {
    const folder = temporaryFolder();
    const chunks: string[] = [];
    const running = run(`echo one; printf two; while [ ! -e ${folder}/go ]; do sleep 0.01; done`, { output: (chunk) => chunks.push(chunk) });
    await eventually(() => expect(chunks.join('')).toBe('one\ntwo'));
    writeFileSync(join(folder, 'go'), '');
    expect((await running).output).toBe('one\ntwo');
  });

  it('runs in the folder it is told, and says when there is none', async () => {
    const folder = temporaryFolder();
    expect((await run('pwd', { cwd: folder })).output).toBe(`${folder}\n`);
    await expect(run('pwd', { cwd: join(folder, 'none') })).rejects.toThrow(/not a folder/);
  });

  it('tool-19: hands on no keys, start-up files or internals of the editor', async () => {
    const script = join(temporaryFolder(), 'start.sh');
    writeFileSync(script, 'echo STARTED');
    const env = {
      ANTHROPIC_API_KEY: 'canary',
      OPENAI_API_KEY: 'canary',
      MISTRAL_API_KEY: 'canary',
      AZURE_OPENAI_API_KEY: 'canary',
      ANTHROPIC_AUTH_TOKEN: 'canary',
      HF_TOKEN: 'canary',
      VSCODE_IPC_HOOK: 'canary',
      ELECTRON_RUN_AS_NODE: '1',
      BASH_ENV: script,
      ENV: script,
      'BASH_FUNC_ls%%': '() { echo canary; }',
      SHELLOPTS: 'xtrace',
      PROJECT_SETTING: 'kept',
    };
    const { output } = await run('ls / >/dev/null; env; type ls', { env });
    expect(output).not.toMatch(/canary|STARTED|ELECTRON|^\+/m);
    expect(output).toMatch(/^PROJECT_SETTING=kept$/m);
    expect(output).toMatch(/^NO_COLOR=1$/m);
  });

  it('tool-04: nothing waits for input, a terminal, a pager or an editor', async () => {
    const folder = temporaryFolder();
    const setUp = 'git init -q . && git config user.email a@b.c && git config user.name x && git commit -q --allow-empty -m first';
    expect((await run(setUp, { cwd: folder })).exitCode).toBe(0);
    expect(await run('read x; echo "[$x] $?"')).toMatchObject({ output: '[] 1\n' });
    expect((await run('git commit --allow-empty', { cwd: folder })).timedOut).toBe(false);
    expect((await run('git log', { cwd: folder })).output).toMatch(/first/);
    expect((await run('cat < /dev/tty')).output).toMatch(/No such device or address/);
    expect((await run('cat')).output).toBe('');
  });

  it('tool-04: a commit without a message fails and says why; one that has a message needs no editor', async () => {
    const folder = temporaryFolder();
    const env = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'a@b.c' };
    const options = { cwd: folder, env };
    expect((await run('git init -q . && git commit -q --allow-empty -m first', options)).exitCode).toBe(0);
    expect(await run('git commit --allow-empty', options)).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/There is no editor here. Give the message with -m or -F\./) as string,
    });
    expect((await run('git commit -q --amend --allow-empty && git log -1 --format=%s', options)).output).toBe('first\n');
    expect(await run('$EDITOR file')).toMatchObject({ exitCode: 1 });
  });

  it('tool-04: nothing that asks on the terminal can', async () => {
    const { output } = await run(
      'bash -c ": < /dev/tty"; python3 -c "import getpass; getpass.getpass()" 2>&1 | tail -1; if command -v sudo > /dev/null; then sudo -k; sudo -v; fi; echo over',
      { timeoutMs: 10_000 },
    );
    expect(output).toMatch(/No such device or address[\s\S]*over\n$/);
  });

  it('tool-05: gives valid, clean text whatever is written', async () => {
    const { output } = await run(String.raw`printf '\e[31mred\e[0m \e]0;title\a\x00\x07ok\n10%%\r50%%\r100%%\ndos\r\nbad \xff\xfe byte\n'`);
    expect(output).toBe('red ok\n100%\ndos\nbad \uFFFD\uFFFD byte\n');
  });

  it('tool-05: reassembles characters that come in parts', async () => {
    const { output } = await run(String.raw`printf '\xf0\x9f'; sleep 0.3; printf '\x8e\x89 \xe2'; sleep 0.3; printf '\x86\x92\n'`);
    expect(output).toBe('🎉 →\n');
  });

  it('tool-01: of 200 MB keeps beginning and end, and a bounded log that only the owner may read', async () => {
    const logFolder = temporaryFolder();
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    const outcome = await run('echo begin; yes | head -c 200M; echo end', { logFolder });
    clearInterval(timer);
    expect(most - before).toBeLessThan(50 * 1024 * 1024);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.output).toMatch(/^begin\ny\ny\n[\sy]*\n\[… 2096\d{5} bytes left out; the log holds the first 33554432 bytes …\]\n[\sy]*end\n$/);
    expect(outcome.output.length).toBeLessThan(33_000);
    const log = outcome.logFile ?? '';
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(statSync(log).size).toBeLessThanOrEqual(33_554_600);
    expect(readdirSync(logFolder)).toHaveLength(1);
  });

  it('tool-01: the log of a long output holds all of it', async () => {
    const { logFile, omittedBytes } = await run('seq 1 20000');
    expect(omittedBytes).toBeGreaterThan(0);
    expect(readFileSync(logFile ?? '', 'utf8')).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(''));
  });

  it('tool-01: a line of 100 MB stays bounded, and its log valid', async () => {
    const outcome = await run("head -c 100M /dev/zero | tr '\\0' x");
    expect(outcome.exitCode).toBe(0);
    expect(outcome.output.length).toBeLessThan(33_000);
    expect(outcome.omittedBytes).toBe(100 * 1024 * 1024 - 32 * 1024);
    expect(statSync(outcome.logFile ?? '').size).toBeLessThanOrEqual(33_554_600);
  });

  it('runs commands where there is no space for a pipe', async () => {
    const folder = temporaryFolder();
    vi.stubEnv('TMPDIR', '/nowhere');
    try {
      expect(await run('echo out; echo err >&2', { logFolder: folder, cwd: folder })).toMatchObject({
        exitCode: 0,
        output: expect.stringMatching(/out/) as string,
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('a log that cannot be written stops nothing, and is said', async () => {
    const logFolder = join(temporaryFolder(), 'file');
    writeFileSync(logFolder, '');
    const outcome = await run('seq 1 20000', { logFolder });
    expect(outcome).toMatchObject({ exitCode: 0, logFile: undefined });
    expect(outcome.output).toMatch(/the log could not be written/);
  });

  it('tool-03: stopping ends the whole tree', async () => {
    const folder = temporaryFolder();
    const controller = new AbortController();
    const running = run(`echo before; bash -c "bash -c 'echo \\$\\$ > ${folder}/pid; sleep 77; true'; true"`, { signal: controller.signal });
    const pid = await pidFrom(join(folder, 'pid'));
    expect(isRunning(pid)).toBe(true);
    controller.abort();
    expect(await running).toMatchObject({ cancelled: true, timedOut: false, exitCode: undefined, output: 'before\n' });
    expect(isRunning(pid)).toBe(false);
  });

  it('tool-03: what ignores the request to end is killed', async () => {
    const folder = temporaryFolder();
    const { timeoutMs, reach } = limitInHand();
    const running = run(`trap '' TERM; echo $$ > ${folder}/pid; while true; do sleep 0.05; done`, { timeoutMs });
    const pid = await pidFrom(join(folder, 'pid'));
    reach();
    expect(await running).toMatchObject({ timedOut: true, cancelled: false, signal: 'SIGKILL' });
    expect(isRunning(pid)).toBe(false);
  });

  it('starts nothing when it was stopped before', async () => {
    const folder = temporaryFolder();
    expect(await run(`touch ${folder}/ran`, { signal: AbortSignal.abort() })).toMatchObject({ cancelled: true, exitCode: undefined });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('returns when the shell does; what it left behind is ended, and said', async () => {
    const folder = temporaryFolder();
    const outcome = await run(`sleep 600 & echo $! > ${folder}/pid; echo hi`);
    expect(outcome).toMatchObject({ output: 'hi\n', exitCode: 0, timedOut: false, leftBehind: true, detached: [] });
    expect(isRunning(await pidFrom(join(folder, 'pid')))).toBe(false);
  });

  it('lets what is at work when the shell ends come to its end', async () => {
    let outcome = await run('seq 1 3 > >(sleep 0.03; cat)');
    // It gets a little time for that, which on a busy machine may be too short for once.
    for (let again = 0; again < 4 && outcome.leftBehind; again += 1) outcome = await run('seq 1 3 > >(sleep 0.03; cat)');
    expect(outcome).toMatchObject({ output: '1\n2\n3\n', leftBehind: false });
  });

  it('names what left the group and goes on', async () => {
    const folder = temporaryFolder();
    const outcome = await run(`setsid bash -c 'echo $$ > ${folder}/pid; exec sleep 30' > /dev/null & while [ ! -s ${folder}/pid ]; do sleep 0.01; done`);
    const pid = await pidFrom(join(folder, 'pid'));
    expect(outcome.detached).toEqual([pid]);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it('does not listen for ever to one that left the group and goes on writing', async () => {
    const folder = temporaryFolder();
    const writer = `echo $$ > ${folder}/pid; while echo x; do sleep 0.02; done`;
    const outcome = await run(`setsid bash -c '${writer}' & while [ ! -s ${folder}/pid ]; do sleep 0.01; done; echo hi`);
    const pid = await pidFrom(join(folder, 'pid'));
    // The `sleep` that it waits for at that moment left the group with it.
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, detached: expect.arrayContaining([pid]) as unknown });
    expect(outcome.output).toMatch(/^hi$/m);
    // What it writes next meets a closed pipe, which ends it.
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });

  it.each(['stop', 'limit'])('tool-03, stream-19: a %s finds those that left the group', async (how) => {
    const folder = temporaryFolder();
    const controller = new AbortController();
    const script = `trap "" TERM; echo $$ > ${folder}/pid; while true; do sleep 0.05; done`;
    const { timeoutMs, reach } = limitInHand();
    const running = run(`(setsid bash -c '${script}' > /dev/null 2>&1 &) ; sleep 77`, { signal: controller.signal, timeoutMs });
    const pid = await pidFrom(join(folder, 'pid'));
    expect(isRunning(pid)).toBe(true);
    if (how === 'stop') controller.abort();
    else reach();
    expect(await running).toMatchObject({ cancelled: how === 'stop', timedOut: how === 'limit' });
    // It is nobody's child here: a signal that was sent ends it when the system gets to it.
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });

  it('does not wait for one that left the group', async () => {
    const folder = temporaryFolder();
    const outcome = await run(`setsid bash -c 'echo $$ > ${folder}/pid; exec sleep 600' & while [ ! -s ${folder}/pid ]; do sleep 0.01; done; echo hi`);
    const pid = await pidFrom(join(folder, 'pid'));
    expect(outcome).toMatchObject({ output: 'hi\n', exitCode: 0, timedOut: false });
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  it('end with those who started them, and nobody else’s do', async () => {
    const [mine, others] = [temporaryFolder(), temporaryFolder()];
    const started = [mine, others].map((folder) => {
      const processes = createProcesses({ logFolder: folder, env: process.env });
      const request = { command: `echo $$ > pid; until [ -e end ]; do sleep 0.05; done`, cwd: folder, timeoutMs: 60_000 };
      return { processes, outcome: processes.run(request, new AbortController().signal, () => undefined) };
    });
    const [own, other] = await Promise.all([mine, others].map((folder) => pidFrom(join(folder, 'pid'))));
    started[0]?.processes.dispose();
    expect(await started[0]?.outcome).toMatchObject({ signal: 'SIGKILL' });
    expect([own, other].map((pid) => isRunning(pid ?? 0))).toEqual([false, true]);
    writeFileSync(join(others, 'end'), '');
    expect(await started[1]?.outcome).toMatchObject({ exitCode: 0 });
  });

  it.each(['process.exit(0)', "process.kill(process.pid, 'SIGKILL')"])('tool-03: nothing outlives the host: %s', async (exit) => {
    const folder = temporaryFolder();
    const host = join(folder, 'host.mjs');
    const source = new URL('../../../../src/node/process/processes.ts', import.meta.url).pathname;
    const bundle = await build({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', write: false });
    writeFileSync(join(folder, 'processes.mjs'), bundle.outputFiles[0]?.contents ?? '');
    writeFileSync(
      host,
      `import { existsSync } from 'node:fs';
       import { createProcesses } from './processes.mjs';
       const request = { command: 'setsid bash -c "echo $$ > left; sleep 78; true" & bash -c "echo $$ > pid; sleep 77; true"', cwd: '${folder}', timeoutMs: 60_000 };
       void createProcesses({ logFolder: '${folder}', env: process.env }).run(request, new AbortController().signal, () => {});
       setInterval(() => { if (existsSync('${folder}/exit')) ${exit}; }, 10);`,
    );
    const child = spawn(process.execPath, [host], { stdio: 'inherit' });
    const pid = await pidFrom(join(folder, 'pid'));
    const left = await pidFrom(join(folder, 'left'));
    writeFileSync(join(folder, 'exit'), '');
    await new Promise((resolve) => child.once('exit', resolve));
    await eventually(() => expect([pid, left].map(isRunning)).toEqual([false, false]));
    rmSync(host);
  });
});
