import { InsufficientScopeError } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestAuthority, TestResource } from '../../../support/mcp/auth-server.js';
import { failure, MemorySecrets, send, target, Window } from './window.js';

let authority: TestAuthority;
let resource: TestResource;
let window: Window;

beforeEach(async () => {
  authority = await TestAuthority.start();
  resource = await TestResource.start(authority);
  window = new Window();
});

afterEach(async () => {
  await resource.close();
  await authority.close();
});

describe('M-25: a server that wants the user to sign in', () => {
  it('fails the connection with one request, and never opens a browser', async () => {
    const server = target(resource.url);
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ name: 'McpError', kind: 'unauthorized', code: 401 });
    expect(resource.sentTokens).toEqual([undefined]);
    expect([window.questions, window.opened]).toEqual([[], []]);
  });

  it('is asked with the scope that its refusal named', async () => {
    resource.behavior.challengeScope = 'read';
    resource.behavior.metadata = { scopes_supported: ['read', 'write', 'delete'] };
    await window.signInAfterRefusal(target(resource.url));
    expect(window.questions[0]?.scopes).toEqual(['read']);
    expect(authority.seenAt('/authorize')[0]?.query.get('scope')).toBe('read');
  });

  it('is asked with all that it supports, when its refusal named none', async () => {
    resource.behavior.metadata = { scopes_supported: ['read', 'write'] };
    await window.signInAfterRefusal(target(resource.url));
    expect(authority.seenAt('/authorize')[0]?.query.get('scope')).toBe('read write');
  });

  it('is asked without a scope when it names none at all, whatever the authorization server offers', async () => {
    authority.behavior.metadata = { scopes_supported: ['admin', 'offline_access'] };
    await window.signInAfterRefusal(target(resource.url));
    expect(authority.seenAt('/authorize')[0]?.query.has('scope')).toBe(false);
  });

  it('is asked with the scopes of the configuration in place of those that it names', async () => {
    resource.behavior.challengeScope = 'admin';
    await window.signInAfterRefusal(target(resource.url, { scopes: ['read'] }));
    expect(authority.seenAt('/authorize')[0]?.query.get('scope')).toBe('read');
  });

  it('is asked for refresh tokens where they are given by scope', async () => {
    resource.behavior.challengeScope = 'read';
    authority.behavior.metadata = { scopes_supported: ['read', 'offline_access'] };
    await window.signInAfterRefusal(target(resource.url));
    expect(authority.seenAt('/authorize')[0]?.query.get('scope')).toBe('read offline_access');
  });
});

describe('a server that wants more permissions', () => {
  beforeEach(async () => {
    resource.behavior.challengeScope = 'read';
    await window.signInAfterRefusal(target(resource.url));
    resource.behavior.requiredScope = 'write';
    resource.behavior.challengeScope = 'write';
  });

  it('is asked for them together with those that were granted before', async () => {
    const server = target(resource.url);
    await expect(failure(send(server, window.access(server)))).resolves.toBeInstanceOf(InsufficientScopeError);
    expect(window.opened).toHaveLength(1);
    await window.signIn(server);
    expect(authority.seenAt('/authorize')[1]?.query.get('scope')).toBe('read write');
    await send(server, window.access(server));
  });

  it('is not asked again when the user has granted what it says that it lacks', async () => {
    const server = target(resource.url);
    await failure(send(server, window.access(server)));
    await window.signIn(server);
    resource.behavior.requiredScope = 'something else';
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'refused', code: 403 });
  });

  it('is not asked more than twice for what the authorization server does not grant', async () => {
    authority.behavior.grantedScope = 'read';
    const server = target(resource.url);
    for (let time = 0; time < 2; time += 1) {
      await expect(failure(send(server, window.access(server)))).resolves.toBeInstanceOf(InsufficientScopeError);
      await window.signIn(server);
    }
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'refused' });
  });
});

