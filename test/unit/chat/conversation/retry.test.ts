import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { ViewItem } from '../../../../src/protocol/view-state.js';
import { itemsOf } from '../../../../src/chat/projection/transcript-items.js';
import { Conversation, OpenQuestions } from '../../../../src/chat/conversation/conversation.js';
import { type Script, answers, calls, says, stops, thinks } from '../../../support/scripted-provider/index.js';
import { type Rig, rig, testTool } from '../../engine/rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];

interface Talk extends Rig {
  readonly conversation: Conversation;
}

/** A conversation in which something was said. */
async function talk(...scripts: readonly Script[]): Promise<Talk> {
  const all = rig({ scripts, tools: [testTool('read')] });
  const conversation = new Conversation(all.session, {}, { questions: new OpenQuestions() });
  await conversation.send(hello).turn;
  return { ...all, conversation };
}

const broke = new ProviderError('interrupted', 'The connection broke.');
const half: Script = [...says(0, 'Half an'), broke];

/** The texts and calls shown, in order; what the person said is quoted. */
function shown({ view }: Conversation): readonly string[] {
  view.flush();
  return textsOf(view.state.items);
}

function textsOf(items: readonly ViewItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.kind === 'user') return [`“${item.text}”`];
    return item.kind === 'answer' ? item.blocks.map((block) => (block.type === 'tool' ? block.call.name : block.text)) : [];
  });
}

/** The same after the window was reloaded. */
function stored({ session }: Talk): readonly string[] {
  return textsOf(itemsOf(session.messages, {}));
}

describe('Retry after an answer that broke off', () => {
  test('shows what comes in its place, as after a reload', async () => {
    const all = await talk([...thinks(0, 'hm'), ...says(1, 'Half an'), ...calls(2, 'a', { name: 'read', args: { on: 'x' } }), broke], answers('Whole.'));
    expect(shown(all.conversation)).toEqual(['“hello”', 'hm', 'Half an', 'read']);
    all.conversation.retry();
    await all.conversation.untilIdle();
    expect(shown(all.conversation)).toEqual(['“hello”', 'Whole.']);
    expect(stored(all)).toEqual(shown(all.conversation));
  });

  test('keeps the rounds before it, and the half as long as nothing better comes', async () => {
    const first: Script = [...says(0, 'Reading.'), ...calls(1, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')];
    const all = await talk(first, half, [broke], answers('Whole.'));
    expect(shown(all.conversation)).toEqual(['“hello”', 'Reading.', 'read', 'Half an']);
    all.conversation.retry();
    await all.conversation.untilIdle();
    expect(shown(all.conversation)).toEqual(['“hello”', 'Reading.', 'read', 'Half an']);
    expect(stored(all)).toEqual(shown(all.conversation));
    all.conversation.retry();
    await all.conversation.untilIdle();
    expect(shown(all.conversation)).toEqual(['“hello”', 'Reading.', 'read', 'Whole.']);
    expect(stored(all)).toEqual(shown(all.conversation));
  });

  test('does the same in a chat that was reloaded meanwhile', async () => {
    const all = await talk(
      [...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')],
      [...says(0, 'Half'), ...calls(1, 'b', { name: 'read', args: { on: 'y' } }), broke],
      answers('Whole.'),
    );
    const reloaded = new Conversation(all.session, {}, { questions: new OpenQuestions() });
    expect(shown(reloaded)).toEqual(['“hello”', 'read', 'Half', 'read']);
    reloaded.retry();
    await reloaded.untilIdle();
    expect(shown(reloaded)).toEqual(['“hello”', 'read', 'Whole.']);
  });

  test('takes nothing away after whole answers', async () => {
    const all = await talk([...says(0, 'Reading.'), ...calls(1, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')], [broke], answers('Whole.'));
    all.conversation.retry();
    await all.conversation.untilIdle();
    expect(shown(all.conversation)).toEqual(['“hello”', 'Reading.', 'read', 'Whole.']);
    expect(stored(all)).toEqual(shown(all.conversation));
  });
});

test('Continue after an answer that broke off keeps what arrived', async () => {
  const all = await talk(half, answers('and the rest.'));
  await all.conversation.continueTurn().turn;
  expect(shown(all.conversation)).toEqual(['“hello”', 'Half an', '“Continue from where you were interrupted.”', 'and the rest.']);
  expect(stored(all)).toEqual(shown(all.conversation));
});

describe('a key that is set', () => {
  test.each(['no_key', 'authentication'] as const)('has the model asked again where it failed for want of it: %s', async (kind) => {
    const { conversation, provider } = await talk([new ProviderError(kind, 'No key.')], answers('Hello.'));
    conversation.retryWithKey();
    await conversation.untilIdle();
    expect(provider.requests).toHaveLength(2);
  });

  test('asks nothing again after another error, or after an answer', async () => {
    const failed = await talk([new ProviderError('network', 'No network.')], answers('Hello.'));
    failed.conversation.retryWithKey();
    const answered = await talk(answers('Hello.'), answers('Too much.'));
    answered.conversation.retryWithKey();
    expect([failed.conversation.busy, answered.conversation.busy]).toEqual([false, false]);
    expect([failed.provider.requests.length, answered.provider.requests.length]).toEqual([1, 1]);
  });
});
