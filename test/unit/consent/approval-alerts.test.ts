import { describe, expect, it } from 'vitest';
import { Signal } from '../../../src/concurrency/signal.js';
import { type ViewBlock, type ViewState, type ViewToolCall, emptyViewState } from '../../../src/protocol/view-state.js';
import { ApprovalAlerts } from '../../../src/consent/approval-alerts.js';
import { ApprovalQueue } from '../../../src/consent/approval-queue.js';
import { followApprovals } from '../../../src/consent/follow-approvals.js';
import { type WaitingCall, waitingCalls } from '../../../src/consent/waiting-calls.js';
import { ViewLog } from '../../../src/chat/projection/view-log.js';
import { ScriptedDialogs } from './rig.js';
import { says } from '../../support/wording.js';

type Call = Pick<ViewToolCall, 'id' | 'status'> & Partial<ViewToolCall>;

const QUESTION = { kind: 'question', question: { question: 'Which?', options: [], multiple: false } } as unknown as NonNullable<ViewToolCall['preview']>;

function answer(id: string, calls: readonly Call[]): ViewState['items'][number] {
  const blocks = calls.map((call): ViewBlock => ({ type: 'tool', call: { name: 'bash', subject: '', output: '', ...call } }));
  return { kind: 'answer', id, blocks, status: 'streaming', time: '2026-01-01T00:00:00Z', summary: '' };
}

function stateOf(...items: ViewState['items']): ViewState {
  return { ...emptyViewState('demo/demo', 'default'), activity: 'waiting', items };
}

/** A conversation whose view is changed as a projector changes it. */
class Talk {
  readonly view: ViewLog;
  readonly id: string;
  private answers = 0;

  constructor(id: string, title: string) {
    this.id = id;
    this.view = new ViewLog({ ...emptyViewState('demo/demo', 'default'), title }, 'epoch');
  }

  calls(...calls: readonly Call[]): void {
    this.answers += 1;
    this.view.push({ type: 'item_added', item: answer(`a${this.answers}`, calls) });
    this.view.push({ type: 'meta', patch: { activity: 'running' } });
    this.view.flush();
  }

  becomes(call: Omit<ViewToolCall, 'output'>): void {
    this.view.push({ type: 'call', item: `a${this.answers}`, block: 0, call });
    this.view.flush();
  }
}

interface Rig {
  readonly alerts: ApprovalAlerts;
  readonly follow: (talk: Talk) => () => void;
  readonly dialogs: ScriptedDialogs;
  readonly opened: string[];
  readonly counts: number[];
  /** What the person sees. */
  readonly sees: { shown: string; visible: boolean; wanted: boolean };
}

function rig(...answers: (string | undefined)[]): Rig {
  const dialogs = new ScriptedDialogs(...answers);
  const opened: string[] = [];
  const counts: number[] = [];
  const sees = { shown: 'shown', visible: true, wanted: true };
  const screen = {
    current: () => sees.shown,
    isVisible: (id: string) => sees.visible && sees.shown === id,
    open: (id: string) => {
      opened.push(id);
      sees.shown = id;
      return Promise.resolve();
    },
    count: (waiting: number) => counts.push(waiting),
  };
  const log = { info: () => undefined, warn: () => undefined, error: (message: string) => expect.unreachable(message) };
  const queue = new ApprovalQueue(() => performance.now());
  const alerts = new ApprovalAlerts({ queue, screen, dialogs, log, wanted: () => sees.wanted });
  return { alerts, follow: (talk) => followApprovals(queue, talk), dialogs, opened, counts, sees };
}

describe('which calls wait', () => {
  it('are those of the last answer that need a permission or an answer', () => {
    const waiting = stateOf(
      answer('old', [{ id: 'past', status: 'awaiting_approval' }]),
      answer('new', [
        { id: 'a', status: 'done' },
        { id: 'b', status: 'awaiting_approval' },
        { id: 'c', status: 'running', preview: QUESTION },
        { id: 'd', status: 'running' },
        { id: 'e', status: 'done', preview: QUESTION },
      ]),
    );
    expect(waitingCalls(waiting)).toEqual([
      { id: 'b', kind: 'permission' },
      { id: 'c', kind: 'question' },
    ]);
    expect(waitingCalls({ ...waiting, activity: 'idle' })).toEqual([]);
    expect(waitingCalls(stateOf())).toEqual([]);
  });
});

