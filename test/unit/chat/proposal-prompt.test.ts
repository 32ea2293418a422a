import { describe, expect, test } from 'vitest';
import type { ViewToolCall } from '../../../src/protocol/view-state.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { createTools } from '../../../src/tool/index.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';
import { rig } from '../engine/rig.js';
import { eventually } from '../../support/eventually.js';
import { says } from '../../support/wording.js';

const UNSAVED = 'There is unsaved text.';

/** A conversation whose model wants to create /ws/new. */
async function asking() {
  const memory = createMemoryWorkspace();
  const script = [...calls(0, 'a', { name: 'write', args: { file_path: 'new', content: 'proposed\n' } }), ...stops('tool_use')];
  const { session } = rig({ tools: createTools(memory), scripts: [script, answers('Ok.')] });
  const conversation = new Conversation(session, {}, { questions: new OpenQuestions() });
  const desk = { unsaved: false, shown: [] as string[] };
  conversation.useProposals({ obstacle: () => (desk.unsaved ? UNSAVED : undefined), show: (callId) => Promise.resolve(desk.shown.push(callId) > 0) });
  const { turn: end } = conversation.send([{ type: 'text', text: 'go' }]);
  await eventually(() => expect(call(conversation).status).toBe('awaiting_approval'));
  return { conversation, desk, end, documents: memory.documents };
}

function call({ view }: Conversation): ViewToolCall {
  view.flush();
  const blocks = view.state.items.flatMap((item) => (item.kind === 'answer' ? item.blocks : []));
  const found = blocks.find((block) => block.type === 'tool');
  if (found?.type !== 'tool') throw new Error('There is no call.');
  return found.call;
}

describe('C-3 the prompt of a proposal', () => {
  test('offers the editor, and the answer to a first prompt needs no number', async () => {
    const { conversation, desk, end, documents } = await asking();
    expect(call(conversation).approval).toMatchObject({ editable: 'content' });
    expect(call(conversation).approval).not.toHaveProperty('revision');
    await conversation.showProposal('a');
    expect(desk.shown).toEqual(['a']);
    expect(conversation.answer('a', { type: 'allow' }, 1)).toBe(true);
    await end;
    expect(documents.text('/ws/new')).toBe('proposed\n');
  });

  test('allows nothing while the editor holds unsaved text, says so, and can be answered again', async () => {
    const { conversation, desk, end, documents } = await asking();
    desk.unsaved = true;
    expect(conversation.answer('a', { type: 'allow' }, 1)).toBe(false);
    expect(call(conversation)).toMatchObject({ status: 'awaiting_approval', approval: { problem: UNSAVED } });
    expect(conversation.answer('a', { type: 'always', rules: ['Edit(new)'], scope: 'session' }, 1)).toBe(false);
    desk.unsaved = false;
    expect(conversation.answer('a', { type: 'allow' }, 1)).toBe(true);
    await end;
    expect(documents.text('/ws/new')).toBe('proposed\n');
    expect(call(conversation)).not.toHaveProperty('approval');
  });

  test('can be denied then, too', async () => {
    const { conversation, desk, end, documents } = await asking();
    desk.unsaved = true;
    expect(conversation.answer('a', { type: 'deny' }, 1)).toBe(true);
    await end;
    expect(documents.paths()).toEqual([]);
  });

  test('cmd-43: shows what the person made of it, with the number of the prompt; an answer to the one before does nothing', async () => {
    const { conversation, end, documents } = await asking();
    conversation.session.answer('a', { type: 'revise', amendment: { type: 'content', path: '/ws/new', text: 'mine\n' } });
    await eventually(() => expect(call(conversation).approval).toMatchObject({ changed: true, revision: 2, editable: 'content' }));
    expect(call(conversation).preview).toMatchObject({ kind: 'diff', created: true, diff: expect.stringContaining('+mine') as unknown });
    expect(conversation.answer('a', { type: 'allow' }, 1)).toBe(false);
    expect(documents.paths()).toEqual([]);
    expect(conversation.answer('a', { type: 'allow' }, 2)).toBe(true);
    await end;
    expect(documents.text('/ws/new')).toBe('mine\n');
    expect(call(conversation).why).toBe(says('changedAndAllowed'));
  });

  test('a call that does not ask is told nothing', async () => {
    const { conversation, desk, end } = await asking();
    desk.unsaved = true;
    expect(conversation.answer('other', { type: 'allow' })).toBe(false);
    expect(call(conversation).approval).not.toHaveProperty('problem');
    conversation.answer('a', { type: 'deny' });
    await end;
    expect(conversation.answer('a', { type: 'allow' })).toBe(false);
    expect(call(conversation)).toMatchObject({ status: 'denied' });
    expect(call(conversation)).not.toHaveProperty('approval');
  });
});
