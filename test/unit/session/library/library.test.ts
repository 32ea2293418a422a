import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../../src/domain/errors.js';
import type { SessionHit } from '../../../../src/domain/session/session-library.js';
import type { Sessions } from '../../../../src/session/create-sessions.js';
import { SessionBusyError } from '../../../../src/session/errors.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { assistant, testClock, TestProcesses, testSessions, texts, toolResult, user } from '../support/setup.js';

/** A session on disk. */
async function stored({ store }: Sessions, ...words: readonly string[]): Promise<string> {
  const { recorder, session } = await store.create('');
  for (const text of words) await recorder.append(user(text));
  await recorder.close();
  return session.id;
}

/** All files of a folder and those in it, with their content. */
async function everything(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
  return files.map(({ name }, index) => `${name}: ${contents[index] ?? ''}`).join('\n');
}

async function all(hits: AsyncIterable<SessionHit>): Promise<readonly SessionHit[]> {
  const found: SessionHit[] = [];
  for await (const hit of hits) found.push(hit);
  return found;
}

const NEVER = new AbortController().signal;

describe('labels', () => {
  it('can be changed of a session that is open here, and of one that is not', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    const id = await stored(sessions, 'words');
    await sessions.library.label(id, { title: 'Renamed', titleBy: 'person', pinned: true });
    expect(await sessions.store.list()).toMatchObject([{ title: 'Renamed', pinned: true }]);
    const opened = await sessions.store.open(id);
    expect(opened.meta).toEqual({ title: 'Renamed', titleBy: 'person', pinned: true });
    await sessions.library.label(id, { title: 'Again', pinned: undefined });
    await opened.recorder.updateMeta({ mode: 'plan' });
    await opened.recorder.close();
    expect((await sessions.library.read(id)).meta).toEqual({ title: 'Again', titleBy: 'person', mode: 'plan' });
    expect((await sessions.store.list())[0]).not.toHaveProperty('pinned');
  });

  it('keep what a later version put beside them, and set a broken sidecar aside (sess-14)', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    const id = await stored(sessions, 'words');
    const meta = join(folder, `${id}.meta.json`);
    await writeFile(meta, '{"version": 2, "future": [1], "mode": "plan"}');
    await sessions.library.label(id, { title: 'T' });
    expect(JSON.parse(await readFile(meta, 'utf8'))).toEqual({ version: 1, title: 'T', mode: 'plan', future: [1] });
    await writeFile(meta, '{"ver');
    await sessions.library.label(id, { pinned: true });
    expect(JSON.parse(await readFile(meta, 'utf8'))).toEqual({ version: 1, pinned: true });
    expect(await everything(folder)).toMatch(/\.kept: \{"ver$/m);
  });

  it('are refused of a session that another window has, or that is not there', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testSessions(folder, { processes: processes.start() }).store.create('');
    await recorder.append(user('a'));
    const { library } = testSessions(folder, { processes: processes.start() });
    await expect(library.label(session.id, { title: 'x' })).rejects.toThrow(SessionBusyError);
    await expect(library.label('none', { title: 'x' })).rejects.toThrow(InvalidDataError);
    await expect(library.label('../x', { title: 'x' })).rejects.toThrow(InvalidDataError);
    await recorder.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});

describe('reading', () => {
  it('sess-09 gives a session that another window has open, and changes nothing', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testSessions(folder, { processes: processes.start() }).store.create('s');
    await recorder.append(user('a'));
    await recorder.fold();
    await recorder.append(assistant('b'));
    const { library, store } = testSessions(folder, { processes: processes.start() });
    const before = await everything(folder);
    const read = await library.read(session.id);
    expect(texts(read.session.messages)).toEqual(['a', 'b']);
    expect(read.warnings).toEqual([]);
    expect(await everything(folder)).toBe(before);
    expect(await store.list()).toMatchObject([{ elsewhere: true, messageCount: 2 }]);
    await recorder.close();
    expect((await store.list())[0]).not.toHaveProperty('elsewhere');
  });

  it('sess-09 is right in any moment of folds in another window', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testSessions(folder, { processes: processes.start() }).store.create('s');
    await recorder.append(user('0'));
    const { library } = testSessions(folder, { processes: processes.start() });
    let writing = true;
    const writer = (async () => {
      for (let turn = 1; turn <= 40; turn += 1) {
        await recorder.partial(assistant(`half of ${turn}`));
        await recorder.append(user(String(turn)));
        await recorder.fold();
      }
      writing = false;
    })();
    let least = 0;
    while (writing) {
      const read = await library.read(session.id);
      const found = texts(read.session.messages).filter((text) => !text.startsWith('half'));
      expect(found).toEqual(found.map((_, index) => String(index)));
      expect(found.length).toBeGreaterThanOrEqual(least);
      least = found.length;
    }
    await writer;
    await recorder.close();
  });
});