describe('tokens that end', () => {
  it('are renewed before they do, with the resource, and keep the new refresh token', async () => {
    authority.behavior.expiresIn = 30;
    const server = target(resource.url);
    await window.signIn(server);
    await send(server, window.access(server));
    await send(server, window.access(server));
    const [, ...renewals] = authority.seenAt('/token');
    expect(renewals.map(({ form }) => [form.get('grant_type'), form.get('resource'), form.get('scope')])).toEqual([
      ['refresh_token', resource.url, null],
      ['refresh_token', resource.url, null],
    ]);
    expect(new Set(renewals.map(({ form }) => form.get('refresh_token'))).size).toBe(2);
    expect(window.opened).toHaveLength(1);
  });

  it('keep their refresh token when no new one comes', async () => {
    authority.behavior.expiresIn = 30;
    const server = target(resource.url);
    await window.signIn(server);
    authority.behavior.refresh = 'kept';
    await send(server, window.access(server));
    await send(server, window.access(server));
    expect(
      authority
        .seenAt('/token')
        .slice(1)
        .map(({ form }) => form.get('refresh_token')),
    ).toEqual([...authority.refreshTokens.keys(), ...authority.refreshTokens.keys()]);
  });

  it('are renewed once after a refusal, for all requests that were refused', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    const access = window.access(server);
    await Promise.all([send(server, access), send(server, access), send(server, window.access(server))]);
    expect(authority.seenAt('/token')).toHaveLength(2);
  });

  it('stream-26: are renewed once by two windows, and both go on', async () => {
    const server = target(resource.url);
    const other = new Window(window.secrets);
    await window.signIn(server);
    authority.tokens.clear();
    await Promise.all([send(server, window.access(server)), send(server, other.access(server))]);
    expect(authority.seenAt('/token')).toHaveLength(2);
    expect(resource.sentTokens.slice(-2).every((token) => authority.tokens.has(token ?? ''))).toBe(true);
  });

  it.each([
    ['has ended', () => JSON.stringify({ owner: 'a window that is gone', until: Date.now() - 1 })],
    ['would never end', () => JSON.stringify({ owner: 'a window that is gone', until: Number.MAX_SAFE_INTEGER })],
    ['is damaged', () => '{'],
  ])('are renewed although there is a lease of another window that %s', async (_, lease) => {
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    const grant = [...window.secrets.entries.keys()].find((key) => key.includes('.grant.'));
    window.secrets.entries.set(`${grant}.renewal`, lease());
    await send(server, window.access(server));
    expect([...window.secrets.entries.keys()].some((key) => key.endsWith('.renewal'))).toBe(false);
  });

  it('wait for the renewal of another window', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    const old = [...authority.tokens.keys()][0] ?? '';
    authority.tokens.clear();
    const grant = [...window.secrets.entries.keys()].find((key) => key.includes('.grant.')) ?? '';
    window.secrets.entries.set(`${grant}.renewal`, JSON.stringify({ owner: 'another window', until: Date.now() + 20_000 }));
    const sent = send(server, window.access(server));
    await expect.poll(() => resource.sentTokens.length).toBe(1);
    authority.tokens.set('of-the-other-window', { scope: '', resource: null, client: '' });
    window.secrets.entries.set(grant, (window.secrets.entries.get(grant) ?? '').replace(old, 'of-the-other-window'));
    await sent;
    expect(authority.seenAt('/token')).toHaveLength(1);
    expect(resource.sentTokens).toEqual([old, 'of-the-other-window']);
  });

  it('lead to a new sign-in when renewing is refused, and are forgotten; the registration is not', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    authority.behavior.refresh = 'refused';
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'unauthorized' });
    await expect(window.auth.isSignedIn(server)).resolves.toBe(false);
    expect(window.opened).toHaveLength(1);
    await window.signIn(server);
    expect(authority.seenAt('/register')).toHaveLength(1);
    await send(server, window.access(server));
  });

  it('lead to a new sign-in when they cannot be renewed', async () => {
    authority.behavior.refresh = 'absent';
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'unauthorized' });
    expect(authority.seenAt('/token')).toHaveLength(1);
  });

  it('are kept when the authorization server cannot renew them now', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    authority.behavior.refresh = 'broken';
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ name: 'McpError', kind: 'answered' });
    await expect(window.auth.isSignedIn(server)).resolves.toBe(true);
    authority.behavior.refresh = 'rotated';
    await send(server, window.access(server));
  });

  it('are used to their end when the authorization server cannot renew them now', async () => {
    authority.behavior.expiresIn = 30;
    const server = target(resource.url);
    await window.signIn(server);
    authority.behavior.refresh = 'broken';
    await send(server, window.access(server));
  });

  it('are not stored any more when the user signed out during a renewal', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    authority.tokens.clear();
    const sent = failure(send(server, window.access(server)));
    await expect.poll(() => resource.sentTokens.length).toBe(1);
    await window.auth.signOut(server);
    await expect(sent).resolves.toMatchObject({ kind: 'unauthorized' });
    expect(window.secrets.text).not.toMatch(/access-|refresh-/);
  });
});

