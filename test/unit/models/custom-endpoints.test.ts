import { describe, expect, it } from 'vitest';
import { addressWarning, readEndpoints, isPrivateHost } from '../../../src/models/custom-endpoints.js';
import { says } from '../../support/wording.js';

const NONE = {};
const find = (value: unknown, id: string): unknown => readEndpoints(value, NONE).value.find((endpoint) => endpoint.id === id);

describe('gnomon.providers', () => {
  it('has the presets as they are without it', () => {
    const { value, problems } = readEndpoints(undefined, NONE);
    expect(problems).toEqual([]);
    expect(value.map(({ id }) => id)).toEqual(['openai', 'mistral', 'ollama', 'openrouter', 'lmstudio', 'vllm', 'deepseek', 'gemini']);
    expect(value.every(({ baseUrl, own }) => baseUrl === undefined && !own)).toBe(true);
  });

  it('changes presets and adds endpoints of the person’s own behind them', () => {
    const value = {
      ollama: { baseUrl: 'http://192.168.1.7:11434/v1', headers: { 'x-team': 'a' } },
      work: { baseUrl: 'https://models.example.com/v1', label: 'Work', dialect: 'mistral', keyRequired: true },
    };
    expect(readEndpoints(value, NONE).problems).toEqual([]);
    expect(find(value, 'ollama')).toMatchObject({ baseUrl: 'http://192.168.1.7:11434/v1', headers: { 'x-team': 'a' }, own: true, preset: { needsKey: false } });
    expect(find(value, 'work')).toMatchObject({ own: true, preset: { label: 'Work', needsKey: true, dialect: { callIds: 'nine' } } });
    expect(find(value, 'work')).not.toHaveProperty('preset.keyVariable');
    expect(readEndpoints(value, NONE).value.at(-1)?.id).toBe('work');
  });

  it.each([
    [{ openai: {} }, 'openai', undefined],
    [{ openai: { baseUrl: 'https://eu.api.openai.com/v1' } }, 'openai', undefined],
    [{ openai: { baseUrl: 'https://gateway.example.com/v1' } }, 'openai', 'chat'],
    [{ openai: { baseUrl: 'https://gateway.example.com/v1', api: 'responses' } }, 'openai', 'responses'],
    [{ openai: { api: 'chat' } }, 'openai', 'chat'],
    [{ azure: { baseUrl: 'https://x.openai.azure.com/openai/v1', api: 'responses', dialect: 'openai' } }, 'azure', 'responses'],
    [{ azure: { baseUrl: 'https://x.openai.azure.com/openai/v1/responses/' } }, 'azure', 'responses'],
    [{ mine: { baseUrl: 'https://mine.example.com/v1' } }, 'mine', 'chat'],
  ])('%j: the API of %s is %s', (value, id, api) => {
    expect(readEndpoints(value, NONE).problems).toEqual([]);
    expect((find(value, id) as { preset: { api?: string } }).preset.api).toBe(api);
  });

  it('takes OpenAI’s address from the environment, unless the setting has one', () => {
    const environment = { OPENAI_BASE_URL: 'https://proxy.example.com/v1' };
    expect(readEndpoints({}, environment).value[0]).toMatchObject({ id: 'openai', baseUrl: 'https://proxy.example.com/v1' });
    expect(readEndpoints({ openai: { baseUrl: 'https://other.example.com' } }, environment).value[0]?.baseUrl).toBe('https://other.example.com');
    expect(readEndpoints({}, { OPENAI_BASE_URL: 'not an address' }).value[0]?.baseUrl).toBeUndefined();
  });

  it.each([
    [{ bad: {} }, 'gnomon.providers.bad.baseUrl: This value is required.'],
    [{ bad: { baseUrl: 'ftp://x' } }, 'gnomon.providers.bad.baseUrl: The value must be a URL that begins with https:// or http://.'],
    [{ bad: { baseUrl: 'https://x', dialect: 'german' } }, /^gnomon\.providers\.bad\.dialect: The value must be one of: openai, /],
    [{ bad: { baseUrl: 'https://x', api: 'assistants' } }, 'gnomon.providers.bad.api: The value must be one of: chat, responses.'],
    [{ bad: { baseUrl: 'https://x', headers: { a: 1 } } }, 'gnomon.providers.bad.headers.a: The value must be a string.'],
    [{ bad: { baseUrl: 'https://x', apiKey: 'k' } }, 'gnomon.providers.bad: Unknown property: apiKey.'],
    [{ bad: 'https://x' }, says('mustBeObject', 'gnomon.providers.bad: The value')],
    [{ 'a/b': { baseUrl: 'https://x' } }, /^gnomon\.providers\.a\/b: Names can contain only/],
    [{ anthropic: { baseUrl: 'https://x' } }, 'gnomon.providers.anthropic: Set the base URL in gnomon.anthropic.baseUrl instead.'],
    [{ demo: {} }, 'gnomon.providers.demo: This name is reserved for the offline demo.'],
    [{ constructor: {} }, 'gnomon.providers.constructor.baseUrl: This value is required.'],
    [['x'], says('mustBeObject', 'gnomon.providers')],
  ])('conf-23: %j is named with its field, and the rest counts', (value, problem) => {
    const own = { mine: { baseUrl: 'https://mine.example.com' } };
    const read = readEndpoints(Array.isArray(value) ? value : { ...value, ...own }, NONE);
    expect(read.problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
    expect(read.value.map(({ id }) => id).slice(8)).toEqual(Array.isArray(value) ? [] : ['mine']);
  });

  it('warns of an address over plain http that is neither this machine nor a private network', () => {
    const { problems, value } = readEndpoints({ far: { baseUrl: 'http://models.example.com/v1' } }, NONE);
    expect(problems).toEqual([expect.stringMatching(/^gnomon\.providers\.far\.baseUrl: models\.example\.com uses unencrypted HTTP.*https:\/\/ URL\.$/)]);
    expect(value.at(-1)?.id).toBe('far');
    expect(addressWarning('https://models.example.com', 's')).toBeUndefined();
    expect(addressWarning('http://127.0.0.1:8080', 's')).toBeUndefined();
    expect(addressWarning(undefined, 's')).toBeUndefined();
  });

  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['10.1.2.3', true],
    ['172.16.0.1', true],
    ['172.32.0.1', false],
    ['192.168.0.9', true],
    ['[fd00::1]', true],
    ['[fe80::1]', true],
    ['[2001:db8::1]', false],
    ['gpu-box', true],
    ['gpu.local', true],
    ['gpu.lan.', true],
    ['10.0.0.1.example.com', false],
    ['localhost.example.com', false],
    ['8.8.8.8', false],
  ])('%s is private: %s', (host, expected) => {
    expect(isPrivateHost(host)).toBe(expected);
  });
});
