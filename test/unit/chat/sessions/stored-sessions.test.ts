import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionBusyError } from '../../../../src/session/errors.js';
import type { Conversation } from '../../../../src/chat/conversation/conversation.js';
import { openFirst } from '../../../../src/chat/pane/open-first.js';
import { type Script, answers, Latch } from '../../../support/scripted-provider/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { TestProcesses } from '../../session/support/setup.js';
import { type TestWindow, say, testWindow } from './rig.js';

/** A window with a conversation that has an answer. */
async function withTalk(
  scripts: readonly Script[] = [answers('Yes.')],
): Promise<{ window: TestWindow; talk: Conversation; folder: string; processes: TestProcesses }> {
  const folder = temporaryFolder();
  const processes = new TestProcesses();
  const window = testWindow(folder, processes, scripts);
  onTestFinished(() => window.conversations.close());
  const talk = await window.conversations.create();
  await say(talk, 'The first words');
  return { window, talk, folder, processes };
}

describe('titles', () => {
  it('the person’s title is shown, stored and kept over a title of the model', async () => {
    const { window, talk } = await withTalk();
    await window.desk.rename(talk.id, '  By the\nperson ');
    talk.view.flush();
    expect(talk.view.state.title).toBe('By the person');
    await window.desk.entitle(talk, 'By the model');
    expect(await window.desk.list()).toMatchObject([{ title: 'By the person' }]);
    await window.conversations.release(talk.id);
    const again = await window.conversations.get(talk.id);
    expect(again.titleBy).toBe('person');
    expect(again.view.state.title).toBe('By the person');
  });

  it('an empty one brings the beginning of the first message back, and the model may give one again', async () => {
    const { window, talk } = await withTalk();
    await window.desk.rename(talk.id, 'Other');
    await window.desk.rename(talk.id, '   ');
    talk.view.flush();
    expect(talk.view.state.title).toBe('The first words');
    await window.desk.entitle(talk, 'By the model');
    expect((await window.desk.library.read(talk.id)).meta).toMatchObject({ title: 'By the model', titleBy: 'model' });
  });

  it('one that is given before the first message is saved with it', async () => {
    const { window } = await withTalk([answers('Yes.'), answers('Again.')]);
    const fresh = await window.conversations.create();
    await window.desk.rename(fresh.id, 'Before all');
    fresh.view.flush();
    expect(fresh.view.state.title).toBe('Before all');
    await say(fresh, 'Hello');
    await expect.poll(async () => (await window.desk.list()).map(({ title }) => title)).toContain('Before all');
    fresh.view.flush();
    expect(fresh.view.state.title).toBe('Before all');
  });
});

describe('sess-18 the trash', () => {
  it('a session that runs is stopped and moved; it comes back whole', async () => {
    const latch = new Latch();
    const { window, talk } = await withTalk([answers('Yes.'), [latch, ...answers('Never said.')]]);
    await talk.send([{ type: 'text', text: 'More' }]).recorded;
    await latch.reached;
    let changes = 0;
    window.desk.onDidChange(() => (changes += 1));
    const gone = window.desk.trash(talk.id);
    latch.open();
    await gone;
    expect(await window.desk.list()).toEqual([]);
    expect(await window.desk.trashed()).toMatchObject([{ id: talk.id, title: 'The first words' }]);
    expect(changes).toBeGreaterThan(0);
    await window.desk.restore(talk.id);
    expect(await window.desk.trashed()).toEqual([]);
    const again = await window.conversations.get(talk.id);
    expect(again.session.messages.length).toBeGreaterThanOrEqual(3);
  });

  it('what is removed for good leaves nothing on the disk and nothing elsewhere', async () => {
    const { window, talk, folder } = await withTalk();
    await window.desk.trash(talk.id);
    await window.desk.purge(talk.id);
    expect(window.forgotten).toEqual([talk.id]);
    expect((await readdir(folder, { recursive: true })).filter((name) => name.includes(talk.id))).toEqual([]);
    expect(await window.desk.trashed()).toEqual([]);
  });

  it('is emptied after its time by itself: at the start, and while the window is open', async () => {
    const { window, talk } = await withTalk();
    await window.desk.trash(talk.id);
    const [entry] = await window.desk.trashed();
    expect((entry?.goneAt ?? 0) - Date.parse(entry?.trashedAt ?? '')).toBe(600_000);
    await window.trash.watch();
    expect(await window.desk.trashed()).toHaveLength(1);
    // By the clock of the store it is much later now.
    await window.sessions.library.emptyTrash(-1);
    await window.trash.watch();
    expect(await window.desk.trashed()).toEqual([]);
    window.trash.dispose();
  });
});