describe('the trash', () => {
  it('takes every file of a session out of the history, and gives it back as it was', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    const { store, library } = sessions;
    const id = await stored(sessions, 'secret words');
    await library.label(id, { title: 'Secret' });
    await writeFile(join(folder, `${id}.json.5.kept`), 'a copy');
    const other = await stored(sessions, 'another');
    const before = (await everything(folder))
      .split('\n')
      .filter((line) => !line.startsWith('index.json'))
      .sort()
      .join('\n');
    await library.trash(id);
    expect((await store.list()).map((summary) => summary.id)).toEqual([other]);
    expect(await library.trashed()).toMatchObject([{ id, title: 'Secret' }]);
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([]);
    expect(await readFile(join(folder, 'index.json'), 'utf8')).not.toContain('ecret');
    await expect(store.open(id)).rejects.toThrow('was deleted');
    await expect(library.read(id)).rejects.toThrow('was deleted');
    await expect(library.label(id, {})).rejects.toThrow('was deleted');
    await library.restore(id);
    expect(
      (await everything(folder))
        .split('\n')
        .filter((line) => !line.startsWith('index.json'))
        .sort()
        .join('\n'),
    ).toBe(before);
    expect(await library.trashed()).toEqual([]);
    expect(texts((await library.read(id)).session.messages)).toEqual(['secret words']);
    await expect(library.restore(id)).rejects.toThrow('no longer in the trash');
  });

  it('sess-16 keeps others out: files 0600, folder 0700', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    const id = await stored(sessions, 'a');
    await sessions.library.label(id, { pinned: true });
    await sessions.library.trash(id);
    const bin = join(folder, 'trash');
    expect((await stat(bin)).mode & 0o777).toBe(0o700);
    const names = await readdir(bin);
    expect(names.sort()).toEqual([`${id}.json`, `${id}.meta.json`, `${id}.trashed`]);
    for (const name of names) expect((await stat(join(bin, name))).mode & 0o777, name).toBe(0o600);
  });

  it('takes a session that is open here, with what was said last', async () => {
    const sessions = testSessions(temporaryFolder());
    const { recorder, session } = await sessions.store.create('');
    await recorder.append(user('a'));
    await sessions.library.trash(session.id);
    await expect(recorder.append(user('b'))).rejects.toThrow('closed');
    await sessions.library.restore(session.id);
    expect(texts((await sessions.library.read(session.id)).session.messages)).toEqual(['a']);
  });

  it('does not take a session that another window has', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testSessions(folder, { processes: processes.start() }).store.create('');
    await recorder.append(user('a'));
    const { library } = testSessions(folder, { processes: processes.start() });
    await expect(library.trash(session.id)).rejects.toThrow(SessionBusyError);
    expect(await library.trashed()).toEqual([]);
    await recorder.close();
  });

  it('sess-18 leaves nothing when it is emptied: not here, not in the index, not elsewhere', async () => {
    const folder = temporaryFolder();
    const forgotten: string[] = [];
    const clock = testClock('2026-02-18T12:00:00Z');
    const sessions = testSessions(folder, { clock, forget: (id) => Promise.resolve(void forgotten.push(id)) });
    const id = await stored(sessions, 'secret words');
    await sessions.library.label(id, { title: 'secret title' });
    await writeFile(join(folder, `${id}.meta.json.5.kept`), 'secret copy');
    await sessions.store.list();
    clock.set('2026-02-18T13:00:00Z');
    await sessions.library.trash(id);
    clock.set('2026-02-18T13:05:00Z');
    await sessions.library.emptyTrash(600_000);
    expect(await sessions.library.trashed()).toHaveLength(1);
    expect(forgotten).toEqual([]);
    clock.set('2026-02-18T13:10:01Z');
    await sessions.library.emptyTrash(600_000);
    expect(forgotten).toEqual([id]);
    expect(await everything(folder)).not.toMatch(/secret|\.trashed/);
    expect(await everything(folder)).not.toContain(id);
    await expect(sessions.library.restore(id)).rejects.toThrow('no longer in the trash');
  });

  it('sess-18 sees to the end what could not be removed elsewhere', async () => {
    const folder = temporaryFolder();
    let broken = true;
    const forget = (): Promise<void> => (broken ? Promise.reject(new Error('the checkpoints are held')) : Promise.resolve());
    const sessions = testSessions(folder, { forget });
    const id = await stored(sessions, 'a');
    const kept = await stored(sessions, 'b');
    await sessions.library.trash(id);
    await expect(sessions.library.emptyTrash(0)).rejects.toThrow('held');
    expect((await sessions.store.list()).map((summary) => summary.id)).toEqual([kept]);
    broken = false;
    await testSessions(folder, { forget }).store.list();
    expect(await everything(folder)).not.toContain(id);
  });

  it('sess-18 is also emptied of one session by deleting it at once', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    const id = await stored(sessions, 'a');
    await sessions.library.trash(id);
    await sessions.store.delete(id);
    expect(await everything(folder)).not.toContain(id);
  });

  it('keeps the ids in it taken', async () => {
    const sessions = testSessions(temporaryFolder(), { newId: () => 'same' });
    const id = await stored(sessions, 'a');
    await sessions.library.trash(id);
    await expect(sessions.store.create('')).rejects.toThrow('No unused ID');
    const { library } = sessions;
    await expect(library.import(Buffer.from('{"version":1,"id":"same"}'), 'f.json')).rejects.toThrow('No unused ID');
  });

  it('takes a mark that is none for one, and does not hurry to empty it', async () => {
    const folder = temporaryFolder();
    const clock = testClock(new Date().toISOString());
    const sessions = testSessions(folder, { clock });
    const id = await stored(sessions, 'a');
    await sessions.library.trash(id);
    for (const junk of ['', 'null', '[]', '{"state":"x","title":5,"trashedAt":"yesterday"}']) {
      await writeFile(join(folder, 'trash', `${id}.trashed`), junk);
      await sessions.library.emptyTrash(600_000);
      expect(await sessions.library.trashed(), junk).toMatchObject([{ id, title: '' }]);
    }
    await sessions.library.restore(id);
    expect(texts((await sessions.library.read(id)).session.messages)).toEqual(['a']);
  });
});

