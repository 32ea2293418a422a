import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sessions, createSessions } from '../../../../src/session/create-sessions.js';
import { SessionBusyError } from '../../../../src/session/errors.js';
import { identifyFolder } from '../../../../src/session/other-workspaces/folder-identity.js';
import { StorageIndex } from '../../../../src/session/other-workspaces/storage-index.js';
import { each } from '../support/each.js';
import { FaultyFiles } from '../support/faulty-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { assistant, nodeFiles, testClock, TestProcesses, testLog, texts, user } from '../support/setup.js';

/** A machine with its global storage. */
class Machine {
  readonly processes = new TestProcesses();

  constructor(readonly root: string) {}

  index(): StorageIndex {
    return new StorageIndex({
      writer: { files: nodeFiles(), log: testLog(), pid: 1 },
      folder: join(this.root, 'global', 'storages'),
      identify: identifyFolder,
    });
  }

  /** A window with a storage of its own for some workspace folders, as VS Code opens it. */
  async window(storage: string, folders: readonly string[], files = nodeFiles()): Promise<Sessions & { end(): void }> {
    const own = join(this.root, 'storage', storage);
    const [index, probe] = [this.index(), this.processes.start()];
    await index.note(own, folders);
    const others = { folders: async () => (await index.otherStorages(own, folders)).map(({ path }) => join(path, 'sessions')) };
    const options = { folder: join(own, 'sessions'), files, clock: testClock(), log: testLog(), waitMs: 2_000, askMs: 3_000, processes: probe };
    return { ...createSessions(options, others), end: () => probe.end() };
  }

  async project(name: string): Promise<string> {
    const path = join(this.root, 'code', name);
    await mkdir(path, { recursive: true });
    return path;
  }
}

function machine(): Machine {
  return new Machine(temporaryFolder());
}

async function say({ store }: Sessions, text: string): Promise<string> {
  const { recorder, session } = await store.create('');
  await recorder.append(user(text));
  await recorder.updateMeta({ title: `Title of ${text}` });
  await recorder.close();
  return session.id;
}

async function titles({ store }: Sessions): Promise<readonly string[]> {
  return (await store.list()).map(({ title }) => title);
}

describe('sess-13 sessions are found again', () => {
  it('when a folder becomes one of several, and when it is opened alone again', async () => {
    const computer = machine();
    const [a, b] = [await computer.project('a'), await computer.project('b')];
    const alone = await computer.window('1', [a]);
    await say(alone, 'alone');
    const both = await computer.window('2', [a, b]);
    await say(both, 'both');
    expect([...(await titles(both))].sort()).toEqual(['Title of alone', 'Title of both']);
    expect([...(await titles(alone))].sort()).toEqual(['Title of alone', 'Title of both']);
    const other = await computer.window('3', [await computer.project('c')]);
    expect(await titles(other)).toEqual([]);
  });

  it('when the folder was renamed', async () => {
    const computer = machine();
    const path = await computer.project('old');
    await say(await computer.window('1', [path]), 'x');
    const renamed = join(computer.root, 'code', 'new');
    await rename(path, renamed);
    expect(await titles(await computer.window('2', [renamed]))).toEqual(['Title of x']);
  });

  it('when it is opened by a link, or by its real path after that', async () => {
    const computer = machine();
    const path = await computer.project('real');
    const link = join(computer.root, 'link');
    await symlink(path, link);
    const linked = await computer.window('1', [link]);
    await say(linked, 'by link');
    const real = await computer.window('2', [path]);
    await say(real, 'by path');
    expect(await titles(real)).toHaveLength(2);
    expect(await titles(linked)).toHaveLength(2);
  });

  it('but not those of a copy or of another folder that came in its place on the disk', async () => {
    const computer = machine();
    const path = await computer.project('a');
    await say(await computer.window('1', [path]), 'x');
    const copied = join(computer.root, 'code', 'copy');
    await cp(path, copied, { recursive: true });
    expect(await titles(await computer.window('2', [copied]))).toEqual([]);
    await rm(path, { recursive: true });
    const [identity, ...later] = await Promise.all(['d', 'e', 'f'].map(async (name) => identifyFolder(await computer.project(name))));
    expect(later.map((one) => one?.inode)).not.toContain(identity?.inode);
    for (const name of ['d', 'e', 'f']) expect(await titles(await computer.window(name, [join(computer.root, 'code', name)]))).toEqual([]);
  });

  it('whatever another program made of the index, and without one', async () => {
    const computer = machine();
    const path = await computer.project('a');
    await say(await computer.window('1', [path]), 'x');
    const folder = join(computer.root, 'global', 'storages');
    for (const [name, junk] of Object.entries({
      a: '',
      b: '{',
      c: 'null',
      d: '{"storage":5}',
      e: '{"storage":"/x","folders":[null,5,{}]}',
      f: '{"storage":"/gone","folders":{}}',
    }))
      await writeFile(join(folder, `${name}.json`), junk);
    const again = await computer.window('2', [path]);
    expect(await titles(again)).toEqual(['Title of x']);
    await rm(folder, { recursive: true });
    expect(await titles(again)).toEqual([]);
    expect(await titles(await computer.window('1', [path]))).toEqual(['Title of x']);
  });

  it('sess-09 by any number of windows that note their storages at once', async () => {
    const computer = machine();
    const path = await computer.project('a');
    const index = computer.index();
    await Promise.all(Array.from({ length: 20 }, (_, storage) => computer.index().note(`/storage/${storage % 10}`, [path])));
    expect(await index.otherStorages('/storage/0', [path])).toHaveLength(9);
    expect((await readdir(join(computer.root, 'global', 'storages'))).every((name) => name.endsWith('.json'))).toBe(true);
  });
});