describe('sess-09 two windows', () => {
  it('the second is told that the session is busy, copies it, and takes it over; the first then only shows it', async () => {
    const { window: first, talk, folder, processes } = await withTalk();
    const second = testWindow(folder, processes, [answers('On the other side.')]);
    onTestFinished(() => second.conversations.close());
    await expect(second.conversations.get(talk.id)).rejects.toThrow(SessionBusyError);
    expect((await second.desk.list())[0]).toMatchObject({ id: talk.id, elsewhere: true });
    expect(await openFirst(second.conversations, talk.id, second.log)).toMatchObject({ busy: { id: talk.id, title: 'The first words' } });
    const copy = await second.conversations.fork(talk.id);
    expect(copy.session.messages).toHaveLength(2);
    const taken = await second.conversations.takeOver(talk.id);
    talk.view.flush();
    expect(talk.view.state.elsewhere).toBe(true);
    expect(first.conversations.find(talk.id)).toBeUndefined();
    expect(() => talk.send([{ type: 'text', text: 'Here?' }])).toThrow('closed');
    await say(taken, 'There.');
    expect(taken.session.messages).toHaveLength(4);
    await second.conversations.release(talk.id);
    const back = await first.conversations.takeOver(talk.id);
    expect(back.session.messages).toHaveLength(4);
    expect(back.view.state.elsewhere).toBeUndefined();
  });

  it('a window that is at work on it keeps it', async () => {
    const latch = new Latch();
    const { talk, folder, processes } = await withTalk([answers('Yes.'), [latch, ...answers('Done.')]]);
    await talk.send([{ type: 'text', text: 'More' }]).recorded;
    await latch.reached;
    const second = testWindow(folder, processes);
    await expect(second.conversations.takeOver(talk.id)).rejects.toThrow(SessionBusyError);
    talk.view.flush();
    expect(talk.view.state.elsewhere).toBeUndefined();
    const end = talk.untilIdle();
    latch.open();
    await end;
    expect(talk.session.messages).toHaveLength(4);
  });
});

describe('a session that several places ask for', () => {
  it('is opened once, also while it is just being closed', async () => {
    const { window, talk } = await withTalk();
    const closing = window.conversations.leave(talk, () => false);
    const [one, two] = await Promise.all([window.conversations.get(talk.id), window.conversations.get(talk.id)]);
    await closing;
    expect(one).toBe(two);
    expect(one).not.toBe(talk);
    expect(window.conversations.find(talk.id)).toBe(one);
  });

  it('a place that cannot show what it showed says why, and forgets what was never stored', async () => {
    const { window, talk } = await withTalk();
    const never = await openFirst(window.conversations, '123456789', window.log);
    expect(never.busy).toBeUndefined();
    expect(never.conversation.view.state.items).toEqual([]);
    expect((await openFirst(window.conversations, talk.id, window.log)).conversation).toBe(talk);
  });

  it('a place whose conversation is damaged begins a new one that says so, and the file stays as it is', async () => {
    const { window, talk, folder, processes } = await withTalk();
    await window.conversations.close();
    const file = join(folder, `${talk.id}.json`);
    const damaged = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 99');
    await writeFile(file, damaged);
    const later = testWindow(folder, processes, [answers('Well.')]);
    onTestFinished(() => later.conversations.close());
    const { conversation } = await openFirst(later.conversations, talk.id, later.log);
    expect(conversation.view.state.items).toMatchObject([
      { kind: 'notice', level: 'error', text: expect.stringMatching(/version/) as string, actions: ['show_log'] },
    ]);
    await say(conversation, 'A new start');
    expect(await readFile(file, 'utf8')).toBe(damaged);
    const listed = (await later.conversations.list()).map(({ id }) => id);
    expect(listed.toSorted()).toEqual([talk.id, conversation.id].toSorted());
  });
});

describe('a conversation that is left while it works', () => {
  it('goes on, and is unread when it has finished', async () => {
    const latch = new Latch();
    const { window, talk } = await withTalk([answers('Yes.'), [latch, ...answers('Done.')]]);
    await talk.send([{ type: 'text', text: 'More' }]).recorded;
    await latch.reached;
    const left = window.conversations.leave(talk, () => false);
    await expect.poll(() => window.activity.stateOf(talk.id)).toBe('working');
    latch.open();
    await left;
    expect(window.activity.stateOf(talk.id)).toBe('unread');
    window.seen.add(talk.id);
    window.activity.look();
    expect(window.activity.stateOf(talk.id)).toBeUndefined();
  });
});
