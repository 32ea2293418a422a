import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../../src/domain/errors.js';
import { Conversation, OpenQuestions } from '../../../../../src/vscode/chat/conversation/conversation.js';
import { type Script, answers } from '../../../../support/scripted-provider/index.js';
import { type Rig, rig } from '../../../engine/rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];

interface Talk extends Rig {
  readonly conversation: Conversation;
}

/** A conversation in which something was said. */
async function talk(...scripts: readonly Script[]): Promise<Talk> {
  const all = rig({ scripts });
  const conversation = new Conversation(all.session, {}, { questions: new OpenQuestions() });
  await conversation.send(hello).turn;
  return { ...all, conversation };
}

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