describe('a session of another storage', () => {
  async function two(): Promise<{ computer: Machine; old: Sessions; now: Sessions; id: string; files: (storage: string) => Promise<readonly string[]> }> {
    const computer = machine();
    const path = await computer.project('a');
    const old = await computer.window('1', [path]);
    const id = await say(old, 'x');
    await writeFile(join(computer.root, 'storage', '1', 'sessions', `${id}.json.5.kept`), 'kept');
    const files = async (storage: string): Promise<readonly string[]> =>
      (await readdir(join(computer.root, 'storage', storage, 'sessions')).catch(() => [])).filter((name) => name.startsWith(id)).sort();
    return { computer, old, now: await computer.window('2', [path]), id, files };
  }

  it('moves here whole when it is opened', async () => {
    const { now, old, id, files } = await two();
    const before = await files('1');
    const { recorder, session, meta } = await now.store.open(id);
    expect([texts(session.messages), meta.title]).toEqual([['x'], 'Title of x']);
    expect(await files('1')).toEqual([]);
    await recorder.append(assistant('y'));
    await recorder.close();
    expect(await files('2')).toEqual(before);
    expect(await titles(now)).toEqual(['Title of x']);
    const back = await old.store.open(id);
    expect(texts(back.session.messages)).toEqual(['x', 'y']);
    await back.recorder.close();
  });

  it('is read, searched and branched where it is', async () => {
    const { now, id, files } = await two();
    const before = await files('1');
    expect(texts((await now.library.read(id)).session.messages)).toEqual(['x']);
    const hits = [];
    for await (const hit of now.library.search('title OF', new AbortController().signal)) hits.push(hit.id);
    expect(hits).toEqual([id]);
    const branch = await now.store.branch(id, 1);
    expect(branch.meta).toEqual({ title: 'Title of x', parent: { id, count: 1 } });
    await branch.recorder.close();
    expect(await files('1')).toEqual(before);
  });

  it('can be renamed, deleted, had back and deleted for good', async () => {
    const { now, old, id, files } = await two();
    await now.library.label(id, { title: 'New' });
    expect(await titles(now)).toEqual(['New']);
    await now.library.trash(id);
    expect([await titles(now), await titles(old)]).toEqual([[], []]);
    await now.library.restore(id);
    await now.store.delete(id);
    expect([await titles(now), await titles(old), await files('1'), await files('2')]).toEqual([[], [], [], []]);
    const { now: again, old: once, id: other } = await two();
    await again.store.delete(other);
    expect([await titles(again), await titles(once)]).toEqual([[], []]);
  });

  it('sess-09 stays where it is while a window there has it, unless that lets go', async () => {
    const { now, old, id, files } = await two();
    const { recorder } = await old.store.open(id);
    await recorder.append(assistant('in the journal'));
    await expect(now.store.open(id)).rejects.toThrow(SessionBusyError);
    expect(await now.store.list()).toMatchObject([{ id, elsewhere: true }]);
    expect(await files('2')).toEqual([]);
    old.store.share(id, { isIdle: () => true, onTakenOver: () => undefined });
    const taken = await now.store.open(id, { takeOver: true });
    expect(texts(taken.session.messages)).toEqual(['x', 'in the journal']);
    await taken.recorder.close();
  });

  it('sess-01 is whole in one of the two when the process is killed at any operation of the move', async () => {
    const counting = await two();
    const counter = new FaultyFiles(nodeFiles());
    const counted = await counting.computer.window('2', [join(counting.computer.root, 'code', 'a')], counter);
    const opened = await counted.store.open(counting.id);
    const total = counter.operations;
    await opened.recorder.close();
    await each(total, 1, async (at) => {
      const { computer, id } = await two();
      const path = join(computer.root, 'code', 'a');
      const files = new FaultyFiles(nodeFiles(), { at, how: at % 2 === 0 ? 'kill' : 'kill-after', code: '' });
      const killed = await computer.window('2', [path], files);
      await killed.store.open(id).catch(() => undefined);
      killed.end();
      const where = `${at}: ${files.log[at - 1] ?? ''}`;
      const after = await computer.window('2', [path]);
      expect(await titles(after), where).toEqual(['Title of x']);
      const again = await after.store.open(id);
      expect([texts(again.session.messages), again.meta.title, again.warnings], where).toEqual([['x'], 'Title of x', []]);
      await again.recorder.close();
      const left = await readdir(join(computer.root, 'storage'), { recursive: true });
      expect(left.filter((name) => name.includes(id)).sort(), where).toEqual([
        `2/sessions/${id}.json`,
        `2/sessions/${id}.json.5.kept`,
        `2/sessions/${id}.meta.json`,
      ]);
      expect(await readFile(join(computer.root, 'storage', '2', 'sessions', `${id}.json.5.kept`), 'utf8'), where).toBe('kept');
    });
  }, 240_000);
});
