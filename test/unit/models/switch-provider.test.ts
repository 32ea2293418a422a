import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { listVsCodeModels } from '../../../src/vscode/language-models/models.js';
import { createVsCodeLmProvider } from '../../../src/vscode/language-models/provider.js';
import { type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { rig } from '../engine/rig.js';
import { FakeLm } from '../vscode/language-models/fake-lm.js';

const SIGNATURE = 'c2lnbmVkIGJ5dGVz';
const say = (text: string): { type: 'text'; text: string }[] => [{ type: 'text', text }];

describe('switching the provider in the middle of a session (P32, G29)', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it('stream-20: thinking stays in the session, goes to no other provider, and back unchanged to its own', async () => {
    const fake = new FakeLm();
    const { session } = rig({ effort: 'medium' });
    const anthropic = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url });
    const claude = anthropicModelInfo('claude-opus-5-5');
    const [acme] = await listVsCodeModels(fake.api);
    if (acme === undefined) throw new Error('The fake has no model.');

    server.setScript(() => reply().thinking('a private thought', SIGNATURE).text('One.'));
    session.setModel(anthropic, claude);
    await session.send(say('first')).turn;
    fake.acts = [{ kind: 'text', deltas: ['Two.'] }];
    session.setModel(createVsCodeLmProvider(fake.api), acme);
    await session.send(say('second')).turn;
    server.setScript(() => reply().text('Three.'));
    session.setModel(anthropic, claude);
    await session.send(say('third')).turn;

    const toAcme = JSON.stringify(fake.requests[0]?.messages);
    expect(toAcme).toContain('One.');
    expect(toAcme).not.toContain('private thought');
    expect(session.messages[1]?.content[0]).toMatchObject({ type: 'thinking', thinking: 'a private thought' });
    const back = server.requests.at(-1);
    expect(back?.problem).toBeUndefined();
    expect(back?.body.messages[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'a private thought', signature: SIGNATURE },
      { type: 'text', text: 'One.' },
    ]);
    expect(JSON.stringify(back?.body.messages[3])).toContain('Two.');
    expect(session.messages).toHaveLength(6);
  });
});
