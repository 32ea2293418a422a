import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import type { Purse } from '../../../../src/domain/model/purse.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { httpError, startModelServer } from '../../../support/model-server/index.js';
import { json, startOpenAiServer } from '../../../support/openai-server/index.js';
import { providerFor } from '../../provider/openai/rig.js';
import { type Rig, rig } from '../rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];
const MODEL: ModelInfo = anthropicModelInfo('claude-opus-5-5');

/** What differs from a provider whose server refuses everything that reaches it. */
interface Access {
  readonly key?: string | undefined;
  readonly address?: string;
  /** Called when the key is wanted, right before the request is made. */
  readonly wanted?: () => void;
}

/** A server that refuses everything, the number of requests that reached it, and a provider for it. */
interface Wire {
  readonly reached: () => number;
  readonly provider: (access?: Access) => Provider;
}

function keyOf({ key, wanted }: Access = { key: 'k' }): () => Promise<string | undefined> {
  return () => {
    wanted?.();
    return Promise.resolve(key);
  };
}

async function messages(): Promise<Wire> {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  server.setScript(() => httpError(401, 'authentication_error', 'No.'));
  return {
    reached: () => server.requests.length,
    provider: (access) => createAnthropicProvider({ apiKey: keyOf(access), baseUrl: () => access?.address ?? server.url }),
  };
}

async function chat(): Promise<Wire> {
  const server = await startOpenAiServer(() => json({ error: { message: 'No.' } }, 401));
  onTestFinished(() => server.close());
  return {
    reached: () => server.requests.length,
    provider: (access) => providerFor(server, 'openai', { apiKey: keyOf(access), baseUrl: () => access?.address ?? `${server.url}/v1` }),
  };
}

function start(provider: Provider): Rig & { readonly purse: Purse } {
  const purse = createPurse(() => ({ requests: 5 }));
  const it = rig({ purse });
  it.session.setModel(provider, MODEL);
  return { ...it, purse };
}

describe.each([
  ['Messages', messages],
  ['Chat Completions', chat],
])('what a purse is told of requests, over %s', (_name, open) => {
  test.each<[string, Access]>([
    ['without a key', { key: undefined }],
    ['with a wrong address', { key: 'k', address: 'nowhere' }],
  ])('nothing of one that fails %s before it is sent', async (_why, access) => {
    const wire = await open();
    const { session, purse } = start(wire.provider(access));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', byModel: {} });
    expect([purse.spent.requests, purse.reserved.requests, wire.reached()]).toEqual([0, 0, 0]);
  });

  test('nothing of one that is canceled before it is sent', async () => {
    const wire = await open();
    const { session, purse } = start(wire.provider());
    session.onEvent(({ type }) => {
      if (type === 'round_started') session.cancel();
    });
    expect(await session.send(hello).turn).toMatchObject({ end: 'aborted', byModel: {} });
    expect([purse.spent.requests, purse.reserved.requests, wire.reached()]).toEqual([0, 0, 0]);
    const late = start(wire.provider({ key: 'k', wanted: () => late.session.cancel() }));
    expect(await late.session.send(hello).turn).toMatchObject({ end: 'aborted', byModel: {} });
    expect([late.purse.spent.requests, late.purse.reserved.requests, wire.reached()]).toEqual([0, 0, 0]);
  });

  test('one that its server refused, and one whose server could not be reached', async () => {
    const wire = await open();
    const refused = start(wire.provider());
    expect(await refused.session.send(hello).turn).toMatchObject({ end: 'error' });
    expect([refused.purse.spent.requests, wire.reached()]).toEqual([1, 1]);
    // A connection that does not come about may break at any point, so such a request counts.
    const lost = start(wire.provider({ key: 'k', address: 'http://127.0.0.1:1/v1' }));
    expect(await lost.session.send(hello).turn).toMatchObject({ end: 'error' });
    expect(lost.purse.spent.requests).toBe(1);
  });
});
