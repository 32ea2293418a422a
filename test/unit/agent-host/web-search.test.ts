import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebSearch } from '../../../src/domain/workspace/web-search.js';
import { Secrets } from '../../../src/models/keys/secrets.js';
import type { SearchChoice } from '../../../src/customization/user-settings.js';
import { BRAVE_KEY, WindowSearch } from '../../../src/agent-host/web-search.js';
import { eventually } from '../../support/eventually.js';
import { memoryChoices } from '../models/memory-choices.js';
import { memorySecrets } from '../models/memory-secrets.js';

const OWN: WebSearch = { name: 'Anthropic', address: 'https://api.anthropic.com', search: () => Promise.reject(new Error('not to be used')) };
const URL_SET = 'http://localhost:8888';

function windowWith(choice: Partial<SearchChoice>, secrets = new Secrets(memorySecrets(), memoryChoices())): WindowSearch {
  return new WindowSearch(secrets, () => ({ provider: 'auto', searxngUrl: '', ...choice }));
}

/** Names who searches once that is so. */
const becomes = (search: WindowSearch, name: string | undefined): Promise<void> =>
  eventually(() => {
    expect(search.current(OWN)?.name).toBe(name);
  });

describe('who searches the web', () => {
  let inEnvironment: string | undefined;
  beforeEach(() => {
    inEnvironment = process.env[BRAVE_KEY.keyVariable];
    Reflect.deleteProperty(process.env, BRAVE_KEY.keyVariable);
  });
  afterEach(() => {
    if (inEnvironment !== undefined) process.env[BRAVE_KEY.keyVariable] = inEnvironment;
  });

  it.each<[Partial<SearchChoice>, WebSearch | undefined, string | undefined]>([
    [{}, OWN, 'Anthropic'],
    [{}, undefined, undefined],
    [{ searxngUrl: URL_SET }, OWN, 'SearXNG (localhost:8888)'],
    [{ provider: 'model', searxngUrl: URL_SET }, OWN, 'Anthropic'],
    [{ provider: 'model', searxngUrl: URL_SET }, undefined, undefined],
    [{ provider: 'searxng' }, OWN, 'SearXNG'],
    [{ provider: 'brave', searxngUrl: URL_SET }, OWN, 'Brave Search'],
    [{ provider: 'off', searxngUrl: URL_SET }, OWN, undefined],
  ])('with %j and the search %o is %s', (choice, own, name) => {
    expect(windowWith(choice).current(own)?.name).toBe(name);
  });

  it('is Brave while its key is there, also in the environment', async () => {
    const secrets = new Secrets(memorySecrets({ 'gnomon.search:brave.apiKey': 'key' }), memoryChoices());
    const search = windowWith({}, secrets);
    await becomes(search, 'Brave Search');
    await secrets.clear(BRAVE_KEY.id);
    await becomes(search, 'Anthropic');
    process.env[BRAVE_KEY.keyVariable] = 'key';
    await becomes(windowWith({}), 'Brave Search');
    Reflect.deleteProperty(process.env, BRAVE_KEY.keyVariable);
  });
});
