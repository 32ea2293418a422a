import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/domain/model/message.js';
import { FaultyFiles } from './support/faulty-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { assistant, nodeFiles, TestProcesses, testStore, texts, toolResult, user } from './support/setup.js';
import { decodeSession } from '../../support/decode-session.js';

function call(...ids: readonly string[]): Message {
  return assistant('', { content: [{ type: 'text', text: 'calls' }, ...ids.map((id) => ({ type: 'tool_call' as const, id, name: 'read', arguments: '{}' }))] });
}

const CONVERSATION: readonly Message[] = [user('first'), call('c1', 'c2'), toolResult('c1', 'r1'), toolResult('c2', 'r2'), assistant('answer'), user('second')];

describe('a branch', () => {
  it('begins with the first messages, on disk at once, and leaves the other session as it is', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('Be good.');
    for (const message of CONVERSATION) await recorder.append(message);
    await recorder.close();
    const path = join(folder, `${session.id}.json`);
    const before = [await readFile(path, 'utf8'), (await stat(path)).mtimeMs];
    const branch = await store.branch(session.id, 5);
    expect(branch.session).toMatchObject({ systemPrompt: 'Be good.', messages: CONVERSATION.slice(0, 5) });
    expect(branch.session.id).not.toBe(session.id);
    expect(branch.meta).toEqual({ title: 'first', parent: { id: session.id, count: 5 } });
    const written = decodeSession(await readFile(join(folder, `${branch.session.id}.json`)));
    expect(written).toMatchObject({ id: branch.session.id, systemPrompt: 'Be good.' });
    expect(texts(written.messages.map(({ message }) => message))).toEqual(texts(CONVERSATION.slice(0, 5)));
    await branch.recorder.append(user('another way'));
    await branch.recorder.close();
    expect([await readFile(path, 'utf8'), (await stat(path)).mtimeMs]).toEqual(before);
    expect(await store.list()).toMatchObject([
      { id: branch.session.id, parent: { id: session.id, count: 5 }, title: 'first', messageCount: 6 },
      { id: session.id },
    ]);
  });

  it('can have a given id, but not one that there is', async () => {
    const store = testStore(temporaryFolder());
    const { recorder, session } = await store.create('');
    for (const message of CONVERSATION) await recorder.append(message);
    await recorder.close();
    const branch = await store.branch(session.id, 1, 'given');
    expect(branch.session.id).toBe('given');
    await branch.recorder.close();
    await expect(store.branch(session.id, 1, 'given')).rejects.toThrow('There is a chat with the ID "given" already');
    await expect(store.branch(session.id, 1, '../x')).rejects.toThrow('not a valid chat ID');
  });

  it('ends before a call that has no result among its messages', async () => {
    const store = testStore(temporaryFolder());
    const { recorder, session } = await store.create('');
    for (const message of CONVERSATION) await recorder.append(message);
    await recorder.close();
    const lengths: number[] = [];
    for (const count of [-1, 0, 1, 2, 3, 4, 5, 6, 7, 1.9]) {
      const branch = await store.branch(session.id, count);
      lengths.push(branch.session.messages.length);
      expect(branch.meta.parent).toEqual({ id: session.id, count: branch.session.messages.length });
      await branch.recorder.close();
    }
    expect(lengths).toEqual([0, 0, 1, 1, 1, 4, 5, 6, 6, 1]);
  });

  it('keeps of the details what belongs to its messages', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('');
    for (const message of CONVERSATION) await recorder.append(message);
    const compaction = { summary: 's', trigger: 'manual' as const, createdAt: '2026-02-18T12:00:00Z', tokensBefore: 2, tokensAfter: 1 };
    const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0 };
    const byModel = { 'a/b': { usage, costUsd: 2, requests: 4 } };
    await recorder.updateMeta({
      title: 'Mine',
      titleBy: 'person',
      pinned: true,
      mode: 'plan',
      model: 'a/b',
      costUsd: 2,
      byModel,
      models: { 1: 'a/b', 4: 'c/d' },
      turns: { 1: { durationMs: 5, costUsd: 1 }, 4: { durationMs: 6 } },
      compactions: [
        { ...compaction, upTo: 1, at: 2 },
        { ...compaction, upTo: 3, at: 5 },
      ],
      heldBack: [
        { from: 0, to: 1 },
        { from: 3, to: 6 },
        { from: 4, to: 6 },
      ],
      denials: [
        { toolName: 'read', toolCallId: 'c2', reason: 'no' },
        { toolName: 'read', toolCallId: 'later', reason: 'no' },
      ],
      hookRuns: ['c2', 'later'].map((toolCallId) => ({ toolCallId, event: 'PreToolUse', by: 'a', decision: 'deny', durationMs: 3 })),
    });
    await recorder.close();
    const part = await store.branch(session.id, 4);
    expect(part.meta).toEqual({
      title: 'Mine',
      titleBy: 'person',
      mode: 'plan',
      model: 'a/b',
      parent: { id: session.id, count: 4 },
      models: { 1: 'a/b' },
      turns: { 1: { durationMs: 5, costUsd: 1 } },
      compactions: [{ ...compaction, upTo: 1, at: 2 }],
      heldBack: [
        { from: 0, to: 1 },
        { from: 3, to: 4 },
      ],
      denials: [{ toolName: 'read', toolCallId: 'c2', reason: 'no' }],
      hookRuns: [{ toolCallId: 'c2', event: 'PreToolUse', by: 'a', decision: 'deny', durationMs: 3 }],
    });
    await part.recorder.close();
    const whole = await store.branch(session.id, 6);
    expect(whole.meta).toMatchObject({ costUsd: 2, byModel, models: { 1: 'a/b', 4: 'c/d' } });
    await whole.recorder.close();
    const again = await store.open(part.session.id);
    expect(again.meta).toEqual(part.meta);
    await again.recorder.close();
  });

  it('sess-09 works while the session is open in another window, and takes what its journal holds', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const { recorder, session } = await testStore(folder, { processes: processes.start() }).create('s');
    await recorder.append(user('folded'));
    await recorder.fold();
    await recorder.append(assistant('in the journal'));
    await recorder.partial(assistant('half'));
    const branch = await testStore(folder, { processes: processes.start() }).branch(session.id, 2);
    expect(texts(branch.session.messages)).toEqual(['folded', 'in the journal']);
    expect(branch.meta.interruptedAt).toBeUndefined();
    await recorder.append(assistant('whole'));
    await Promise.all([recorder.close(), branch.recorder.close()]);
    expect(texts((await testStore(folder).open(session.id)).session.messages)).toEqual(['folded', 'in the journal', 'whole']);
  });

  it('marks where it was cut off, when it ends with an answer that was', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const probe = processes.start();
    const { recorder, session } = await testStore(folder, { processes: probe }).create('s');
    await recorder.append(user('q'));
    await recorder.partial(assistant('half'));
    probe.end();
    const store = testStore(folder, { processes: processes.start() });
    const whole = await store.branch(session.id, 2);
    expect(whole.meta.interruptedAt).toBe(1);
    const part = await store.branch(session.id, 1);
    expect(part.meta.interruptedAt).toBeUndefined();
    await Promise.all([whole.recorder.close(), part.recorder.close()]);
  });

  it('of no message at all is on disk with its first one', async () => {
    const folder = temporaryFolder();
    const store = testStore(folder);
    const { recorder, session } = await store.create('s');
    await recorder.append(user('old'));
    await recorder.close();
    const files = await readdir(folder);
    const branch = await store.branch(session.id, 0);
    expect(await readdir(folder)).toEqual(files);
    await branch.recorder.append(user('new'));
    await branch.recorder.close();
    expect(await store.list()).toMatchObject([{ title: 'new', parent: { id: session.id, count: 0 } }, { title: 'old' }]);
  });

  it('keeps redacted thinking, folded or not', async () => {
    const folder = temporaryFolder();
    const redacted = assistant('', {
      content: [
        { type: 'thinking', thinking: '', signature: new Uint8Array([1, 2]), redacted: true },
        { type: 'text', text: 'a' },
      ],
    });
    const store = testStore(folder);
    const { recorder, session } = await store.create('s');
    await recorder.append(redacted);
    await recorder.fold();
    await recorder.append(redacted);
    const branch = await store.branch(session.id, 2);
    await branch.recorder.close();
    await recorder.close();
    const again = await store.open(branch.session.id);
    expect(again.session.messages).toEqual([redacted, redacted]);
    await again.recorder.close();
  });

  it('sess-20 goes on in memory when it cannot be written, and is written later', async () => {
    const folder = temporaryFolder();
    const { recorder, session } = await testStore(folder).create('s');
    await recorder.append(user('a'));
    await recorder.close();
    const files = new FaultyFiles(nodeFiles());
    const store = testStore(folder, { files });
    await store.list();
    files.fault = { at: files.operations + 1, how: 'always', code: 'ENOSPC' };
    const branch = await store.branch(session.id, 1);
    expect(branch.warnings.join()).toContain('the disk is full');
    expect(texts(branch.session.messages)).toEqual(['a']);
    files.fault = undefined;
    await branch.recorder.append(user('b'));
    await branch.recorder.close();
    expect(texts((await testStore(folder).open(branch.session.id)).session.messages)).toEqual(['a', 'b']);
  });

  it('is refused of a session that cannot be read or is not there', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'bad.json'), '{"version": 1, "messages": [');
    const store = testStore(folder);
    await expect(store.branch('bad', 1)).rejects.toThrow('bad.json');
    await expect(store.branch('none', 1)).rejects.toThrow('this chat does not exist');
    await expect(store.branch('../x', 1)).rejects.toThrow('not a valid chat ID');
    expect(await readdir(folder)).toEqual(['bad.json']);
  });
});