describe('a server that moves to another authorization server', () => {
  let next: TestAuthority;

  beforeEach(async () => {
    next = await TestAuthority.start();
  });

  afterEach(() => next.close());

  function move(): void {
    resource.behavior.authorizationServers = [next.issuer];
    resource.behavior.accepts = (token) => next.tokens.get(token);
  }

  it('gets a new registration there, and nothing of the old one', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    const asked = authority.seen.length;
    move();
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'unauthorized' });
    await window.signIn(server);
    await send(server, window.access(server));
    expect(next.seenAt('/register')).toHaveLength(1);
    const everything = JSON.stringify(next.seen.map(({ query, body, headers }) => [query.toString(), body, headers]));
    for (const old of [...authority.tokens.keys(), ...authority.refreshTokens.keys(), `of-${authority.issuer}`, encodeURIComponent(`of-${authority.issuer}`)])
      expect(everything).not.toContain(old);
    // The refresh token stays with the old one: it is not asked either.
    expect(authority.seen).toHaveLength(asked);
    expect([...window.secrets.entries.keys()].filter((key) => key.includes('.grant.'))).toHaveLength(1);
  });

  it('does not get the client ID and secret of the configuration, until the user has signed out', async () => {
    authority.behavior.clients = { mine: 'client-secret-canary' };
    next.behavior.clients = { mine: 'client-secret-canary' };
    const server = target(resource.url, { clientId: 'mine', clientSecret: 'client-secret-canary' });
    await window.signIn(server);
    move();
    await failure(send(server, window.access(server)));
    await expect(failure(window.signIn(server))).resolves.toMatchObject({ kind: 'refused' });
    expect(next.seenAt('/authorize')).toEqual([]);
    await window.auth.signOut(server);
    await window.signIn(server);
    await send(server, window.access(server));
  });
});

describe('signing out', () => {
  it('M-39: removes everything and has the tokens revoked, the refresh token first', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    await expect(window.auth.signOut(server)).resolves.toBe(true);
    expect(window.secrets.entries.size).toBe(0);
    expect(authority.revoked).toEqual([...authority.refreshTokens.keys(), ...authority.tokens.keys()]);
    await expect(failure(send(server, window.access(server)))).resolves.toMatchObject({ kind: 'unauthorized' });
  });

  it('removes everything also where nothing can be revoked, or nobody answers', async () => {
    authority.behavior.metadata = { revocation_endpoint: undefined };
    await window.signIn(target(resource.url));
    await expect(window.auth.signOut(target(resource.url))).resolves.toBe(false);
    authority.behavior.metadata = { revocation_endpoint: 'http://127.0.0.1:1/revoke' };
    await window.signIn(target(resource.url));
    await expect(window.auth.signOut(target(resource.url))).resolves.toBe(false);
    expect(window.secrets.entries.size).toBe(0);
  });

  it('presents the client as the authorization server wants it', async () => {
    authority.behavior.clients = { mine: 'a secret' };
    authority.behavior.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const server = target(resource.url, { clientId: 'mine', clientSecret: 'a secret' });
    await window.signIn(server);
    await window.auth.signOut(server);
    expect(authority.seenAt('/revoke')[0]?.headers.authorization).toBe(`Basic ${Buffer.from('mine:a secret').toString('base64')}`);
  });

  it('does nothing where nobody is signed in', async () => {
    await expect(window.auth.signOut(target(resource.url))).resolves.toBe(false);
    await expect(window.auth.signOut({ name: 'x', cwd: '/', config: { type: 'stdio', command: 'x', args: [], env: {} } })).resolves.toBe(false);
  });
});

