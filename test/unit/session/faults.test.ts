import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenSession } from '../../../src/domain/session/session-store.js';
import { SessionWriteError } from '../../../src/session/errors.js';
import { each } from './support/each.js';
import { type Fault, FaultyFiles, fileError } from './support/faulty-files.js';
import { quickFolder } from '../../support/temporary-folder.js';
import { assistant, nodeFiles, TestProcesses, testLog, testStore, texts, toolResult, user } from './support/setup.js';
import { says } from '../../support/wording.js';
import { decodeSession } from '../../support/decode-session.js';

const ID = '1771416000000000000';

type Step = (open: OpenSession) => Promise<string | undefined>;

const add =
  (text: string): Step =>
  async ({ recorder }) => {
    await recorder.append(text.startsWith('a') ? assistant(text) : user(text));
    return text;
  };

const STEPS: readonly Step[] = [
  add('u1'),
  ({ recorder }) => recorder.partial(assistant('a')).then(() => undefined),
  add('a1'),
  ({ recorder }) => recorder.updateMeta({ title: 'T' }).then(() => undefined),
  ({ recorder }) => recorder.fold().then(() => undefined),
  add('u2'),
  ({ recorder }) => recorder.partial(assistant('a2 in part')).then(() => undefined),
  ({ recorder }) => recorder.fold().then(() => undefined),
  add('a2'),
  add('u3'),
  ({ recorder }) => recorder.fold().then(() => undefined),
];
const ALL = ['u1', 'a1', 'u2', 'a2', 'u3'];

/** Plays the steps until one fails. @returns the messages whose recording was confirmed. */
async function play(open: OpenSession): Promise<readonly string[]> {
  const confirmed: string[] = [];
  for (const step of STEPS) {
    const text = await step(open);
    if (text !== undefined) confirmed.push(text);
  }
  return confirmed;
}

async function countOperations(): Promise<number> {
  const files = new FaultyFiles(nodeFiles());
  const open = await testStore(quickFolder(), { files, newId: () => ID }).create('s');
  await play(open);
  const { operations } = files;
  await open.recorder.close();
  return operations;
}

/** The messages of every state that the steps pass through. */
function isState(found: readonly string[]): boolean {
  return found.every((text, index) => text === ALL[index] || (index === found.length - 1 && ALL[index]?.startsWith('a') === true && text.startsWith('a')));
}

describe('a process that is killed at a file operation', () => {
  for (const how of ['kill', 'kill-after'] as const) {
    it(`sess-01 sess-11 leaves a session that opens with all that was confirmed (${how}, every operation)`, async () => {
      const total = await countOperations();
      expect(total).toBeGreaterThan(60);
      await each(total, 1, (at) => killedAt({ at, how, code: '' }));
    }, 60_000);
  }

  async function killedAt(fault: Fault): Promise<void> {
    const folder = quickFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const confirmed: string[] = [];
    const files = new FaultyFiles(nodeFiles(), fault);
    try {
      const open = await testStore(folder, { files, processes: probe, newId: () => ID }).create('s');
      for (const step of STEPS) {
        const text = await step(open);
        if (text !== undefined) confirmed.push(text);
      }
    } catch {
      // The process ended here.
    }
    probe.end();
    const where = `${fault.how} at ${fault.at}: ${files.log[fault.at - 1] ?? ''}`;
    const envelope = await readFile(join(folder, `${ID}.json`)).catch(() => undefined);
    if (envelope !== undefined) expect(isState(texts(decodeSession(envelope).messages.map(({ message }) => message))), where).toBe(true);
    await check(folder, processes, confirmed, where);
  }

  async function check(folder: string, processes: TestProcesses, confirmed: readonly string[], where: string): Promise<void> {
    const log = testLog();
    const store = testStore(folder, { processes: processes.start(), log, waitMs: 2_000 });
    const [listed] = await store.list();
    if (listed === undefined) {
      expect(confirmed, where).toEqual([]);
      return;
    }
    const opened = await store.open(ID);
    const found = texts(opened.session.messages);
    expect(isState(found), `${where}: ${found.join()}`).toBe(true);
    expect(found.slice(0, confirmed.length), where).toEqual(confirmed);
    expect(found.length, where).toBeLessThanOrEqual(confirmed.length + 1);
    expect(opened.session.systemPrompt, where).toBe('s');
    expect(opened.warnings, where).toEqual([]);
    await opened.recorder.close();
    const left = (await readdir(folder)).filter((name) => !['index.json', `${ID}.json`, `${ID}.meta.json`].includes(name));
    expect(left, where).toEqual([]);
    const again = await store.open(ID);
    expect(again.session.messages, where).toEqual(opened.session.messages);
    await again.recorder.close();
    expect(log.lines, where).toEqual([]);
  }

  it('leaves nothing behind when it is killed while the left-over journal is folded, however often', async () => {
    const folder = quickFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const first = new FaultyFiles(nodeFiles());
    const { recorder } = await testStore(folder, { files: first, processes: probe, newId: () => ID }).create('s');
    await recorder.append(user('u1'));
    await recorder.append(assistant('a1'));
    await recorder.append(user('u2'));
    await recorder.partial(assistant('a2 in part'));
    first.fault = { at: 1, how: 'kill', code: '' };
    probe.end();
    for (let at = 1; at <= 40; at += 1) {
      const next = processes.start();
      const files = new FaultyFiles(nodeFiles(), { at, how: at % 2 === 0 ? 'kill' : 'kill-after', code: '' });
      await testStore(folder, { files, processes: next })
        .open(ID)
        .catch(() => undefined);
      next.end();
    }
    await check(folder, processes, ['u1', 'a1', 'u2', 'a2 in part'], 'killed 40 times');
  });
});

