import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import { emptyViewState, type ViewActivity } from '../../../../src/protocol/view-state.js';
import { alertWhenFinished, SessionActivity } from '../../../../src/chat/sessions/session-activity.js';
import { ViewLog } from '../../../../src/chat/projection/view-log.js';
import { Notes } from '../../../../src/node/files/notes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ScriptedDialogs } from '../../consent/rig.js';

class Talk {
  readonly view: ViewLog;

  constructor(
    readonly id: string,
    title = id,
  ) {
    this.view = new ViewLog({ ...emptyViewState('demo/demo', 'default'), title }, 'epoch');
  }

  becomes(activity: ViewActivity): void {
    this.view.push({ type: 'meta', patch: { activity } });
    this.view.flush();
  }
}

function rig(...answers: (string | undefined)[]) {
  const seen = new Set<string>();
  const activity = new SessionActivity({ isSeen: (id) => seen.has(id) });
  const person = { wanted: true, focused: false };
  const dialogs = new ScriptedDialogs(...answers);
  const opened: string[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (message: string) => expect.unreachable(message) };
  const stop = alertWhenFinished({
    activity,
    dialogs,
    log,
    wanted: () => person.wanted,
    windowFocused: () => person.focused,
    open: (id) => {
      opened.push(id);
      return Promise.resolve();
    },
  });
  return { seen, activity, person, dialogs, opened, stop };
}

describe('what an MCP server asks', () => {
  it('makes a conversation wait, whatever else it does, as long as it is open', () => {
    const changed = new Signal();
    const asked = new Set<string>();
    const activity = new SessionActivity({ isSeen: () => true }, undefined, {
      of: (id) => (asked.has(id) ? [{ id: 'q', kind: 'server' }] : []),
      onDidChange: changed.subscribe,
    });
    let changes = 0;
    activity.onDidChange(() => (changes += 1));
    const talk = new Talk('a');
    const stop = activity.follow(talk);
    asked.add('a').add('never opened');
    changed.emit();
    expect(activity.states()).toEqual([{ id: 'a', state: 'waiting' }]);
    talk.becomes('running');
    expect(activity.stateOf('a')).toBe('waiting');
    asked.delete('a');
    changed.emit();
    expect(activity.stateOf('a')).toBe('working');
    expect(changes).toBe(2);
    stop();
  });
});

describe('what conversations do', () => {
  it('is told while they work, wait, and when they have finished unseen', () => {
    const { activity, seen } = rig();
    const [one, two] = [new Talk('one'), new Talk('two')];
    const stops = [activity.follow(one), activity.follow(two)];
    let changes = 0;
    activity.onDidChange(() => (changes += 1));
    one.becomes('running');
    two.becomes('waiting');
    expect(activity.states()).toEqual([
      { id: 'one', state: 'working' },
      { id: 'two', state: 'waiting' },
    ]);
    two.becomes('running');
    two.becomes('idle');
    expect(activity.stateOf('two')).toBe('unread');
    expect(changes).toBe(4);
    // A flush that changes nothing of this is not told.
    two.view.push({ type: 'meta', patch: { usage: 'more' } });
    two.view.flush();
    expect(changes).toBe(4);
    stops[1]?.();
    expect(activity.stateOf('two')).toBe('unread');
    seen.add('two');
    activity.look();
    expect(activity.stateOf('two')).toBeUndefined();
  });

  it('one that is closed at the end of its turn, before that is in its view, has finished too', () => {
    const { activity } = rig();
    const talk = new Talk('one');
    const stop = activity.follow(talk);
    talk.becomes('running');
    talk.view.push({ type: 'meta', patch: { usage: 'more' } });
    talk.view.push({ type: 'meta', patch: { activity: 'idle' } });
    stop();
    expect(activity.stateOf('one')).toBe('unread');
  });

  it('what the person looks at is never unread, and what is deleted is forgotten', () => {
    const { activity, seen } = rig();
    const talk = new Talk('one');
    activity.follow(talk);
    seen.add('one');
    talk.becomes('running');
    talk.becomes('idle');
    expect(activity.states()).toEqual([]);
    seen.clear();
    talk.becomes('running');
    talk.becomes('idle');
    expect(activity.stateOf('one')).toBe('unread');
    activity.forget('one');
    expect(activity.states()).toEqual([]);
  });
});

describe('what has finished unseen', () => {
  const log = { info: () => undefined, warn: (message: string) => expect.unreachable(message), error: (message: string) => expect.unreachable(message) };
  const DAY_MS = 86_400_000;

  /** A window on a storage folder, and what it is told. */
  function windowOn(folder: string, ...seen: readonly string[]) {
    const memory = new Notes(join(folder, 'unread'), log);
    return { memory, activity: new SessionActivity({ isSeen: (id) => seen.includes(id) }, memory) };
  }

  function finish(activity: SessionActivity, ...ids: readonly string[]): void {
    for (const id of ids) {
      const talk = new Talk(id);
      const stop = activity.follow(talk);
      talk.becomes('running');
      talk.becomes('idle');
      stop();
    }
  }

  it('is still known after a reload of the window, until it is looked at or deleted', async () => {
    const folder = temporaryFolder();
    const before = windowOn(folder);
    finish(before.activity, 'one', 'two', 'three', '../up');
    before.activity.forget('three');
    await before.memory.flush();
    const after = windowOn(folder, 'two');
    let told = 0;
    after.activity.onDidChange(() => (told += 1));
    await after.activity.restore(Date.now());
    expect(after.activity.states()).toEqual([{ id: 'one', state: 'unread' }]);
    expect(told).toBe(1);
    await after.memory.flush();
    expect(await windowOn(folder).memory.names(Date.now())).toEqual(['one']);
  });

  it('is forgotten after two months, and without a folder there is none', async () => {
    const folder = temporaryFolder();
    const { memory, activity } = windowOn(folder);
    expect(await memory.names(Date.now())).toEqual([]);
    finish(activity, 'one');
    await memory.flush();
    expect(await memory.names(Date.now() + 59 * DAY_MS)).toEqual(['one']);
    expect(await memory.names(Date.now() + 61 * DAY_MS)).toEqual([]);
    await memory.flush();
    expect(await memory.names(Date.now())).toEqual([]);
  });
});

describe('a conversation that has finished', () => {
  it('is told of once when the person is in another window, and Show leads to it', async () => {
    const all = rig('Show');
    const talk = new Talk('one', 'Fix [the](command:x) tests\u202E');
    all.activity.follow(talk);
    talk.becomes('running');
    talk.becomes('idle');
    talk.becomes('idle');
    await expect.poll(() => all.opened).toEqual(['one']);
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([String.raw`Gnomon finished “Fix [the](command:x) tests\u{202e}”.`]);
  });

  it('is not told of when the person works here, does not want it, or looks at it', () => {
    const all = rig();
    const talk = new Talk('one');
    all.activity.follow(talk);
    const turn = (): void => {
      talk.becomes('running');
      talk.becomes('idle');
    };
    all.person.focused = true;
    turn();
    all.person.focused = false;
    all.person.wanted = false;
    turn();
    all.person.wanted = true;
    all.seen.add('one');
    turn();
    expect(all.dialogs.shown).toEqual([]);
    all.seen.clear();
    all.stop();
    turn();
    expect(all.dialogs.shown).toEqual([]);
  });
});
