import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OpenSession, SessionStore } from '../../../src/domain/session/session-store.js';
import { SessionBusyError } from '../../../src/session/errors.js';
import { FaultyFiles } from './support/faulty-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, nodeFiles, TestProcesses, testStore, texts, user } from './support/setup.js';
import { eventually } from '../../support/eventually.js';
import { sessionHolder } from '../../support/session-holder.js';

/** A session that is open in one window, and the store of another window. */
async function twoWindows(options: {
  isIdle: () => boolean;
  askMs?: number;
}): Promise<{ folder: string; mine: OpenSession; other: SessionStore; takenOver: () => number; files: FaultyFiles }> {
  const folder = temporaryFolder();
  const processes = new TestProcesses();
  const files = new FaultyFiles(nodeFiles());
  const store = testStore(folder, { processes: processes.start(), files });
  const mine = await store.create('');
  await mine.recorder.append(user('a'));
  const onTakenOver = vi.fn();
  store.share(mine.session.id, { isIdle: options.isIdle, onTakenOver });
  const other = testStore(folder, { processes: processes.start(), ...(options.askMs === undefined ? {} : { askMs: options.askMs }) });
  return { folder, mine, other, takenOver: () => onTakenOver.mock.calls.length, files };
}

async function leftOvers(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /lock|tmp/.test(name));
}

