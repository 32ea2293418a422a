import { describe, expect, it } from 'vitest';
import { covers, scopesIn, scopesToAsk } from '../../../../src/mcp/auth/challenges.js';

describe('the scopes to ask for', () => {
  it.each([
    ['those of the refusal before those of the metadata', { challenged: 'read', supported: ['read', 'write'] }, ['read']],
    ['all that are supported when the refusal names none', { challenged: '', supported: ['read', 'write'] }, ['read', 'write']],
    ['none when nothing is known', { offered: ['admin', 'offline_access'] }, []],
    ['those of the configuration before all others', { configured: ['mine'], challenged: 'read', supported: ['write'] }, ['mine']],
    ['what was lacking with what was granted', { supported: ['all'], lacking: { wanted: 'write', granted: 'read openid' } }, ['read', 'openid', 'write']],
    ['what was lacking with those of the configuration', { configured: ['mine'], lacking: { wanted: 'write', granted: undefined } }, ['mine', 'write']],
    ['offline_access beside others where it is offered', { challenged: 'read', offered: ['offline_access'] }, ['read', 'offline_access']],
    ['offline_access once', { challenged: 'offline_access read', offered: ['offline_access'] }, ['offline_access', 'read']],
  ])('are %s', (_, facts, scopes) => {
    expect(scopesToAsk(facts)).toEqual(scopes);
  });

  it('are each one only once, and nothing that would be shown as something else', () => {
    expect(scopesIn(' read  write\tread "quoted" back\\slash \u202eevil\u202c repo:* https://api.example/scope ')).toEqual([
      'read',
      'write',
      'repo:*',
      'https://api.example/scope',
    ]);
    expect(scopesIn(undefined)).toEqual([]);
  });

  it('are covered by what was granted, if all of them are', () => {
    expect([covers(['a', 'b'], 'b a'), covers(['a'], 'a b'), covers([], undefined)]).toEqual([true, false, true]);
  });
});
