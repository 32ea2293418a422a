import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Sessions } from '../../../src/session/create-sessions.js';
import { each } from './support/each.js';
import { type Fault, FaultyFiles } from './support/faulty-files.js';
import { quickFolder } from '../../support/temporary-folder.js';
import { assistant, nodeFiles, TestProcesses, testLog, testSessions, texts, user } from './support/setup.js';

/** The session that goes through everything, its branch that is deleted for good, and one that is imported. */
const [MAIN, BRANCH, IMPORTED] = ['main', 'branch', 'imported'];
const FILE = Buffer.from(`{"version":1,"id":"${IMPORTED}","messages":[{"type":"user","content":[{"type":"text","text":"i"}]}]}`);
const ALL = ['u1', 'a1', 'u2'];

type Step = (sessions: Sessions) => Promise<unknown>;

/** What is done to the sessions, in order. Each can be done again when it failed. */
const STEPS = {
  extend: async ({ store }) => {
    const { recorder, session } = await store.open(MAIN);
    try {
      if (session.messages.length === 2) await recorder.append(user('u2'));
    } finally {
      await recorder.close();
    }
  },
  branch: async ({ store }) => {
    if ((await store.list()).some(({ id }) => id === BRANCH)) return;
    await (await store.branch(MAIN, 2)).recorder.close();
  },
  label: ({ library }) => library.label(MAIN, { title: 'T' }),
  trash: ({ library }) => library.trash(MAIN),
  restore: async ({ library }) => {
    if ((await library.trashed()).some(({ id }) => id === MAIN)) await library.restore(MAIN);
  },
  trashBranch: ({ library }) => library.trash(BRANCH),
  empty: async ({ library }) => {
    if ((await library.trashed()).some(({ id }) => id === MAIN)) throw new Error('The session is to be restored first.');
    await library.emptyTrash(0);
  },
  import: async ({ store, library }) => {
    if (!(await store.list()).some(({ id }) => id === IMPORTED)) await library.import(FILE, 'f.json');
  },
  list: ({ store }) => store.list(),
} satisfies Record<string, Step>;
type Name = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as Name[];

/** A folder with the session as it is before the first step. */
async function prepared(): Promise<string> {
  const folder = quickFolder();
  const { recorder } = await testSessions(folder, { newId: () => MAIN }).store.create('s');
  await recorder.append(user('u1'));
  await recorder.append(assistant('a1'));
  await recorder.close();
  return folder;
}

function sessionsOn(folder: string, files: FaultyFiles, processes: TestProcesses): Sessions & { end(): void } {
  const probe = processes.start();
  return { ...testSessions(folder, { files, processes: probe, newId: () => BRANCH, log: testLog(), waitMs: 2_000 }), end: () => probe.end() };
}

async function countOperations(): Promise<number> {
  const files = new FaultyFiles(nodeFiles());
  const sessions = sessionsOn(await prepared(), files, new TestProcesses());
  for (const name of NAMES) await STEPS[name](sessions);
  return files.operations;
}