describe('the search', () => {
  it('finds words in titles and in what was said, newest session first; not in thinking, calls, results, or what was attached', async () => {
    const sessions = testSessions(temporaryFolder());
    const first = await stored(sessions, 'nothing', `long ${'x'.repeat(200)} before the NEEDLE\n\tand ${'y'.repeat(200)} after`);
    const { recorder } = await sessions.store.create('');
    await recorder.append({ ...user('hay'), content: [attachedBlock({ name: 'a.txt', text: 'needle' }), { type: 'text', text: 'hay' }] });
    await recorder.append(
      assistant('', {
        content: [
          { type: 'thinking', thinking: 'a needle' },
          { type: 'tool_call', id: 'c', name: 'grep', arguments: '{"pattern":"needle"}' },
        ],
      }),
    );
    await recorder.append(toolResult('c', 'needle'));
    const titled = await stored(sessions, 'other words');
    await sessions.library.label(titled, { title: 'Needle' });
    const asked = await stored(sessions, 'Where is the needle?');
    const hits = await all(sessions.library.search(' needle ', NEVER));
    expect(hits.map(({ id, index }) => [id, index])).toEqual([
      [asked, 0],
      [titled, undefined],
      [first, 1],
    ]);
    expect(hits[2]?.excerpt).toBe(`…${'x'.repeat(48)} before the NEEDLE and ${'y'.repeat(54)}…`);
    expect(hits[0]).toMatchObject({ title: 'Where is the needle?', excerpt: 'Where is the needle?', updatedAt: expect.any(String) as string });
    await recorder.close();
    expect(await all(sessions.library.search('  ', NEVER))).toEqual([]);
    expect(await all(sessions.library.search('not there', NEVER))).toEqual([]);
  });

  it('skips what cannot be read, cuts no letter in half, and stops when told', async () => {
    const folder = temporaryFolder();
    const sessions = testSessions(folder);
    await writeFile(join(folder, 'bad.json'), '{"version": 1, "messages": [ needle');
    await stored(sessions, `${'😀'.repeat(100)}needle${'é😀'.repeat(100)}`);
    await stored(sessions, 'İİİ Needle');
    const stop = new AbortController();
    const hits: SessionHit[] = [];
    for await (const hit of sessions.library.search('NEEDLE', stop.signal)) {
      hits.push(hit);
      if (hits.length === 2) stop.abort();
    }
    expect(hits).toHaveLength(2);
    expect(hits[0]?.excerpt).toContain('needle');
    expect(hits[1]?.excerpt.isWellFormed()).toBe(true);
    expect(hits[1]?.excerpt).not.toContain('\ufffd');
    stop.abort();
    expect(await all(sessions.library.search('needle', stop.signal))).toEqual([]);
  });
});