describe('what MCP servers ask', () => {
  it('is told of, counted and led to like a prompt, also while no turn runs', async () => {
    const queue = new ApprovalQueue(() => performance.now());
    const asked = new Signal();
    let open: readonly WaitingCall[] = [];
    const besides = { of: (id: string) => (id === 'background' ? open : []), onDidChange: asked.subscribe };
    const dialogs = new ScriptedDialogs('Show');
    const opened: string[] = [];
    const counts: number[] = [];
    const screen = {
      current: () => 'shown',
      isVisible: () => false,
      open: (id: string) => Promise.resolve(void opened.push(id)),
      count: (waiting: number) => counts.push(waiting),
    };
    new ApprovalAlerts({
      queue,
      screen,
      dialogs,
      log: { info: () => undefined, warn: () => undefined, error: (message: string) => expect.unreachable(message) },
      wanted: () => true,
    });
    const stop = followApprovals(queue, new Talk('background', 'Release'), besides);
    open = [{ id: 'q1', kind: 'server' }];
    asked.emit();
    await expect.poll(() => opened).toEqual(['background']);
    expect(dialogs.shown).toMatchObject([{ kind: 'info', text: 'An MCP server asks you for something in “Release”.', choices: ['Show'] }]);
    expect(counts.at(-1)).toBe(1);
    open = [];
    asked.emit();
    expect(counts.at(-1)).toBe(0);
    stop();
    open = [{ id: 'q2', kind: 'server' }];
    asked.emit();
    expect(queue.size).toBe(0);
  });
});

describe('prompts that are not on the screen', () => {
  it('are told of once each, with the title, and Show leads there', async () => {
    const all = rig('Show', undefined);
    const talk = new Talk('background', 'Fix [the](command:x) tests\u202E');
    all.follow(talk);
    talk.calls({ id: 'c1', status: 'awaiting_approval' });
    talk.view.push({ type: 'meta', patch: { usage: 'more' } });
    talk.view.flush();
    await expect.poll(() => all.opened).toEqual(['background']);
    expect(all.dialogs.shown).toEqual([
      { kind: 'info', text: says('permissionNeededIn', String.raw`Fix [the](command:x) tests\u{202e}`), detail: '', choices: ['Show'] },
    ]);
    expect(all.counts.at(-1)).toBe(1);
  });

  it('are told of when the chat itself is hidden, and not while it is seen', () => {
    const all = rig();
    const talk = new Talk('shown', 'Here');
    all.follow(talk);
    talk.calls({ id: 'c1', status: 'awaiting_approval' });
    expect(all.dialogs.shown).toEqual([]);
    talk.calls({ id: 'c2', status: 'running', preview: QUESTION });
    expect(all.dialogs.shown).toEqual([]);
    all.sees.visible = false;
    talk.calls({ id: 'c3', status: 'running', preview: QUESTION });
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([says('questionIn', 'Here')]);
  });

  it('are only counted when the person wants no notifications', () => {
    const all = rig();
    all.sees.wanted = false;
    const talk = new Talk('background', 'Quiet');
    all.follow(talk);
    talk.calls({ id: 'c1', status: 'awaiting_approval' });
    expect(all.dialogs.shown).toEqual([]);
    expect(all.counts.at(-1)).toBe(1);
  });

  it('are counted, and leave the count when they are answered or their conversation is closed', () => {
    const all = rig();
    const talks = ['one', 'two'].map((id) => new Talk(id, id));
    const [stopOne, stopTwo] = talks.map((talk) => all.follow(talk));
    for (const talk of talks) talk.calls({ id: `call-${talk.id}`, status: 'awaiting_approval' });
    expect(all.counts.at(-1)).toBe(2);
    talks[0]?.becomes({ id: 'call-one', name: 'bash', subject: '', status: 'running' });
    expect(all.counts.at(-1)).toBe(1);
    stopTwo?.();
    expect(all.counts.at(-1)).toBe(0);
    stopOne?.();
    talks[0]?.calls({ id: 'later', status: 'awaiting_approval' });
    expect(all.counts.at(-1)).toBe(0);
  });

  it('the command leads through them in order, and says when there is none', async () => {
    const all = rig();
    await all.alerts.showNext();
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([says('noPendingRequests')]);
    for (const id of ['one', 'two']) {
      const talk = new Talk(id, id);
      all.follow(talk);
      talk.calls({ id: `call-${id}`, status: 'awaiting_approval' });
    }
    for (let n = 0; n < 3; n += 1) await all.alerts.showNext();
    expect(all.opened).toEqual(['one', 'two', 'one']);
  });
});
