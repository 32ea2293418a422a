import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderError } from '../../../src/domain/errors.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { systemClock } from '../../../src/node/system-clock.js';
import { createSessions } from '../../../src/session/create-sessions.js';
import { modelChoices } from '../../../src/chat/pane/choices.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { logTo } from '../../../src/vscode/log.js';
import { ModelRegistry } from '../../../src/models/model-registry.js';
import { createSources } from '../../../src/models/sources.js';
import { vsCodeLmSource } from '../../../src/vscode/language-models/provider.js';
import { Secrets } from '../../../src/models/keys/secrets.js';
import { type ModelServer, httpError, reply, startModelServer } from '../../support/model-server/index.js';
import { drain, failure } from '../../support/stream-conformance.js';
import { MemoryLog, TestGate } from '../engine/rig.js';
import { FakeLm } from '../vscode/language-models/fake-lm.js';
import { memoryChoices } from './memory-choices.js';
import { type MemorySecrets, memorySecrets } from './memory-secrets.js';

const NO_STORE = { get: () => [], set: () => undefined };
const environment = { ...process.env };
const go = [{ type: 'text' as const, text: 'go' }];

describe('with a server that takes one of two keys', () => {
  let server: ModelServer;
  let storage: MemorySecrets;
  let secrets: Secrets;
  let models: ModelRegistry;
  const used = new Set<string>();

  beforeEach(async () => {
    for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY') || name.endsWith('_BASE_URL')) Reflect.deleteProperty(process.env, name);
    server = await startModelServer({ apiKey: 'right-key', script: () => reply().text('ok') });
    storage = memorySecrets({ 'gnomon.anthropic.apiKey': 'expired-key' });
    used.clear();
    secrets = new Secrets(storage, memoryChoices(), used);
    const customProviders = (): unknown => ({
      ollama: { baseUrl: 'http://127.0.0.1:9/v1' },
      lmstudio: { baseUrl: 'http://127.0.0.1:9/v1' },
      vllm: { baseUrl: 'http://127.0.0.1:9/v1' },
    });
    models = new ModelRegistry({
      secrets,
      sources: () => createSources({ secrets, editor: vsCodeLmSource(new FakeLm().api), anthropicBaseUrl: () => server.url, customProviders }),
      settings: { wantedModels: () => [], customModels: () => [] },
      favorites: NO_STORE,
      lastTold: { get: () => undefined, set: () => undefined },
    });
  });
  afterEach(async () => {
    Object.assign(process.env, environment);
    await server.close();
  });

  /** What comes of a request to a model. */
  async function ask(id: string): Promise<ProviderError | 'answered'> {
    const { provider } = await models.choose(`anthropic/${id}`);
    const stream = provider.stream(
      { model: id, systemPrompt: 'Be good.', messages: [{ role: 'user', content: go, timestamp: systemClock.timestamp() }], tools: [] },
      new AbortController().signal,
    );
    return Promise.resolve(drain(stream)).then(
      () => 'answered' as const,
      (error: unknown) => error as ProviderError,
    );
  }

  it('each model uses its own key', async () => {
    await secrets.set('anthropic', 'right-key', 'work');
    await secrets.use('anthropic', 'claude-opus-5', 'work');
    expect(await ask('claude-opus-5')).toBe('answered');
    expect(await ask('claude-sonnet-5')).toMatchObject({
      kind: 'authentication',
      keyName: 'default',
      message: 'The API key “default” for Anthropic was refused. Set it again, or use another key.',
    });
    await secrets.use('anthropic', undefined, 'work');
    expect(await ask('claude-sonnet-5')).toBe('answered');
  });

  it('an account that has used up its quota is named by its key', async () => {
    await secrets.set('anthropic', 'right-key', 'work');
    await secrets.use('anthropic', undefined, 'work');
    server.setScript(() => httpError(402, 'billing_error', 'Your credit is used up.'));
    expect(await ask('claude-opus-5')).toMatchObject({
      kind: 'quota',
      keyName: 'work',
      message: expect.stringMatching(/exceeded its quota.*The API key “work” was used\.$/) as string,
    });
  });

  it('one key that is refused has no name', async () => {
    const refused = await ask('claude-sonnet-5');
    expect(refused).toMatchObject({ kind: 'authentication', keyName: undefined, message: expect.stringContaining('Gnomon: Set API Key') as string });
  });

  it('a key that was removed is asked for, and no other is used in its place', async () => {
    await storage.store('gnomon.anthropic.apiKey', 'right-key');
    await secrets.set('anthropic', 'right-key', 'work');
    await secrets.use('anthropic', 'claude-opus-5', 'work');
    await secrets.clear('anthropic', 'work');
    const before = server.requests.length;
    expect(await ask('claude-opus-5')).toMatchObject({
      kind: 'no_key',
      keyName: 'work',
      message: 'The API key “work” for Anthropic is not there anymore. Set it again, or use another key.',
    });
    expect(server.requests.length).toBe(before);
    expect(await ask('claude-sonnet-5')).toBe('answered');
  });

  it('the menu names the key of each model where there are several, and never the key', async () => {
    const { model } = await models.choose('anthropic/claude-sonnet-5');
    await models.refresh();
    expect(modelChoices(models.entries(), model, models).some(({ key }) => key !== undefined)).toBe(false);
    const changed = new Promise<void>((resolve) => void models.onDidChange(() => models.keyOf(model) !== undefined && resolve()));
    await secrets.set('anthropic', 'right-key', 'work');
    await changed;
    await secrets.use('anthropic', 'claude-opus-5', 'work');
    const choices = modelChoices(models.entries(), model, models);
    const keys = Object.fromEntries(choices.filter(({ id }) => /claude-(opus|sonnet)-5$/.test(id)).map(({ id, key }) => [id, key]));
    expect(keys).toEqual({ 'anthropic/claude-opus-5': 'work', 'anthropic/claude-sonnet-5': 'default' });
    expect(choices.find(({ key }) => key === 'work')?.description).toMatch(/key “work”$/);
    expect(JSON.stringify(choices)).not.toMatch(/right-key|expired-key/);
  });

  it('a turn whose key was refused goes on with another one, from where it was', async () => {
    await secrets.set('anthropic', 'right-key', 'work');
    const folder = await mkdtemp(join(tmpdir(), 'gnomon-keys-'));
    const lines = new MemoryLog();
    const { store } = createSessions({ folder, files: createNodeFileLayer(), clock: systemClock, log: lines });
    const { provider, model } = await models.choose('anthropic/claude-opus-5');
    const session = createAgentSession({
      open: await store.create('Be good.'),
      tools: [],
      gate: new TestGate(),
      clock: systemClock,
      log: lines,
      provider,
      model,
      mode: 'default',
      maxRounds: 5,
      maxRetries: 2,
      effort: 'medium',
    });
    const conversation = new Conversation(session, {}, { questions: new OpenQuestions() });
    try {
      await conversation.send(go).turn;
      conversation.view.flush();
      expect(conversation.view.state.items.at(-1)).toMatchObject({
        kind: 'notice',
        text: 'The API key “default” for Anthropic was refused. Set it again, or use another key.',
        actions: ['set_api_key', 'use_key'],
      });
      await secrets.use('anthropic', 'claude-opus-5', 'work');
      conversation.retryWithKey();
      await conversation.untilIdle();
      expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(JSON.stringify([conversation.view.state, lines.lines])).not.toMatch(/right-key|expired-key/);
    } finally {
      await session.close();
      await rm(folder, { recursive: true });
    }
  });

  it('the log has no key, whatever is written to it', async () => {
    await secrets.set('anthropic', 'right-key', 'work');
    await ask('claude-sonnet-5');
    const written: string[] = [];
    const note = (line: string): unknown => written.push(line);
    const log = logTo({ info: note, warn: note, error: note } as unknown as Parameters<typeof logTo>[0], used, {});
    log.info('right-key expired-key');
    expect(written.join()).not.toMatch(/right-key|expired-key/);
  });
});