describe('importing', () => {
  const fixtures = join(import.meta.dirname, '../../../fixtures/sessions');

  it('takes a file of Pipe byte for byte', async () => {
    const folder = temporaryFolder();
    const { library, store } = testSessions(folder);
    const bytes = await readFile(join(fixtures, 'written-by-pipe.json'));
    const id = await library.import(bytes, 'pipe.json');
    expect(id).toBe('1771416000000000000');
    expect(await readFile(join(folder, `${id}.json`))).toEqual(bytes);
    expect(await store.list()).toMatchObject([{ id }]);
    expect((await readdir(folder)).sort()).toEqual([`${id}.json`, 'index.json']);
  });

  it('gives another id when its own is taken or no safe name, and changes nothing else', async () => {
    const folder = temporaryFolder();
    const { library, store } = testSessions(folder);
    const bytes = await readFile(join(fixtures, 'written-by-pipe.json'));
    await library.import(bytes, 'a.json');
    const second = await library.import(bytes, 'a.json');
    expect(second).not.toBe('1771416000000000000');
    expect(await readFile(join(folder, `${second}.json`), 'utf8')).toBe(bytes.toString().replace('"1771416000000000000"', `"${second}"`));
    const strange = '{"id" : "é", "x":{"id":"inner"}, "version":1, "id":"../../x" , "future": 1.0, "messages":[{"type":"user","id":"m"}]}\n';
    const third = await library.import(Buffer.from(strange), 'b.json');
    expect(await readFile(join(folder, `${third}.json`), 'utf8')).toBe(strange.replace('"é"', `"${third}"`).replace('"../../x"', `"${third}"`));
    const fourth = await library.import(Buffer.from('{"version":1,"messages":null}'), 'c.json');
    expect(await readFile(join(folder, `${fourth}.json`), 'utf8')).toBe('{"version":1,"messages":null}');
    expect((await store.list()).filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('keeps two windows that import one file apart', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const bytes = await readFile(join(fixtures, 'written-by-pipe.json'));
    await mkdir(folder, { recursive: true });
    const ids = await Promise.all([1, 2, 3].map(() => testSessions(folder, { processes: processes.start() }).library.import(bytes, 'a.json')));
    expect(new Set(ids).size).toBe(3);
  });

  it('sess-05 refuses anything else with file and place, and writes nothing', async () => {
    const folder = join(temporaryFolder(), 'sessions');
    const { library } = testSessions(folder);
    for (const name of await readdir(join(fixtures, 'refuse'))) {
      const bytes = await readFile(join(fixtures, 'refuse', name));
      await expect(library.import(bytes, `my ${name}`), name).rejects.toThrow(InvalidDataError);
      await expect(library.import(bytes, `my ${name}`), name).rejects.toThrow(`my ${name}`);
    }
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });
});
