import { describe, expect, it } from 'vitest';
import { NoModelError } from '../../../src/domain/errors.js';
import type { FillProvider } from '../../../src/domain/model/fill.js';
import type { Provider, Request } from '../../../src/domain/model/provider.js';
import { withinAllowed } from '../../../src/models/allowed-models.js';
import { answers, ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';

const { signal } = new AbortController();
const REQUEST: Request = {
  ...{ model: 'model-1', systemPrompt: '', tools: [] },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }], timestamp: '2026-01-01T00:00:00.000Z' }],
};
const FILL = { model: 'model-1', prompt: '', maxTokens: 1, stops: [] };

/** A source that notes what is asked of its server, with all that a provider can have. */
function source(isAllowed: boolean): { readonly provider: Provider; readonly fill: FillProvider; readonly asked: string[] } {
  const asked: string[] = [];
  const scripted = new ScriptedProvider([answers('Hi.')]);
  const note = <T>(what: string, value: T): T => (asked.push(what), value);
  const { provider, fill } = withinAllowed(
    {
      ...{ id: 'scripted', label: 'Scripted', isSetUp: () => Promise.resolve(true), list: () => Promise.resolve([]), info: () => TEST_MODEL },
      provider: {
        name: 'scripted',
        stream: (request, stop) => note('stream', scripted.stream(request, stop)),
        webSearch: () => note('webSearch', undefined),
        servedWindow: { read: () => note('servedWindow', Promise.resolve(8)), advice: '' },
      },
      fill: { way: () => note('way', Promise.resolve('suffix' as const)), fill: () => note('fill', Promise.resolve('x')) },
    },
    () => (isAllowed ? undefined : { by: 'organization', place: 'managed-settings.json', names: [] }),
  );
  if (fill === undefined) throw new Error('It fills no more.');
  return { provider, fill, asked };
}

/** Everything by which a server can be asked about a model. A new way belongs here. */
const WAYS: Readonly<Record<string, (of: ReturnType<typeof source>) => Promise<unknown>>> = {
  stream: ({ provider }) => provider.stream(REQUEST, signal).next(),
  webSearch: ({ provider }) => Promise.resolve(provider.webSearch?.(TEST_MODEL)),
  servedWindow: async ({ provider }) => provider.servedWindow?.read('model-1', signal),
  way: ({ fill }) => fill.way('model-1', signal),
  fill: ({ fill }) => fill.fill(FILL, signal),
};

describe.each(Object.keys(WAYS))('a model that is not allowed, by %s', (way) => {
  it('is nothing that its server is asked about', async () => {
    const refused = source(false);
    await WAYS[way]?.(refused).catch((error: unknown) => expect(error).toBeInstanceOf(NoModelError));
    expect(refused.asked).toEqual([]);
  });

  it('is asked about where it is allowed', async () => {
    const allowed = source(true);
    await WAYS[way]?.(allowed);
    expect(allowed.asked).toEqual([way]);
  });
});