describe('M-38: tokens', () => {
  it('are sent to their resource only', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    const access = window.access(server);
    const token = await access.token();
    const sent: [string, string | null][] = [];
    const spying = access.fetch((url, init) => {
      sent.push([String(url), new Headers(init?.headers).get('authorization')]);
      return Promise.resolve(new Response());
    });
    const headers = { Authorization: `Bearer ${token}` };
    for (const url of [
      resource.url,
      `${resource.url}/part`,
      `${resource.origin}/mcp-of-another`,
      `${resource.origin}/`,
      'https://evil.example/mcp',
      authority.issuer,
    ])
      await spying(url, { headers });
    expect(sent.filter(([, header]) => header !== null).map(([url]) => url)).toEqual([resource.url, `${resource.url}/part`]);
    sent.length = 0;
    const older = access.fetch((url, init) => {
      sent.push([String(url), new Headers(init?.headers).get('authorization')]);
      return Promise.resolve(new Response());
    }, 'origin');
    for (const url of [`${resource.origin}/messages`, authority.issuer]) await older(url, { headers });
    expect(sent.map(([, header]) => header === null)).toEqual([false, true]);
  });

  it('are in no address, and reported as secrets as soon as they are read', async () => {
    authority.behavior.clients = { mine: 'client-secret-canary' };
    authority.behavior.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const server = target(resource.url, { clientId: 'mine', clientSecret: 'client-secret-canary' });
    await window.signIn(server);
    const secrets = [...authority.tokens.keys(), ...authority.refreshTokens.keys(), 'client-secret-canary'];
    for (const secret of secrets) {
      expect(window.used).toContain(secret);
      expect(JSON.stringify([...authority.seen, ...resource.seen].map(({ path, query }) => [path, query.toString()]))).not.toContain(secret);
      expect(window.opened.join()).not.toContain(secret);
    }
    const later = new Window(window.secrets);
    await later.access(server).token();
    for (const secret of secrets) expect(later.used).toContain(secret);
  });

  it('are stored by issuer and resource, in places that do not say which', async () => {
    await window.signIn(target(resource.url));
    for (const key of window.secrets.entries.keys()) {
      expect(key).toMatch(/^gnomon\.mcp\.[\w.]+$/);
      expect(key).not.toContain('127.0.0.1');
    }
    expect([...window.secrets.entries.keys()].filter((key) => key.startsWith('gnomon.mcp.grant.'))).toHaveLength(1);
  });

  it('for one resource are not used for another of the same authorization server', async () => {
    const other = await TestResource.start(authority);
    await window.signIn(target(resource.url));
    await expect(failure(send(target(other.url), window.access(target(other.url))))).resolves.toMatchObject({ kind: 'unauthorized' });
    expect(other.sentTokens).toEqual([undefined]);
    await window.signIn(target(other.url));
    expect(authority.seenAt('/token').map(({ form }) => form.get('resource'))).toEqual([resource.url, other.url]);
    await window.auth.signOut(target(other.url));
    await send(target(resource.url), window.access(target(resource.url)));
    await other.close();
  });

  it('of another client do not count', async () => {
    await window.signIn(target(resource.url));
    await expect(window.access(target(resource.url, { clientId: 'another' })).token()).resolves.toBeUndefined();
  });

  it('that were damaged in the storage count as absent', async () => {
    const secrets = new MemorySecrets();
    await new Window(secrets).signIn(target(resource.url));
    for (const key of secrets.entries.keys()) secrets.entries.set(key, '{"authority":');
    await expect(new Window(secrets).access(target(resource.url)).token()).resolves.toBeUndefined();
    await new Window(secrets).signIn(target(resource.url));
  });

  it.each(['http://tracker.example/mcp', 'https://me:password@tracker.example/mcp', 'nothing'])('are neither got nor sent for %s', async (url) => {
    await expect(failure(window.signIn(target(url)))).resolves.toMatchObject({ kind: 'refused' });
    expect(window.auth.access(target(url))).toBeUndefined();
  });
});