describe('a process that is killed at a file operation of the library', () => {
  it('sess-01 sess-18 leaves each session whole in one place, and nothing of one that is gone', async () => {
    const total = await countOperations();
    expect(total).toBeGreaterThan(150);
    // To end after an operation is to end before the next one, which only half happens when it is a write.
    await each(total, 1, (at) => killedAt({ at, how: 'kill', code: '' }));
  }, 240_000);

  async function killedAt(fault: Fault): Promise<void> {
    const folder = await prepared();
    const processes = new TestProcesses();
    const files = new FaultyFiles(nodeFiles(), fault);
    const sessions = sessionsOn(folder, files, processes);
    const done: Name[] = [];
    try {
      for (const name of NAMES) {
        await STEPS[name](sessions);
        done.push(name);
      }
    } catch {
      // The process ended here.
    }
    sessions.end();
    const where = `${fault.how} at ${fault.at}: ${files.log[fault.at - 1] ?? ''}`;
    const log = testLog();
    const after = testSessions(folder, { processes: processes.start(), log, waitMs: 2_000 });
    const [listed, trashed] = [await after.store.list(), await after.library.trashed()];
    const places = (id: string): readonly string[] => [
      ...listed.filter((entry) => entry.id === id).map(() => 'history'),
      ...trashed.filter((entry) => entry.id === id).map(() => 'trash'),
    ];
    expect(places(MAIN), where).toHaveLength(1);
    if (done.includes('restore')) expect(places(MAIN), where).toEqual(['history']);
    else if (done.at(-1) === 'trash') expect(places(MAIN), where).toHaveLength(1);
    else if (done.includes('trash')) expect(places(MAIN), where).toEqual(['trash']);
    if (done.includes('empty')) expect(places(BRANCH), where).toEqual([]);
    else if (done.includes('branch') && done.at(-1) !== 'trashBranch') expect(places(BRANCH), where).toHaveLength(1);
    if (done.includes('import')) expect(places(IMPORTED), where).toEqual(['history']);
    for (const { id } of trashed) await after.library.restore(id);
    const found = (await after.store.list()).map(({ id }) => id);
    for (const id of found) await isWhole(after, id, { done, where });
    const expected = [
      'index.json',
      'trash',
      `${MAIN}.json`,
      `${MAIN}.meta.json`,
      ...found.flatMap((id) => (id === BRANCH ? [`${id}.json`, `${id}.meta.json`] : id === IMPORTED ? [`${id}.json`] : [])),
    ];
    const left = await readdir(folder, { recursive: true });
    expect(
      left.filter((name) => !expected.includes(name)),
      where,
    ).toEqual([]);
    expect(log.lines, where).toEqual([]);
  }

  async function isWhole({ store }: Sessions, id: string, { done, where }: { done: readonly Name[]; where: string }): Promise<void> {
    const { session, meta, warnings, recorder } = await store.open(id);
    const found = texts(session.messages);
    if (id === MAIN) {
      expect(found, where).toEqual(ALL.slice(0, done.includes('extend') ? 3 : found.length));
      expect(found.length, where).toBeGreaterThanOrEqual(2);
      if (done.includes('label')) expect(meta.title, where).toBe('T');
    } else expect(found, where).toEqual(id === BRANCH ? ['u1', 'a1'] : ['i']);
    if (id === BRANCH) expect(meta, where).toEqual({ title: 'u1', parent: { id: MAIN, count: 2 } });
    expect(warnings, where).toEqual([]);
    await recorder.close();
  }
});

describe('a disk that fails under the library', () => {
  for (const how of ['once', 'always'] as const) {
    it(`sess-02 ${how}, at any operation: what failed can be done again, and nothing is lost`, async () => {
      const total = await countOperations();
      await each(total, how === 'once' ? 1 : 3, (at) => failsFrom({ at, how, code: how === 'once' ? 'EIO' : 'ENOSPC' }));
    }, 240_000);
  }

  async function failsFrom(fault: Fault): Promise<void> {
    const folder = await prepared();
    const processes = new TestProcesses();
    const files = new FaultyFiles(nodeFiles(), fault);
    const first = sessionsOn(folder, files, processes);
    const where = `${fault.how} at ${fault.at}`;
    const failed = await attempt(NAMES, first);
    files.fault = undefined;
    // Once more in the same window, from what failed first; then as after a restart.
    const [begin] = failed;
    const again = await attempt(begin === undefined ? [] : NAMES.slice(NAMES.indexOf(begin)), first);
    expect(again, `${where} ${files.log[fault.at - 1] ?? ''}`).toEqual([]);
    first.end();
    const log = testLog();
    const after = testSessions(folder, { processes: processes.start(), log, waitMs: 2_000 });
    for (const name of ['trashBranch', 'empty'] as const) await STEPS[name](after);
    expect((await after.store.list()).map(({ id }) => id).sort(), where).toEqual([IMPORTED, MAIN]);
    expect(await after.library.trashed(), where).toEqual([]);
    const { session, meta, recorder } = await after.store.open(MAIN);
    await recorder.close();
    expect([texts(session.messages), meta.title], where).toEqual([ALL, 'T']);
    const left = (await readdir(folder, { recursive: true })).sort();
    expect(
      left.filter((name) => name !== `${IMPORTED}.lock`),
      where,
    ).toEqual([`${IMPORTED}.json`, 'index.json', `${MAIN}.json`, `${MAIN}.meta.json`, 'trash']);
    expect(log.lines, where).toEqual([]);
  }

  /** @returns which steps failed. */
  async function attempt(names: readonly Name[], sessions: Sessions): Promise<readonly Name[]> {
    const failed: Name[] = [];
    for (const name of names) {
      try {
        await STEPS[name](sessions);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        failed.push(name);
      }
    }
    return failed;
  }
});
