import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../src/domain/errors.js';
import { SessionBusyError } from '../../../src/session/errors.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, testClock, TestProcesses, testSessions, testStore, texts, toolResult, user } from './support/setup.js';

describe('a new session', () => {
  it('has nothing on disk before its first message', async () => {
    const folder = join(temporaryFolder(), 'sessions');
    const store = testStore(folder);
    const { recorder, session } = await store.create('Be good.');
    await recorder.updateMeta({ model: 'demo/demo' });
    await recorder.fold();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    expect(session).toMatchObject({ systemPrompt: 'Be good.', messages: [], createdAt: '2026-02-18T12:00:00.12Z' });
    expect(await store.list()).toEqual([]);
    await recorder.close();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('is on disk as soon as append resolves, and folded into one v1 file', async () => {
    const folder = join(temporaryFolder(), 'sessions');
    const store = testStore(folder, { newId: () => '1771416000000000000' });
    const { recorder, session } = await store.create('Be good.');
    await recorder.updateMeta({ model: 'demo/demo' });
    await recorder.append(user('hello'));
    expect((await readdir(folder)).sort()).toEqual([`${session.id}.journal.jsonl`, `${session.id}.lock`, `${session.id}.meta.json`]);
    await recorder.append(assistant('hi'));
    await recorder.close();
    expect((await readdir(folder)).sort()).toEqual([`${session.id}.json`, `${session.id}.meta.json`]);
    expect(await readFile(join(folder, `${session.id}.json`), 'utf8')).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "id": "1771416000000000000",
        "system_prompt": "Be good.",
        "created_at": "2026-02-18T12:00:00.12Z",
        "updated_at": "2026-02-18T12:00:02.12Z",
        "messages": [
          {
            "type": "user",
            "content": [
              {
                "type": "text",
                "text": "hello"
              }
            ],
            "timestamp": "2026-02-18T12:00:00Z"
          },
          {
            "type": "assistant",
            "content": [
              {
                "type": "text",
                "text": "hi"
              }
            ],
            "timestamp": "2026-02-18T12:00:01Z",
            "stop_reason": "end_turn",
            "raw_stop_reason": "end_turn",
            "usage": {
              "input_tokens": 3,
              "output_tokens": 2
            }
          }
        ]
      }"
    `);
    const again = await store.open(session.id);
    expect(texts(again.session.messages)).toEqual(['hello', 'hi']);
    expect(again.meta).toEqual({ model: 'demo/demo' });
    expect(again.warnings).toEqual([]);
    await again.recorder.close();
  });

  it('keeps others out: files 0600, folder 0700', async () => {
    const folder = join(temporaryFolder(), 'sessions');
    await mkdir(folder, { mode: 0o755 });
    const { recorder } = await testStore(folder).create('');
    await recorder.append(user('a'));
    await recorder.updateMeta({ title: 'A' });
    await recorder.fold();
    await recorder.append(user('b'));
    await testStore(folder).list();
    for (const name of await readdir(folder)) expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await recorder.close();
  });

  it('sess-17 refuses ids that are no safe names', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    for (const id of ['../../x', '..', '.', '', 'a/b', 'a\\b', 'a.b', 'index', 'CON', 'x'.repeat(101), 'a\0']) {
      await expect(store.open(id)).rejects.toThrow(InvalidDataError);
      await expect(store.delete(id)).rejects.toThrow(InvalidDataError);
      await expect(testStore(folder, { newId: () => id }).create('')).rejects.toThrow(InvalidDataError);
    }
  });

  it('never takes an id that is in use', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, '1.json'), 'x');
    const ids = ['1', '2'];
    const { session } = await testStore(folder, { newId: () => ids.shift() ?? '3' }).create('');
    expect(session.id).toBe('2');
    expect((await testStore(folder).create('')).session.id).toMatch(/^\d{19}$/);
  });

  it('is refused an id that one on the disk or in the trash has, also in other letters', async () => {
    const folder = temporaryFolder();
    const { store, library } = testSessions(folder);
    for (const id of ['kept', 'trashed']) {
      const { recorder } = await store.create('', id);
      await recorder.append(user('hello'));
      await recorder.close();
    }
    await library.trash('trashed');
    for (const id of ['kept', 'KEPT', 'trashed', 'Trashed']) await expect(testStore(folder).create('', id)).rejects.toThrow(InvalidDataError);
  });

  it('can have an id again that one had which was closed without a message', async () => {
    const store = testStore(temporaryFolder());
    await (await store.create('', 'mine')).recorder.close();
    const { recorder } = await store.create('', 'Mine');
    await recorder.append(user('hello'));
    await recorder.close();
  });
});

describe('two windows that start a session under one id', () => {
  it.each([
    ['while the first has it', false],
    ['after the first has closed it', true],
  ])('never displace one another, where the second writes %s', async (_when, closedFirst) => {
    const folder = temporaryFolder();
    const [first, second] = await Promise.all([testStore(folder).create('', 'given'), testStore(folder).create('', 'given')]);
    await first.recorder.append(user('first'));
    if (closedFirst) await first.recorder.close();
    await expect(second.recorder.append(user('second'))).rejects.toThrow(SessionBusyError);
    if (!closedFirst) await first.recorder.close();
    await expect(second.recorder.append(user('again'))).rejects.toThrow(SessionBusyError);
    await expect(second.recorder.fold()).rejects.toThrow(SessionBusyError);
    await expect(second.recorder.close()).rejects.toThrow(SessionBusyError);
    expect((await readdir(folder)).filter((name) => name.startsWith('given.')).sort()).toEqual(['given.json']);
    const { session, recorder } = await testStore(folder).open('given');
    expect(texts(session.messages)).toEqual(['first']);
    await recorder.close();
  });

  it('leave that alone which has the id by now, when they close theirs', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const unsaved = await store.create('', 'given');
    const other = await testStore(folder).create('', 'given');
    await other.recorder.append(user('first'));
    await other.recorder.close();
    const { recorder } = await store.open('given');
    await unsaved.recorder.close();
    await expect(store.create('', 'given')).rejects.toThrow(InvalidDataError);
    await store.delete('given');
    await expect(recorder.append(user('late'))).rejects.toThrow();
  });
});

describe('recording', () => {
  it('writes calls in call order and one message once', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('');
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    await Promise.all(numbers.map((number) => recorder.append(user(number))));
    await recorder.close();
    expect(texts((await testStore(folder).open(session.id)).session.messages)).toEqual(numbers);
  });

  it('sess-11 keeps the newest partial answer of a host that was killed, marked as cut off', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const first = processes.start();
    const { recorder, session } = await testStore(folder, { processes: first }).create('');
    await recorder.append(user('question'));
    await Promise.all(['a', 'ab', 'abc', 'abcd'].map((text) => recorder.partial(assistant(text, { stopReason: 'unknown', rawStopReason: '' }))));
    first.end();
    const store = testStore(folder, { processes: processes.start() });
    expect(await store.list()).toMatchObject([{ id: session.id, title: 'question', messageCount: 2 }]);
    const opened = await store.open(session.id);
    expect(texts(opened.session.messages)).toEqual(['question', 'abcd']);
    expect(opened.session.messages[1]).toMatchObject({ stopReason: 'aborted', rawStopReason: 'interrupted' });
    expect(opened.meta.interruptedAt).toBe(1);
    expect(await readdir(folder)).not.toContain(`${session.id}.journal.jsonl`);
    await opened.recorder.append(user('continue'));
    await opened.recorder.close();
    const later = await store.open(session.id);
    expect(texts(later.session.messages)).toEqual(['question', 'abcd', 'continue']);
    expect(later.meta.interruptedAt).toBeUndefined();
    await later.recorder.close();
  });

  it('lets a whole message replace the partial answer before it', async () => {
    const folder = temporaryFolder();
    const { recorder, session } = await testStore(folder).create('');
    await recorder.append(user('q'));
    await recorder.partial(assistant('par'));
    const late = recorder.partial(assistant('part'));
    const whole = recorder.append(assistant('partial no more'));
    await Promise.all([late, whole]);
    await recorder.close();
    const opened = await testStore(folder).open(session.id);
    expect(texts(opened.session.messages)).toEqual(['q', 'partial no more']);
    expect(opened.meta.interruptedAt).toBeUndefined();
  });

  it('does not record an empty partial answer', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const { recorder, session } = await testStore(folder, { processes: probe }).create('');
    await recorder.append(user('q'));
    await recorder.partial(assistant('', { content: [] }));
    probe.end();
    const opened = await testStore(folder, { processes: processes.start() }).open(session.id);
    expect(texts(opened.session.messages)).toEqual(['q']);
    expect(opened.meta.interruptedAt).toBeUndefined();
  });

  it('keeps a partial answer over a fold in mid-stream', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const { recorder, session } = await testStore(folder, { processes: probe }).create('');
    await recorder.append(user('q'));
    await recorder.partial(assistant('half'));
    await recorder.close();
    const opened = await testStore(folder, { processes: processes.start() }).open(session.id);
    expect(texts(opened.session.messages)).toEqual(['q', 'half']);
    expect(opened.meta.interruptedAt).toBe(1);
  });

  it('bounds the journal of a long partial answer', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const { recorder, session } = await testStore(folder, { processes: probe }).create('');
    await recorder.append(user('q'));
    for (let count = 1; count <= 40; count += 1) await recorder.partial(assistant('x'.repeat(count * 50_000)));
    expect((await stat(join(folder, `${session.id}.journal.jsonl`))).size).toBeLessThan(20_000_000);
    probe.end();
    const opened = await testStore(folder, { processes: processes.start() }).open(session.id);
    expect(texts(opened.session.messages).map(({ length }) => length)).toEqual([1, 2_000_000]);
  });

  it('stores whatever a message holds', async () => {
    const folder = temporaryFolder();
    const { recorder, session } = await testStore(folder).create('');
    const holes = [undefined, null, { type: 'text' }, { type: 'text', text: 'kept' }] as unknown as ReturnType<typeof assistant>['content'];
    await recorder.append(
      assistant('', {
        content: holes,
        timestamp: 'yesterday',
        usage: { inputTokens: Number.NaN, outputTokens: 1.5, cacheReadTokens: -1, cacheWriteTokens: 0 },
      }),
    );
    await recorder.append(assistant('', { content: [{ type: 'tool_call', id: 'c', name: 'write', arguments: '{"path": "a", "con' }], stopReason: 'length' }));
    await recorder.append(assistant('', { content: [] }));
    await recorder.close();
    const { session: read } = await testStore(folder).open(session.id);
    expect(texts(read.messages)).toEqual(['kept', '<tool_call>', '']);
    expect(read.messages[0]).toMatchObject({ usage: { inputTokens: 0, outputTokens: 2, cacheReadTokens: 0 } });
    expect(read.messages[1]).toMatchObject({ content: [{ arguments: '{"path": "a", "con' }] });
  });

  it('rejects calls after close', async () => {
    const { recorder } = await testStore(temporaryFolder()).create('');
    await recorder.close();
    await recorder.close();
    await expect(recorder.append(user('x'))).rejects.toThrow('closed');
  });

  it('sess-19 keeps the order of the history when the clock is set back', async () => {
    const folder = temporaryFolder();
    const clock = testClock('2026-02-18T12:00:00Z');
    const store = testStore(folder, { clock });
    const a = await store.create('');
    await a.recorder.append(user('a'));
    clock.set('2026-02-17T12:00:00Z');
    await a.recorder.append(user('later in a'));
    await a.recorder.close();
    const { session } = await store.open(a.session.id);
    expect(session.updatedAt >= '2026-02-18T12:00:00').toBe(true);
  });
});

describe('a session that is only looked at', () => {
  it('stays as Pipe wrote it, byte for byte, and so do its old messages when one is added', async () => {
    const folder = temporaryFolder();
    const bytes = await readFile(join(import.meta.dirname, '../../fixtures/sessions/written-by-pipe.json'));
    const path = join(folder, '1771416000000000000.json');
    await writeFile(path, bytes);
    const store = testStore(folder);
    const opened = await store.open('1771416000000000000');
    await opened.recorder.close();
    expect(await readdir(folder)).toEqual(['1771416000000000000.json']);
    expect(await readFile(path)).toEqual(bytes);
    const again = await store.open('1771416000000000000');
    await again.recorder.append(user('more', '2026-02-18T12:00:09.100Z'));
    await again.recorder.close();
    const messages = (text: string): string => text.slice(text.indexOf('"messages"')).replace(/\n {2}\]\n\}$/, '');
    const after = await readFile(path, 'utf8');
    expect(messages(after).startsWith(messages(bytes.toString()))).toBe(true);
    expect(after).toContain('"timestamp": "2026-02-18T12:00:09.1Z"');
    expect(after).toContain('"created_at": "2026-02-18T12:00:00Z"');
  });

  it('keeps the id that its file holds, and goes by the name of the file', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'copy.json'), '{"version":1,"id":"original"}');
    const opened = await testStore(folder).open('copy');
    expect(opened.session.id).toBe('copy');
    await opened.recorder.append(user('x'));
    await opened.recorder.close();
    expect(await readFile(join(folder, 'copy.json'), 'utf8')).toContain('"id": "original"');
  });
});

describe('the sidecar', () => {
  it('sess-14 keeps what a later version put there, and reads over what is wrong', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'a.json'), '{"version":1,"messages":[{"type":"user"}]}');
    const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 4 };
    const meta = {
      version: 9,
      title: 5,
      mode: 'plan',
      models: { 0: 'a/b', x: 'y', 1: 2 },
      turns: {
        0: { durationMs: 7, costUsd: 'much', cacheBreak: { reason: 'moon', tokens: 5 } },
        1: { costUsd: 1 },
        2: { durationMs: 8, cacheBreak: { reason: 'expired', tokens: 84_000 } },
        3: { durationMs: 9, cacheBreak: { reason: 'expired', tokens: -1 } },
      },
      costUsd: 'free',
      byModel: {
        'a/b': { usage, costUsd: 0.5, requests: 2, webSearchRequests: 1 },
        'a/unpriced': { usage: { ...usage, hourCacheWriteTokens: 2 }, requests: 1 },
        'a/half': { usage: { inputTokens: 1 }, requests: 1 },
        'a/odd': { usage, requests: -1 },
        'a/text': 'much',
      },
      denials: [{ toolName: 'bash', toolCallId: 'c', reason: 'no' }, 7],
      hookRuns: [
        { toolCallId: 'c', event: 'PreToolUse', by: 'x', decision: 'deny', durationMs: 2, failed: 'yes', rewrote: true, reason: 'r' },
        { toolCallId: 'c', event: 'Nothing', by: 'x', decision: 'deny' },
        { toolCallId: 'c', event: 'Stop', by: 'x', decision: 'maybe' },
        null,
      ],
      future: { deep: [1] },
    };
    const hookRuns = [{ toolCallId: 'c', event: 'PreToolUse', by: 'x', decision: 'deny', durationMs: 2, rewrote: true, reason: 'r' }];
    await writeFile(join(folder, 'a.meta.json'), JSON.stringify(meta).replace('{', '{"__proto__":{"polluted":true},'));
    const store = testStore(folder);
    const opened = await store.open('a');
    const byModel = { 'a/b': meta.byModel['a/b'], 'a/unpriced': meta.byModel['a/unpriced'] };
    const turns = { 0: { durationMs: 7 }, 2: meta.turns[2], 3: { durationMs: 9 } };
    expect(opened.meta).toEqual({ mode: 'plan', byModel, models: { 0: 'a/b' }, turns, denials: [meta.denials[0]], hookRuns });
    await opened.recorder.updateMeta({ title: 'T', mode: undefined, costUsd: 0.5 });
    await opened.recorder.close();
    expect(JSON.parse(await readFile(join(folder, 'a.meta.json'), 'utf8'))).toMatchObject({ title: 'T', costUsd: 0.5, future: { deep: [1] } });
    const again = await store.open('a');
    expect(again.meta).toEqual({ title: 'T', byModel, models: { 0: 'a/b' }, turns, denials: [meta.denials[0]], hookRuns, costUsd: 0.5 });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    await again.recorder.close();
  });

  it('keeps what is held back, and of that only what is a range', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'a.json'), '{"version":1,"messages":[{"type":"user"}]}');
    const heldBack = [{ from: 0, to: 1 }, { from: 2, to: 2 }, { from: -1, to: 3 }, { from: 'x', to: 4 }, null];
    await writeFile(join(folder, 'a.meta.json'), JSON.stringify({ heldBack }));
    const store = testStore(folder);
    const opened = await store.open('a');
    expect(opened.meta).toEqual({ heldBack: [heldBack[0]] });
    await opened.recorder.updateMeta({ heldBack: undefined });
    await opened.recorder.close();
    expect(JSON.parse(await readFile(join(folder, 'a.meta.json'), 'utf8'))).not.toHaveProperty('heldBack');
  });

  it('is set aside when it is broken, and the messages are all there', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'a.json'), '{"version":1,"messages":[{"type":"user"}]}');
    await writeFile(join(folder, 'a.meta.json'), '{"title": "t');
    const store = testStore(folder);
    expect(await store.list()).toMatchObject([{ title: 'Untitled Chat' }]);
    const opened = await store.open('a');
    expect(opened).toMatchObject({ meta: {}, session: { messages: [{ role: 'user' }] }, warnings: [expect.stringContaining('set aside') as string] });
    await opened.recorder.close();
    const again = await store.open('a');
    expect(again.warnings).toEqual([]);
    await again.recorder.close();
    const kept = (await readdir(folder)).find((name) => name.endsWith('.kept'));
    expect(await readFile(join(folder, kept ?? ''), 'utf8')).toBe('{"title": "t');
  });
});

describe('redacted thinking', () => {
  const redacted = assistant('', {
    content: [
      { type: 'thinking', thinking: '', signature: new Uint8Array([1, 2]), redacted: true },
      { type: 'thinking', thinking: '', signature: new Uint8Array([3]) },
      { type: 'text', text: 'answer' },
    ],
  });

  it('comes back redacted, in every state of the files', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const { recorder, session } = await testStore(folder, { processes: probe }).create('');
    await recorder.append(redacted);
    probe.end();
    const second = testStore(folder, { processes: processes.start() });
    const fromJournal = await second.open(session.id);
    expect(fromJournal.session.messages).toEqual([redacted]);
    await fromJournal.recorder.close();
    const fromEnvelope = await second.open(session.id);
    expect(fromEnvelope.session.messages).toEqual([redacted]);
    await fromEnvelope.recorder.close();
  });

  it('is withheld without its sidecar, and its bytes stay in the file', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('');
    await recorder.append(redacted);
    await recorder.close();
    const path = join(folder, `${session.id}.json`);
    const before = await readFile(path, 'utf8');
    await writeFile(join(folder, `${session.id}.meta.json`), '{"title": "torn');
    const opened = await store.open(session.id);
    expect(opened.warnings.join()).toContain('could not be read and were set aside');
    expect(opened.session.messages[0]?.content.slice(0, 2)).toEqual([
      { type: 'thinking', thinking: '', redacted: true },
      { type: 'thinking', thinking: '', redacted: true },
    ]);
    await opened.recorder.append(user('next'));
    await opened.recorder.close();
    const after = await readFile(path, 'utf8');
    expect(after).toContain('"signature": "AQI="');
    expect(after.slice(0, before.indexOf('"messages"')).length).toBeGreaterThan(0);
    const again = await store.open(session.id);
    expect(again.session.messages[0]?.content[0]).toEqual({ type: 'thinking', thinking: '', redacted: true });
    await again.recorder.close();
  });
});

describe('two windows', () => {
  it('sess-09 lets only one have a session, and says so', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const [mine, other] = [processes.start(), processes.start()];
    const { recorder, session } = await testStore(folder, { processes: mine }).create('');
    await recorder.append(user('a'));
    const store = testStore(folder, { processes: other });
    await expect(store.open(session.id)).rejects.toThrow(SessionBusyError);
    await expect(store.open(session.id)).rejects.toThrow('open in another window');
    await expect(store.delete(session.id)).rejects.toThrow(SessionBusyError);
    await recorder.close();
    const opened = await store.open(session.id);
    expect(texts(opened.session.messages)).toEqual(['a']);
    await opened.recorder.close();
  });

  it('waits for a window that is about to let go', async () => {
    const folder = temporaryFolder();
    const { recorder, session } = await testStore(folder).create('');
    await recorder.append(user('a'));
    const opening = testStore(folder, { waitMs: 2_000 }).open(session.id);
    await recorder.close();
    expect(texts((await opening).session.messages)).toEqual(['a']);
  });

  it('sess-09 takes over from a process that is gone, though its number was given again', async () => {
    const folder = temporaryFolder();
    const lock = { pid: process.pid, host: 'test', started: 'long ago', nonce: 'x' };
    await writeFile(join(folder, 'a.json'), '{"version":1}');
    await writeFile(join(folder, 'a.lock'), JSON.stringify(lock));
    const probe = new TestProcesses().start();
    const opened = await testStore(folder, {
      processes: { ...probe, isRunning: (other) => Promise.resolve(other.started === 'long ago' ? 'no' : 'yes') },
    }).open('a');
    expect(JSON.parse(await readFile(join(folder, 'a.lock'), 'utf8'))).toMatchObject({ pid: probe.pid });
    await opened.recorder.close();
  });

  it('sess-09 gives a stale lock to one of many', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const gone = processes.start();
    await writeFile(join(folder, 'a.json'), '{"version":1}');
    await writeFile(join(folder, 'a.lock'), JSON.stringify({ ...(await gone.self()), nonce: 'x' }));
    gone.end();
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => testStore(folder, { processes: processes.start() }).open('a')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('a.lock'))).toEqual(['a.lock']);
  });

  it('keeps two new sessions of two windows apart', async () => {
    const folder = temporaryFolder();
    const stores = [testStore(folder), testStore(folder)];
    const opened = await Promise.all(stores.map((store) => store.create('')));
    await Promise.all(opened.map(({ recorder }, index) => recorder.append(user(`window ${index}`))));
    await Promise.all([...opened.map(({ recorder }) => recorder.close()), ...stores.map((store) => store.list())]);
    for (const store of stores) expect((await store.list()).map(({ title }) => title).sort()).toEqual(['window 0', 'window 1']);
  });
});

describe('deleting', () => {
  it('sess-18 stops recording and leaves nothing of the session', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('');
    await recorder.append(user('a'));
    await recorder.fold();
    await recorder.updateMeta({ title: 'secret' });
    await recorder.append(toolResult('c', 'b'));
    await writeFile(join(folder, `${session.id}.json.1-ab.tmp`), 'x');
    await writeFile(join(folder, `${session.id}.meta.json.1.kept`), 'x');
    await store.list();
    const running = recorder.append(user('c'));
    await store.delete(session.id);
    await running;
    await expect(recorder.append(user('d'))).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['index.json']);
    expect(await readFile(join(folder, 'index.json'), 'utf8')).toBe('{"version":1,"envelopes":{},"metas":{}}');
    expect(await store.list()).toEqual([]);
    await expect(store.open(session.id)).rejects.toThrow('this chat does not exist');
    await store.delete(session.id);
  });
});

describe('the history', () => {
  it('lists unreadable sessions with their problem and leaves their files alone', async () => {
    const folder = temporaryFolder();
    const bad: Record<string, string> = {
      empty: '',
      torn: '{"version": 1, "messages": [',
      nuls: '\0\0\0\0',
      bom: '\uFEFF{"version":1}',
      newer: '{"version": 2}',
      wrong: '[]',
    };
    for (const [id, text] of Object.entries(bad)) await writeFile(join(folder, `${id}.json`), text);
    await symlink('/etc/hostname', join(folder, 'link.json'));
    await writeFile(join(folder, 'good.json'), '{"version":1,"messages":[{"type":"user","content":[{"type":"text","text":"hello\\nyou"}]}]}');
    const store = testStore(folder);
    const list = await store.list();
    expect(list.find(({ id }) => id === 'good')).toEqual({ id: 'good', title: 'hello you', updatedAt: '0001-01-01T00:00:00Z', messageCount: 1 });
    for (const id of [...Object.keys(bad), 'link']) expect(list.find((summary) => summary.id === id)?.problem).toContain(`${id}.json`);
    for (const [id, text] of Object.entries(bad)) {
      await expect(store.open(id)).rejects.toThrow(InvalidDataError);
      expect(await readFile(join(folder, `${id}.json`), 'utf8')).toBe(text);
    }
    expect(await store.list()).toEqual(list);
  });

  it('takes the index for what it is: a convenience', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.json');
    const file = (text: string): string => `{"version":1,"messages":[{"type":"user","content":[{"type":"text","text":"${text}"}]}]}`;
    await writeFile(path, file('one'));
    expect(await testStore(folder).list()).toMatchObject([{ title: 'one' }]);
    await writeFile(path, file('another'));
    expect(await testStore(folder).list()).toMatchObject([{ title: 'another' }]);
    for (const junk of ['', '{', '[]', 'null', '{"version":1,"envelopes":{"a":5,"__proto__":{"x":1}},"titles":[]}', '{"version":9}']) {
      await writeFile(join(folder, 'index.json'), junk);
      expect(await testStore(folder).list()).toMatchObject([{ id: 'a', title: 'another' }]);
    }
  });

  it('shows the title that was given, cut to length without halves', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('');
    await recorder.append(user(`  a\n\tb ${'😀'.repeat(3000)}`));
    expect((await store.list())[0]?.title).toBe(`a b ${'😀'.repeat(75)}…`);
    await recorder.updateMeta({ title: 'T'.repeat(10_000) });
    expect((await store.list())[0]?.title).toBe(`${'T'.repeat(79)}…`);
    await recorder.updateMeta({ title: undefined });
    expect((await store.list())[0]?.title).toContain('a b');
    expect((await store.list())[0]).toMatchObject({ id: session.id, messageCount: 1 });
    await recorder.close();
  });

  it('is sorted newest first whatever the zones', async () => {
    const folder = temporaryFolder();
    const times = { a: '2026-02-18T12:00:00.1Z', b: '2026-02-18T14:00:00.123456789+02:00', c: '2026-02-18T11:59:59Z', d: '2026-02-18T12:00:00.12345679Z' };
    for (const [id, time] of Object.entries(times)) await writeFile(join(folder, `${id}.json`), `{"version":1,"updated_at":"${time}"}`);
    expect((await testStore(folder).list()).map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
  });
});