it('servers that speak chat completions get the key of the model too, and the list that of the provider', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    response.writeHead(request.headers.authorization === 'Bearer right' ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":[{"id":"m"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const secrets = new Secrets(memorySecrets({ 'gnomon.mine.apiKey': 'wrong', 'gnomon.mine.apiKey:work': 'right' }), memoryChoices());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const source = createSources({
    secrets,
    editor: vsCodeLmSource(new FakeLm().api),
    anthropicBaseUrl: () => undefined,
    customProviders: () => ({ mine: { baseUrl, label: 'Mine', keyRequired: true } }),
  }).value.find(({ id }) => id === 'mine');
  const signal = new AbortController().signal;
  const refused = await failure(Promise.resolve(source?.list(signal)));
  expect(refused.message).toBe('The API key “default” for Mine was refused. Set it again, or use another key.');
  await secrets.use('mine', 'm', 'work');
  const stream = source?.provider.stream(
    { model: 'm', systemPrompt: '', messages: [{ role: 'user', content: go, timestamp: systemClock.timestamp() }], tools: [] },
    signal,
  );
  await failure(Promise.resolve(stream?.next()));
  await secrets.use('mine', undefined, 'work');
  expect((await source?.list(signal))?.map(({ id }) => id)).toEqual(['m']);
  expect(asked).toEqual(['/v1/models Bearer wrong', '/v1/chat/completions Bearer right', '/v1/models Bearer right']);
  server.close();
});
