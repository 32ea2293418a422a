import { describe, expect, it } from 'vitest';
import { Signal } from '../../../src/concurrency/signal.js';
import { ownSession } from '../../../src/domain/session/identity.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { Asks } from '../../../src/engine/asks.js';
import type { AwaitingApproval, ToolCallState } from '../../../src/engine/events.js';
import { ApprovalAlerts } from '../../../src/consent/approval-alerts.js';
import { ApprovalQueue } from '../../../src/consent/approval-queue.js';
import { followApprovals } from '../../../src/consent/follow-approvals.js';
import type { WaitingCall } from '../../../src/consent/waiting-calls.js';
import { ScriptedDialogs } from './rig.js';
import { says } from '../../support/wording.js';

const PLAN: Plan = { tool: 'bash', subject: '', args: {}, accesses: [], preview: { kind: 'none' }, changes: [] };
const QUESTION: Plan = { ...PLAN, tool: 'ask', preview: { kind: 'question', question: { question: 'Which?', choices: [], multiple: false } } };
const JUDGMENT = { type: 'ask', reasons: [], proposals: [] } as unknown as AwaitingApproval['judgment'];

/** A conversation whose session tells what becomes of its calls. */
class Talk {
  readonly session: { readonly asks: Asks };
  private readonly retitled = new Signal();
  readonly onDidRetitle = this.retitled.subscribe;

  constructor(
    readonly id: string,
    public title: string,
  ) {
    this.session = { asks: new Asks() };
  }

  asks(callId: string): void {
    this.tell(callId, { status: 'awaiting_approval', call: { name: 'edit', input: {} }, plan: PLAN, judgment: JUDGMENT, revision: 1 });
  }

  questions(callId: string): void {
    this.tell(callId, { status: 'running', plan: QUESTION, why: '' });
  }

  runs(callId: string): void {
    this.tell(callId, { status: 'running', plan: PLAN, why: '' });
  }

  rename(title: string): void {
    this.title = title;
    this.retitled.emit();
  }

  private tell(callId: string, state: ToolCallState): void {
    this.session.asks.heard({ type: 'tool_call', callId, state, who: ownSession(this.id) });
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
    talk.asks('c1');
    talk.runs('c0');
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
    talk.asks('c1');
    expect(all.dialogs.shown).toEqual([]);
    talk.questions('c2');
    expect(all.dialogs.shown).toEqual([]);
    all.sees.visible = false;
    talk.questions('c3');
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([says('questionIn', 'Here')]);
  });

  it('that wait longer have the title that the conversation has by then', () => {
    const all = rig();
    const talk = new Talk('background', 'New Chat');
    all.follow(talk);
    talk.asks('c1');
    talk.rename('Fix the tests');
    talk.questions('c2');
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([says('permissionNeededIn', 'New Chat'), says('questionIn', 'Fix the tests')]);
  });

  it('are only counted when the person wants no notifications', () => {
    const all = rig();
    all.sees.wanted = false;
    const talk = new Talk('background', 'Quiet');
    all.follow(talk);
    talk.asks('c1');
    expect(all.dialogs.shown).toEqual([]);
    expect(all.counts.at(-1)).toBe(1);
  });

  it('are counted, and leave the count when they are answered or their conversation is closed', () => {
    const all = rig();
    const talks = ['one', 'two'].map((id) => new Talk(id, id));
    const [stopOne, stopTwo] = talks.map((talk) => all.follow(talk));
    for (const talk of talks) talk.asks(`call-${talk.id}`);
    expect(all.counts.at(-1)).toBe(2);
    talks[0]?.runs('call-one');
    expect(all.counts.at(-1)).toBe(1);
    stopTwo?.();
    expect(all.counts.at(-1)).toBe(0);
    stopOne?.();
    talks[0]?.asks('later');
    expect(all.counts.at(-1)).toBe(0);
  });

  it('the command leads through them in order, and says when there is none', async () => {
    const all = rig();
    await all.alerts.showNext();
    expect(all.dialogs.shown.map(({ text }) => text)).toEqual([says('noPendingRequests')]);
    for (const id of ['one', 'two']) {
      const talk = new Talk(id, id);
      all.follow(talk);
      talk.asks(`call-${id}`);
    }
    for (let n = 0; n < 3; n += 1) await all.alerts.showNext();
    expect(all.opened).toEqual(['one', 'two', 'one']);
  });
});