describe('a disk that fails', () => {
  for (const code of ['ENOSPC', 'EIO', 'EROFS']) {
    it(`sess-02 once, at any operation (${code}): the call says so, nothing is lost`, async () => {
      const total = await countOperations();
      await each(total, code === 'ENOSPC' ? 1 : 5, (at) => failsFrom({ at, how: 'once', code }));
    }, 60_000);

    it(`sess-02 from any operation on, until it is back (${code}): nothing is lost`, async () => {
      const total = await countOperations();
      await each(total, 5, (at) => failsFrom({ at, how: 'always', code }));
    }, 60_000);
  }

  async function failsFrom(fault: Fault): Promise<void> {
    const folder = quickFolder();
    const files = new FaultyFiles(nodeFiles());
    const open = await testStore(folder, { files, newId: () => ID }).create('s');
    files.fault = { ...fault, at: fault.at + files.operations };
    const where = `${fault.how} ${fault.code} at ${fault.at}`;
    for (const step of STEPS) {
      await step(open).catch((error: unknown) => {
        expect(error, where).toBeInstanceOf(SessionWriteError);
        expect(error, where).toMatchObject({ code: fault.code });
      });
    }
    const envelope = await readFile(join(folder, `${ID}.json`)).catch(() => undefined);
    if (envelope !== undefined) expect(isState(texts(decodeSession(envelope).messages.map(({ message }) => message))), where).toBe(true);
    files.fault = undefined;
    await open.recorder.append(toolResult('c', 'last'));
    await open.recorder.close();
    const { session, recorder, warnings } = await testStore(folder).open(ID);
    expect(texts(session.messages), where).toEqual([...ALL, 'last']);
    expect(warnings, where).toEqual([]);
    await recorder.close();
  }

  it('sess-02 says in words what to do', async () => {
    const files = new FaultyFiles(nodeFiles(), { at: 1, how: 'always', code: 'ENOSPC' });
    const { recorder } = await testStore(quickFolder(), { files }).create('');
    await expect(recorder.append(user('x'))).rejects.toThrow(says('chatNotSaved', 'the disk is full. Free up some space.'));
    await recorder.close().catch(() => undefined);
  });

  it('sess-20 lets a conversation be read and go on in memory', async () => {
    const folder = quickFolder();
    await writeFile(join(folder, 'a.json'), '{"version":1,"messages":[{"type":"user","content":[{"type":"text","text":"hi"}]}]}');
    const files = new FaultyFiles(nodeFiles(), { at: 1, how: 'always', code: 'EROFS' });
    const store = testStore(folder, { files });
    expect(await store.list()).toMatchObject([{ title: 'hi' }]);
    const opened = await store.open('a');
    expect(texts(opened.session.messages)).toEqual(['hi']);
    expect(opened.warnings.join()).toContain('the disk is read-only');
    await expect(opened.recorder.append(user('more'))).rejects.toThrow('read-only');
    files.fault = undefined;
    await opened.recorder.append(user('and more'));
    await opened.recorder.close();
    expect(texts((await testStore(folder).open('a')).session.messages)).toEqual(['hi', 'more', 'and more']);
  });

  it('sess-04 waits for a scanner that holds the file, and gives up in the end without loss', async () => {
    const folder = quickFolder();
    const inner = nodeFiles();
    let refusals = 5;
    const files = {
      ...inner,
      rename: (from: string, to: string) => {
        if (refusals === 0) return inner.rename(from, to);
        refusals -= 1;
        return Promise.reject(fileError('EPERM'));
      },
    };
    const { recorder } = await testStore(folder, { files, newId: () => ID }).create('');
    await recorder.append(user('a'));
    await recorder.fold();
    refusals = 6;
    await recorder.append(user('b'));
    await expect(recorder.fold()).rejects.toThrow('whether antivirus software');
    expect(decodeSession(await readFile(join(folder, `${ID}.json`))).messages).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await recorder.close();
    expect(decodeSession(await readFile(join(folder, `${ID}.json`))).messages).toHaveLength(2);
  });
});
