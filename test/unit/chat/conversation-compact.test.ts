import { describe, expect, test } from 'vitest';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { answers, Latch } from '../../support/scripted-provider/index.js';
import { pastTalk } from '../engine/context/long-talk.js';
import { rig } from '../engine/rig.js';

function conversationWith(latch: Latch) {
  const { session } = rig({ messages: pastTalk(4), scripts: [[latch, ...answers('Summary.')]] });
  return new Conversation(session, {}, { questions: new OpenQuestions() });
}

describe('a summary by command', () => {
  test('shows that it is at work until it is there', async () => {
    const latch = new Latch();
    const conversation = conversationWith(latch);
    const { view } = conversation;
    conversation.compact('');
    expect(conversation.running).toBe(true);
    view.flush();
    expect(view.state.activity).toBe('running');
    expect(view.state.items.at(-1)).toMatchObject({ kind: 'compaction', status: 'running', trigger: 'manual' });
    const before = view.state.context?.used ?? 0;
    const end = conversation.untilIdle();
    latch.open();
    await end;
    view.flush();
    expect(conversation.running).toBe(false);
    expect(view.state.activity).toBe('idle');
    expect(view.state.items.at(-1)).toMatchObject({ kind: 'compaction', status: 'active', summary: 'Summary.' });
    expect(view.state.context?.used).toBeLessThan(before);
  });

  test('a second one is refused, and the first goes on', async () => {
    const latch = new Latch();
    const conversation = conversationWith(latch);
    conversation.compact('');
    expect(() => conversation.compact('')).toThrow('still working');
    const end = conversation.untilIdle();
    latch.open();
    await end;
    expect(conversation.session.compactions).toHaveLength(1);
  });

  test('it is busy until what was to follow is sent or held back', async () => {
    const latch = new Latch();
    const conversation = conversationWith(latch);
    conversation.compact('');
    conversation.expectMore(true);
    const ended = new Promise<void>((resolve) => conversation.session.onEvent(({ type }) => (type === 'compaction_ended' ? resolve() : undefined)));
    const idle = conversation.untilIdle();
    latch.open();
    await ended;
    expect(conversation.busy).toBe(true);
    conversation.expectMore(false);
    await idle;
    expect([conversation.busy, conversation.session.compactions.length]).toEqual([false, 1]);
  });

  test('where there is nothing to summarize it says so, which is no failure, and stays idle', () => {
    const { session } = rig();
    const conversation = new Conversation(session, {}, { questions: new OpenQuestions() });
    conversation.compact('');
    conversation.view.flush();
    expect(conversation.view.state.items).toMatchObject([{ kind: 'notice', level: 'info', text: 'Nothing to compact yet.', actions: [] }]);
    expect(conversation.view.state.activity).toBe('idle');
  });
});

test('instructions that the conversation began with are listed, with what was hidden in them and what was left out', () => {
  const file = { path: '/ws/AGENTS.md', display: 'AGENTS.md', text: 'Be good.', hidden: 'U+200B (zero-width space)', truncated: false };
  const found = { files: [file], leftOut: [{ path: '/x.md', display: '/x.md', reason: 'Not yet.', wantedBy: 'AGENTS.md' }] };
  const finder = { ofWorkspace: () => Promise.resolve(found), ofFile: () => Promise.resolve(found) };
  const { session } = rig({ instructions: { workspace: found, finder } });
  const { view } = new Conversation(session, {}, { questions: new OpenQuestions() });
  expect(view.state.instructions).toEqual({
    files: [{ display: 'AGENTS.md', tokens: expect.any(Number) as number, truncated: false, hidden: 'U+200B (zero-width space)' }],
    leftOut: [{ display: '/x.md', reason: 'Not yet.', needsConsent: true }],
  });
});
