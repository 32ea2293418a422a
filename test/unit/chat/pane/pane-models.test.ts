import { expect, it } from 'vitest';
import { PaneModels } from '../../../../src/chat/pane/pane-models.js';
import { modelKey } from '../../../../src/domain/model/model-key.js';
import { gate, reply } from '../../../support/model-server/index.js';
import { nodeChat } from '../../agent-host/node-chat.js';

it('a list that arrives during a turn that has a model of its own changes nothing there; after it, the model of the chat is as it is listed', async () => {
  const listed = ['own', 'other'].map((id) => ({ provider: 'anthropic', id, label: id, contextWindow: 200_000 }));
  const chat = await nodeChat({ settings: { 'gnomon.models': listed, 'gnomon.model': 'anthropic/own' } });
  const { models, agents, permissions } = chat.host.host;
  const errors: unknown[] = [];
  const panel = { current: () => chat.conversation, post: () => undefined, report: (error: unknown) => void errors.push(error) };
  const choices = new PaneModels({ models, agents, bypass: permissions.bypass, ...panel });
  const { session } = chat.conversation;
  const arrive = (contextWindow: number): void => {
    for (const each of listed) each.contextWindow = contextWindow;
    models.reload();
  };
  const now = (): unknown => [modelKey(session.model), session.model.contextWindow, session.auto.choice.type, session.auto.key];
  const asked = gate();
  chat.server.setScript(() => reply().hold(asked).text('Done.'));
  const { turn } = chat.conversation.send([{ type: 'text', text: 'Hello' }], { model: await models.choose('anthropic/other') });
  await asked.reached;
  arrive(150_000);
  expect(now()).toEqual(['anthropic/other', 200_000, 'default', 'anthropic/own']);
  asked.open();
  await turn;
  expect(now()).toEqual(['anthropic/own', 200_000, 'default', 'anthropic/own']);
  arrive(100_000);
  expect([now(), errors]).toEqual([['anthropic/own', 100_000, 'default', 'anthropic/own'], []]);
  choices.stop();
});
