import { describe, expect, it, test } from 'vitest';
import { readHookFile } from '../../../src/config/hooks/read-hook-file.js';
import type { ConfigLayer } from '../../../src/domain/config/origin.js';
import { forbiddenUrl, type UrlLimit } from '../../../src/hook/allowed-urls.js';
import { parseUrlPattern } from '../../../src/text/url-pattern.js';
import { definitionOf, hooksOf } from '../../support/hook-rig.js';

const limit = (file: string, ...patterns: readonly string[]): UrlLimit => ({ file, allowed: patterns.flatMap((text) => parseUrlPattern(text) ?? []) });
const read = (layer: ConfigLayer, text: string): ReturnType<typeof readHookFile> =>
  readHookFile(text, 'settings', { origin: { layer, file: '/f', display: 'f' }, platform: 'linux' });

describe('allowedHttpHookUrls', () => {
  it.each([
    ['https://hooks.example.com/*', 'https://hooks.example.com/a/b?c=d', true],
    ['https://hooks.example.com/*', 'https://HOOKS.example.com:443/', true],
    ['https://hooks.example.com:443/*', 'https://hooks.example.com/', true],
    ['https://hooks.example.com/*', 'http://hooks.example.com/', false],
    ['https://hooks.example.com/*', 'https://hooks.example.com:8443/', false],
    ['https://hooks.example.com/*', 'https://hooks.example.com.evil.com/', false],
    ['https://hooks.example.com/*', 'https://evil.com/https://hooks.example.com/', false],
    ['https://*.example.com/*', 'https://a.b.example.com/x', true],
    ['https://*.example.com/*', 'https://evil.com/.example.com/x', false],
    ['https://*.example.com/*', 'https://evil.com?.example.com/x', false],
    ['https://*.example.com/*', 'https://evil.com#.example.com/x', false],
    ['https://*.example.com/*', 'https://evil.com\\.example.com/x', false],
    ['https://*.example.com/*', 'https://example.com/', false],
    ['https://example.com', 'https://example.com/', true],
    ['https://example.com', 'https://example.com/a', false],
    ['https://example.com/a/*', 'https://example.com/a/../b', false],
    ['*://localhost:*/*', 'http://localhost:3000/x', true],
    ['http://127.0.0.1:*/hook', 'http://0x7f.1:9/hook', true],
    ['*', 'https://example.com/a?b', true],
    ['*', 'file:///etc/passwd', false],
    ['*', 'no address', false],
    ['hooks.example.com/*', 'https://hooks.example.com/', false],
  ])('%s for %s: %s', (pattern, url, allowed) => {
    expect(forbiddenUrl(url, [limit('f', pattern)]) === undefined).toBe(allowed);
  });

  it('limits nothing where no file has it, all where a list is empty, and has to allow in every file that has it', () => {
    expect(forbiddenUrl('https://a.com/', [])).toBeUndefined();
    expect(forbiddenUrl('https://a.com/', [limit('f')])).toContain('allowedHttpHookUrls in f');
    expect(forbiddenUrl('https://a.com/', [limit('one', '*'), limit('two', 'https://b.com/*')])).toContain('in two');
    expect(forbiddenUrl('https://a.com/', [limit('one', 'https://b.com/*', 'https://a.com/*'), limit('two', '*')])).toBeUndefined();
  });

  it('counts in managed and user settings, and a repository can neither set nor lift it', () => {
    const text = '{"allowedHttpHookUrls":["https://a.com/*"]}';
    for (const layer of ['managed', 'user'] as const)
      expect(read(layer, text)).toMatchObject({ allowedUrls: [parseUrlPattern('https://a.com/*')], problems: [] });
    for (const layer of ['project', 'local'] as const) {
      const { allowedUrls, problems } = read(layer, text);
      expect([allowedUrls, problems]).toMatchObject([
        undefined,
        [{ key: 'allowedHttpHookUrls', message: expect.stringContaining('A workspace cannot limit') as string }],
      ]);
    }
  });

  it('allows nothing where it cannot be read, and no more than what can', () => {
    expect(read('user', '{"allowedHttpHookUrls":"*"}')).toMatchObject({ allowedUrls: [], problems: [{ key: 'allowedHttpHookUrls' }] });
    expect(read('user', '{"allowedHttpHookUrls":[7,"a.com","https://a.com/*"]}')).toMatchObject({
      allowedUrls: [{ protocol: 'https:' }],
      problems: [{ key: 'allowedHttpHookUrls[0]' }, { key: 'allowedHttpHookUrls[1]' }],
    });
  });
});

test('a hook with an address that is not allowed does not run: a guard blocks, and says why; others go on with a notice', async () => {
  const handler = (url: string) => ({ type: 'http' as const, url, headers: {}, allowedEnvVars: [] });
  const hooks = (['PreToolUse', 'PostToolUse'] as const).map((event) => ({
    event,
    name: 'https://b.com/x',
    answer: () => '',
    more: { handler: handler('https://b.com/x') },
  }));
  const { hooks: made, told } = hooksOf(hooks, { forbids: (url) => forbiddenUrl(url, [limit('~/.gnomon/settings.json', 'https://a.com/*')]) });
  const context = { session_id: 's', transcript_path: '/s.json', cwd: '/ws', permission_mode: 'default' as const };
  const fields = { tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'a' };
  const before = await made.run({ hook_event_name: 'PreToolUse', ...fields }, context, new AbortController().signal);
  const after = await made.run({ hook_event_name: 'PostToolUse', tool_response: '', ...fields }, context, new AbortController().signal);
  expect(before.block).toMatchObject({ kind: 'unanswered', reason: expect.stringContaining('allowedHttpHookUrls in ~/.gnomon/settings.json') as string });
  expect([after.block, after.runs[0]?.end]).toEqual([undefined, 'not_started']);
  expect(
    await made.tryOut({ ...definitionOf({ event: 'PreToolUse', name: 'x' }), handler: handler('https://b.com/x') }, new AbortController().signal),
  ).toMatchObject({ run: { end: 'not_started' } });
  expect(told).toEqual([]);
});
