import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LockContext, newHolder, requestLock, type WatchFolder, watchFolder } from '../../../../src/session/lock/lock-file.js';
import type { SessionLock } from '../../../../src/session/lock/held-lock.js';
import { acquireLock } from '../../../../src/session/lock/lock.js';
import { createProcessProbe, type ProcessProbe } from '../../../../src/session/lock/process-probe.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { nodeFiles, testLog, TestProcesses } from '../support/setup.js';
import { eventually } from '../../../support/eventually.js';

function context(processes: ProcessProbe, waitMs = 0): LockContext {
  return { files: nodeFiles(), log: testLog(), processes, waitMs };
}

/** A system that cannot tell whether a number was given to another process. */
function blind(probe: ProcessProbe): ProcessProbe {
  return { self: () => probe.self(), isRunning: () => Promise.resolve('unknown') };
}

async function age(path: string, seconds: number): Promise<void> {
  const time = new Date(Date.now() - seconds * 1_000);
  await utimes(path, time, time);
}

describe('sess-09 a lock', () => {
  it('of a holder that sleeps stays its own, however old', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    const processes = new TestProcesses();
    const lock = await acquireLock(context(processes.start()), path);
    await age(path, 100_000);
    expect(await acquireLock(context(processes.start()), path)).toBeUndefined();
    expect(await lock?.isHeld()).toBe(true);
    await lock?.release();
    await (await acquireLock(context(processes.start()), path))?.release();
  });

  it('of a holder that cannot be told is taken when it shows no life, not before', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    const processes = new TestProcesses();
    await acquireLock(context(processes.start()), path);
    await age(path, 20);
    expect(await acquireLock(context(blind(processes.start())), path)).toBeUndefined();
    await age(path, 40);
    const taken = await acquireLock(context(blind(processes.start()), 60), path);
    expect(taken).toBeDefined();
    await taken?.release();
  });

  it('of a holder that cannot be told stays when it shows life while we wait', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    const processes = new TestProcesses();
    await acquireLock(context(processes.start()), path);
    await age(path, 40);
    const waiting = acquireLock(context(blind(processes.start()), 200), path);
    await nodeFiles().touch(path);
    expect(await waiting).toBeUndefined();
  });

  it('that was taken over is known to be lost', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const path = join(temporaryFolder(), 'a.lock');
    const processes = new TestProcesses();
    const lock = await acquireLock(context(processes.start()), path);
    await writeFile(path, JSON.stringify({ ...(await processes.start().self()), nonce: 'theirs' }));
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    expect(await lock?.isHeld()).toBe(false);
    await lock?.release();
    expect(await readFile(path, 'utf8')).toContain('theirs');
  });

  it('gives signs of life', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const path = join(temporaryFolder(), 'a.lock');
    const files = nodeFiles();
    const lock = await acquireLock(context(new TestProcesses().start()), path);
    await age(path, 1_000);
    const before = (await files.stat(path))?.mtimeMs ?? 0;
    await vi.advanceTimersByTimeAsync(5_000);
    await eventually(async () => expect((await files.stat(path))?.mtimeMs).toBeGreaterThan(before));
    await lock?.release();
    expect(await files.stat(path)).toBeUndefined();
  });

  it('that was torn or never filled is taken after a moment', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    for (const text of ['', '{"pid":1', '{"pid":"x"}', 'null', '{"pid":-1,"host":"","started":"","nonce":""}']) {
      await writeFile(path, text);
      const probe = new TestProcesses().start();
      expect(await acquireLock(context(probe), path), text).toBeUndefined();
      await age(path, 2);
      const lock = await acquireLock(context(probe), path);
      expect(lock, text).toBeDefined();
      await lock?.release();
    }
  });

  it('is not kept from being taken over by one who died while taking it over', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.lock');
    const processes = new TestProcesses();
    const [first, second] = [processes.start(), processes.start()];
    await writeFile(path, JSON.stringify({ ...(await first.self()), nonce: '1' }));
    await writeFile(`${path}.taking`, JSON.stringify({ ...(await second.self()), nonce: '2' }));
    first.end();
    expect(await acquireLock(context(processes.start()), path)).toBeUndefined();
    second.end();
    const lock = await acquireLock(context(processes.start()), path);
    expect(lock).toBeDefined();
    await lock?.release();
    expect(await readdir(folder)).toEqual([]);
  });
});

/** A lock whose beats a test makes, and what its owner was told. */
async function watchedLock(watch: WatchFolder, probe?: ProcessProbe): Promise<{ lock: SessionLock; path: string; told: string[]; other: LockContext }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const path = join(temporaryFolder(), 'a.lock');
  const processes = new TestProcesses();
  const lock = await acquireLock({ ...context(probe ?? processes.start()), watch }, path);
  if (lock === undefined) throw new Error('There is another lock.');
  onTestFinished(() => lock.release());
  const told: string[] = [];
  const tell = (what: string, answer: boolean): Promise<boolean> => Promise.resolve(told.push(what) > 0 && answer);
  lock.serve({ asked: () => tell('asked', false), lost: () => void tell('lost', false) });
  return { lock, path, told, other: context(processes.start()) };
}

