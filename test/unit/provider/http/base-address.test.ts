import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Provider } from '../../../../src/domain/model/provider.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider, listAnthropicModels } from '../../../../src/provider/anthropic/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { requestFill } from '../../../../src/provider/openai/fim/request-fill.js';
import { listModels as listOpenAiModels } from '../../../../src/provider/openai/models/list-models.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, request } from '../openai/rig.js';
import { runs } from '../../../support/runs.js';

/** What each kind of request adds to a base URL, and the endings of a base URL that it knows. */
const KINDS = {
  messages: { path: '/v1/messages', endings: ['', '/', '/v1', '/v1/', '/v1/messages'] },
  'messages: models': { path: '/v1/models', endings: ['', '/v1'] },
  chat: { path: '/chat/completions', endings: ['', '/', '/chat/completions', '/chat/completions/'] },
  responses: { path: '/responses', endings: ['', '/', '/responses'] },
  'chat: models': { path: '/models', endings: ['', '/chat/completions'] },
  fill: { path: '/fim/completions', endings: ['', '/'] },
} as const;

type Kind = keyof typeof KINDS;

/** The addresses that are asked when a request goes to a base URL. */
async function asked(kind: Kind, address: string): Promise<readonly string[]> {
  const seen: string[] = [];
  const inner = (input: string | URL | Request): Promise<Response> => {
    seen.push(input instanceof Request ? input.url : String(input));
    return Promise.resolve(Response.json({ data: [], choices: [{ text: 'x' }] }));
  };
  await requestTo(kind, address, inner).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || !['not_a_stream', 'interrupted'].includes(error.kind)) throw error;
  });
  return seen;
}

function requestTo(kind: Kind, address: string, inner: typeof fetch): Promise<unknown> {
  const common = { apiKey: () => Promise.resolve('k'), baseUrl: () => address, fetch: inner };
  const openai = { ...common, name: 'x', preset: presetOf(kind === 'responses' ? 'openai' : kind === 'fill' ? 'mistral' : 'deepseek') };
  const streamed = (provider: Provider): Promise<unknown> => drain(provider.stream(request({ model: 'gpt-5.2' }), never()));
  switch (kind) {
    case 'messages':
      return streamed(createAnthropicProvider(common));
    case 'messages: models':
      return listAnthropicModels(common, never());
    case 'chat':
    case 'responses':
      return streamed(createOpenAiProvider(openai));
    case 'chat: models':
      return listOpenAiModels(openai, never());
    case 'fill':
      return requestFill(openai, { model: 'codestral', prompt: 'a', suffix: 'b', maxTokens: 5, stops: [] }, never());
  }
}

const NAME = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
/** Values as they are written: each stays byte for byte. */
const VALUE = fc.oneof(fc.constantFrom('2024-10-21', 'a%2Fb', 'a/b', 'a+b', '', '%C3%A9', 'a,b', 'x=y'), fc.stringMatching(/^[A-Za-z0-9_.~-]{1,12}$/));
const QUERY = fc.array(fc.tuple(NAME, VALUE), { minLength: 1, maxLength: 3 }).map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

describe.each(Object.keys(KINDS) as readonly Kind[])('a base URL with a query, for %s', (kind) => {
  const { path, endings } = KINDS[kind];

  it('has the path before its query, which stays as it is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('http://127.0.0.1:9/gw', 'https://gw.example/openai/deployments/gpt-4o', 'https://gw.example/a%20b'),
        fc.constantFrom(...endings),
        QUERY,
        async (base, ending, query) => {
          const [first = ''] = await asked(kind, `${base}${ending}?${query}`);
          const own = kind === 'messages: models' ? 'limit=1000&' : '';
          expect(first).toBe(`${base}${path}?${own}${query}`);
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it('adds nothing where it is empty', async () => {
    for (const end of ['', '?'])
      expect((await asked(kind, `https://gw.example/x${end}`))[0]).toBe(`https://gw.example/x${path}${kind === 'messages: models' ? '?limit=1000' : ''}`);
  });

  it('is refused with a part that cannot be sent, without saying what that is', async () => {
    const secret = 's3cret-s3cret';
    const addresses = [
      `https://user:${secret}@gw.example/x`,
      `https://${secret}@gw.example/x?a=b`,
      `https://:${secret}@gw.example`,
      `https://gw.example/x#${secret}`,
      `https://gw.example/x?a=b#${secret}`,
      `https://gw.example/x#`,
    ];
    for (const address of addresses) {
      const error = await failure(requestTo(kind, address, () => Promise.reject(new Error('sent'))));
      expect(error).toMatchObject({ kind: 'network', wrongSetting: true });
      expect(String(error)).toMatch(/base URL of gw\.example contains (?:a user name or a password|a part behind “#”).*Remove it from the setting gnomon\./);
      expect(String(error)).not.toContain(secret);
    }
  });

  it('that is no web address is named without what may be a key', async () => {
    for (const address of ['gw.example/x?key=s3cret-s3cret', 'ftp://me:s3cret-s3cret@gw.example/x', 'me:s3cret-s3cret@gw.example']) {
      const error = await failure(requestTo(kind, address, () => Promise.reject(new Error('sent'))));
      expect(error).toMatchObject({ kind: 'network', wrongSetting: true });
      expect(String(error)).toContain('gw.example');
      expect(String(error)).not.toContain('s3cret');
    }
  });
});

it('a search of Claude names its server without the query', () => {
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => 'https://gw.example/x?key=s3cret' });
  expect(provider.webSearch?.(anthropicModelInfo('claude-haiku-4-5'))?.address).toBe('https://gw.example/x');
});