describe('sess-09 taking a session over', () => {
  it('gets it from a window that is idle, with all that was said, and that window knows', async () => {
    const { folder, mine, other, takenOver } = await twoWindows({ isIdle: () => true });
    await mine.recorder.append(assistant('b'));
    const taken = await other.open(mine.session.id, { takeOver: true });
    expect(texts(taken.session.messages)).toEqual(['a', 'b']);
    await eventually(() => expect(takenOver()).toBe(1));
    await expect(mine.recorder.append(user('lost?'))).rejects.toThrow(SessionBusyError);
    await mine.recorder.close();
    await taken.recorder.append(user('c'));
    await taken.recorder.close();
    expect(await leftOvers(folder)).toEqual([]);
    expect(texts((await other.open(mine.session.id)).session.messages)).toEqual(['a', 'b', 'c']);
  });

  it('is refused while that window works, which goes on undisturbed, and granted afterwards', async () => {
    let idle = false;
    const { folder, mine, other, takenOver } = await twoWindows({ isIdle: () => idle });
    const refused = await other.open(mine.session.id, { takeOver: true }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SessionBusyError);
    expect(refused).toMatchObject({ busy: 'working', message: expect.stringContaining('is working on this chat') as string });
    await mine.recorder.append(assistant('b'));
    expect(takenOver()).toBe(0);
    expect(await leftOvers(folder)).toEqual([`${mine.session.id}.lock`]);
    idle = true;
    const taken = await other.open(mine.session.id, { takeOver: true });
    expect(texts(taken.session.messages)).toEqual(['a', 'b']);
    await taken.recorder.close();
  });

  it('is refused by a window that has nobody to say whether it works', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testStore(folder, { processes: processes.start() }).create('');
    await recorder.append(user('a'));
    await expect(testStore(folder, { processes: processes.start() }).open(session.id, { takeOver: true })).rejects.toMatchObject({ busy: 'working' });
    await recorder.close();
  });

  it('is not asked for when the session is merely opened', async () => {
    const { mine, other, takenOver } = await twoWindows({ isIdle: () => true });
    await expect(other.open(mine.session.id)).rejects.toMatchObject({ busy: 'open' });
    expect(takenOver()).toBe(0);
    await mine.recorder.close();
  });

  it('is refused when that window cannot save what it has, which loses nothing', async () => {
    const { mine, other, takenOver, files } = await twoWindows({ isIdle: () => true });
    // Its signs of life go on, the fold fails.
    files.fault = undefined;
    const inner = files.openExclusive;
    files.openExclusive = (path) => (path.endsWith('.tmp') ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : inner(path));
    await expect(other.open(mine.session.id, { takeOver: true })).rejects.toMatchObject({ busy: 'working' });
    expect(takenOver()).toBe(0);
    files.openExclusive = inner;
    await mine.recorder.append(assistant('b'));
    await mine.recorder.close();
    expect(texts((await other.open(mine.session.id)).session.messages)).toEqual(['a', 'b']);
  });

  it('says so when that window does not answer, and leaves no request behind', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const holder = processes.start();
    await writeFile(join(folder, 'a.json'), '{"version":1}');
    await writeFile(join(folder, 'a.lock'), JSON.stringify({ ...(await holder.self()), nonce: 'hangs' }));
    const store = testStore(folder, { processes: processes.start(), askMs: 200 });
    await expect(store.open('a', { takeOver: true })).rejects.toMatchObject({ busy: 'silent' });
    expect(await leftOvers(folder)).toEqual(['a.lock']);
    holder.end();
    const taken = await store.open('a', { takeOver: true });
    await taken.recorder.close();
    expect(await leftOvers(folder)).toEqual([]);
  });

  it('does not let go for one who asked and is gone', async () => {
    const { folder, mine, takenOver } = await twoWindows({ isIdle: () => true });
    const request = join(folder, `${mine.session.id}.lock.wanted`);
    const gone = { pid: 1_000_000, host: 'test', started: 'x', nonce: 'gone' };
    await writeFile(request, JSON.stringify(gone));
    await eventually(async () => expect(await leftOvers(folder)).toEqual([`${mine.session.id}.lock`]));
    const running = { pid: 1_001, host: 'test', started: '1001', nonce: 'long ago' };
    const written = join(temporaryFolder(), 'request');
    await writeFile(written, JSON.stringify(running));
    const old = new Date(Date.now() - 60_000);
    await utimes(written, old, old);
    await rename(written, request);
    await eventually(async () => expect(await leftOvers(folder)).toEqual([`${mine.session.id}.lock`]));
    expect(takenOver()).toBe(0);
    await mine.recorder.close();
  });

  it('lets one of many have it, and the others know', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const store = testStore(folder, { processes: processes.start() });
    const { recorder, session } = await store.create('');
    await recorder.append(user('a'));
    store.share(session.id, { isIdle: () => true, onTakenOver: () => undefined });
    const tries = await Promise.allSettled(
      [1, 2, 3, 4].map(() => testStore(folder, { processes: processes.start(), askMs: 3_000 }).open(session.id, { takeOver: true })),
    );
    const winners = tries.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(winners).toHaveLength(1);
    for (const attempt of tries) if (attempt.status === 'rejected') expect(attempt.reason).toBeInstanceOf(SessionBusyError);
    for (const { recorder: winner } of winners) await winner.close();
  });

  it('is known to a window that slept through it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { folder, mine, takenOver } = await twoWindows({ isIdle: () => false });
    const lock = join(folder, `${mine.session.id}.lock`);
    await writeFile(lock, JSON.stringify({ pid: 1_002, host: 'test', started: '1002', nonce: 'theirs' }));
    await vi.advanceTimersByTimeAsync(1_000);
    await eventually(() => expect(takenOver()).toBe(1));
    await expect(mine.recorder.append(user('b'))).rejects.toThrow(SessionBusyError);
    await mine.recorder.close();
    expect(await readFile(lock, 'utf8')).toContain('theirs');
  });

  it('works between real processes', async () => {
    const { createProcessProbe } = await import('../../../src/session/lock/process-probe.js');
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [await sessionHolder(temporaryFolder()), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const [id] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const store = testStore(folder, { processes: createProcessProbe() });
    expect(await store.list()).toMatchObject([{ elsewhere: true }]);
    const { session, recorder } = await store.open(id.trim(), { takeOver: true });
    expect(texts(session.messages)).toEqual(['from the other process']);
    await exited;
    expect(child.exitCode).toBe(0);
    await recorder.close();
  });
});