/** Waits until a lock whose folder tells of its first beat beats no more, or less often. */
async function untilBeatsAre(count: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
  await eventually(() => expect(vi.getTimerCount()).toBe(count));
}

/** A watch that tells of one sign of life and ends. */
const endingWatch: WatchFolder = (folder, watcher) => {
  queueMicrotask(() => {
    watcher.onChange(join(folder, 'a.lock'), 'change');
    watcher.onEnd();
  });
  return { close: () => undefined };
};

describe('sess-09 a lock in a folder that is watched', () => {
  it('needs no timer while its holder rests, and answers a request all the same', async () => {
    const { lock, path, told, other } = await watchedLock(watchFolder);
    expect(vi.getTimerCount()).toBe(1);
    await untilBeatsAre(0);
    await requestLock(other, path, await newHolder(other));
    await eventually(() => expect(told).toEqual(['asked']));
    await eventually(async () => expect(await readdir(dirname(path))).toEqual(['a.lock']));
    lock.setWorking(true);
    expect(vi.getTimerCount()).toBe(1);
    await age(path, 1_000);
    const before = (await stat(path)).mtimeMs;
    await vi.advanceTimersByTimeAsync(1_000);
    await eventually(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(before));
    lock.setWorking(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that another window took is known to be lost at once', async () => {
    const { path, told } = await watchedLock(watchFolder);
    await untilBeatsAre(0);
    await writeFile(`${path}.new`, JSON.stringify({ pid: 1_002, host: 'test', started: '1002', nonce: 'theirs' }));
    await rename(`${path}.new`, path);
    await eventually(() => expect(told).toEqual(['lost']));
  });

  it('shows life before a holder that rested for long writes again', async () => {
    const { lock, path } = await watchedLock(watchFolder);
    await untilBeatsAre(0);
    await age(path, 3_600);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect(await lock.isHeld()).toBe(true);
    vi.useRealTimers();
    // The sign of life has the time of the false clock.
    expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now());
  });

  it('goes on beating, seldom, where others cannot tell when a process began', async () => {
    const unknown: ProcessProbe = { self: () => Promise.resolve({ pid: 7, host: 'test', started: '' }), isRunning: () => Promise.resolve('unknown') };
    const { path } = await watchedLock(watchFolder, unknown);
    await vi.advanceTimersByTimeAsync(1_000);
    const rests = async (): Promise<boolean> => {
      await age(path, 1_000);
      const before = (await stat(path)).mtimeMs;
      await vi.advanceTimersByTimeAsync(1_000);
      return (await stat(path)).mtimeMs === before;
    };
    await eventually(async () => expect(await rests()).toBe(true));
    const before = (await stat(path)).mtimeMs;
    await vi.advanceTimersByTimeAsync(10_000);
    await eventually(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(before));
  });

  it.each<[string, WatchFolder]>([
    ['tells nothing', () => ({ close: () => undefined })],
    ['cannot be watched', () => undefined],
    ['is watched no more', endingWatch],
  ])('goes on beating and looking where the folder %s', async (_, watch) => {
    const { path, told, other } = await watchedLock(watch);
    await vi.advanceTimersByTimeAsync(1_000);
    await requestLock(other, path, await newHolder(other));
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(told).toContain('asked');
    });
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe('sess-09 the probe of processes', () => {
  it('knows a running process, an ended one, a reused number and another machine', async () => {
    const probe = createProcessProbe();
    const self = await probe.self();
    expect(self.pid).toBe(process.pid);
    const known = self.started !== '';
    expect(await probe.isRunning(self)).toBe(known ? 'yes' : 'unknown');
    expect(await probe.isRunning({ ...self, started: '1' })).toBe(known ? 'no' : 'unknown');
    expect(await probe.isRunning({ ...self, host: 'elsewhere' })).toBe('unknown');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    expect(await probe.isRunning({ ...self, pid, started: '' })).toBe('unknown');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await probe.isRunning({ ...self, pid })).toBe('no');
  });

  it.runIf(process.platform === 'linux')('sess-09 a process that has ended but was not waited for counts as gone', async () => {
    // The shell's child ends when its input does, and the program that the shell turns into never asks how.
    const parent = spawn('bash', ['-c', '{ cat <&3 >/dev/null & } 3<&0; echo $!; exec sleep 60'], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString().trim());
      const fields = async (): Promise<string[]> => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
      await vi.waitUntil(async () => (await readFile(`/proc/${parent.pid}/comm`, 'utf8')).trim() === 'sleep', { timeout: 20_000 });
      parent.stdin.end();
      await vi.waitUntil(async () => (await fields())[0] === 'Z', { timeout: 20_000 });
      const probe = createProcessProbe();
      const { host } = await probe.self();
      expect(await probe.isRunning({ pid, host, started: (await fields())[19] ?? '' })).toBe('no');
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
