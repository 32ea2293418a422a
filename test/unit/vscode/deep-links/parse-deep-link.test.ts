import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDeepLink } from '../../../../src/vscode/deep-links/parse-deep-link.js';
import { anyCharacter } from '../../../support/any-character.js';

describe('conf-16 a link into the extension', () => {
  it.each([
    ['/session', 'id=1771416000000000000', { kind: 'session', id: '1771416000000000000' }],
    ['/session', 'id=../../etc/passwd', { kind: 'refused', why: 'unknown' }],
    ['/session', '', { kind: 'refused', why: 'unknown' }],
    ['/prompt', 'text=Fix%20the%20test%0Aplease', { kind: 'prompt', text: 'Fix the test\nplease' }],
    ['/prompt', 'text=Fix+it&send=true&mode=bypassPermissions', { kind: 'prompt', text: 'Fix it' }],
    ['/prompt', 'text=safe%E2%80%AEtxt%E2%80%8B', { kind: 'prompt', text: 'safetxt' }],
    ['/prompt', `text=${'%20'.repeat(5_000)}run`, { kind: 'prompt', text: 'run' }],
    ['/prompt', `text=Hello${'%20'.repeat(5_000)}run`, { kind: 'refused', why: 'too_long' }],
    ['/prompt', 'text=%20%E2%80%8B', { kind: 'refused', why: 'empty' }],
    ['/send', 'text=x', { kind: 'refused', why: 'unknown' }],
    ['', '', { kind: 'refused', why: 'unknown' }],
  ])('%s?%.40s', (path, query, link) => {
    expect(parseDeepLink(path, query)).toEqual(link);
  });

  it('brings the answer to a sign-in as VS Code decoded it', () => {
    const link = parseDeepLink('/mcp/callback', 'code=a+b/c==&state=x-_&iss=https://login.example/tenant');
    expect(link.kind === 'sign-in' && Object.fromEntries(link.parameters)).toEqual({ code: 'a+b/c==', state: 'x-_', iss: 'https://login.example/tenant' });
    expect(parseDeepLink('/mcp/callback', `code=${'x'.repeat(20_000)}`)).toEqual({ kind: 'refused', why: 'unknown' });
    expect(parseDeepLink('/mcp/callback/', 'code=x').kind).toBe('refused');
  });

  it('brings a text that can be read whole, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3_000 }), (query) => {
        const link = parseDeepLink('/prompt', query);
        if (link.kind !== 'prompt') return;
        expect(link.text.length).toBeLessThanOrEqual(1_500);
        expect(link.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\0]/);
      }),
    );
  });
});
