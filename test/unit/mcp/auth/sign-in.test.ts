import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLoopback } from '../../../../src/node/mcp-auth/loopback.js';
import { createSignInFetch } from '../../../../src/node/mcp-auth/sign-in-fetch.js';
import { TestAuthority, TestResource } from '../../../support/mcp/auth-server.js';
import { browse, failure, MemorySecrets, send, target, Window } from './window.js';

let authority: TestAuthority;
let resource: TestResource;
let window: Window;

beforeEach(async () => {
  authority = await TestAuthority.start();
  resource = await TestResource.start(authority);
  window = new Window();
});

afterEach(async () => {
  for (const receiver of window.receivers) receiver.close();
  await resource.close();
  await authority.close();
});

/** No tokens were asked for, nothing is stored, and nothing listens. */
async function expectNothingLeft(): Promise<void> {
  expect(authority.tokens.size).toBe(0);
  expect(window.secrets.entries.size).toBe(0);
  for (const { redirectUri } of window.receivers) await expect(failure(fetch(redirectUri))).resolves.toMatchObject({ message: 'fetch failed' });
}

describe('signing in to a server', () => {
  it('asks the user, opens the browser once, and proves who they are from then on', async () => {
    const server = target(resource.url);
    await window.signIn(server);
    expect(window.questions).toEqual([{ server: 'tracker', url: resource.url, host: new URL(authority.issuer).host, scopes: [] }]);
    expect(window.opened).toHaveLength(1);
    await send(server, window.access(server));
    expect(resource.sentTokens.at(-1)).toBe([...authority.tokens.keys()][0]);
    await expect(window.auth.isSignedIn(server)).resolves.toBe(true);
  });

  it('uses PKCE with S256, a random state, and the resource in both requests', async () => {
    await window.signIn(target(resource.url));
    await window.auth.signOut(target(resource.url));
    await window.signIn(target(resource.url));
    const pages = authority.seenAt('/authorize').map(({ query }) => query);
    expect(pages.map((query) => [query.get('code_challenge_method'), query.get('resource')])).toEqual([
      ['S256', resource.url],
      ['S256', resource.url],
    ]);
    expect(new Set(pages.map((query) => query.get('state'))).size).toBe(2);
    expect(new Set(pages.map((query) => query.get('code_challenge'))).size).toBe(2);
    expect(pages[0]?.get('state')).toMatch(/^[\w-]{43}$/);
    expect(authority.seenAt('/token').map(({ form }) => form.get('resource'))).toEqual([resource.url, resource.url]);
  });

  it('finds the metadata of an OpenID provider', async () => {
    authority.behavior.wellKnown = 'openid';
    await window.signIn(target(resource.url));
    await expect(window.auth.isSignedIn(target(resource.url))).resolves.toBe(true);
  });

  it('finds the metadata where the refusal says that they are, and nowhere else', async () => {
    resource.behavior.metadataUrl = `${resource.origin}/elsewhere`;
    await expect(failure(window.signInAfterRefusal(target(resource.url)))).resolves.toMatchObject({ name: 'McpError' });
    expect(window.opened).toEqual([]);
  });

  it('takes the root of a server without metadata for its authorization server', async () => {
    resource.behavior.hasMetadata = false;
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'protocol' });
    expect(resource.seen.map(({ path }) => path)).toContain('/.well-known/oauth-authorization-server');
  });

  it('registers as a native application that wants refresh tokens, with the address that it listens on', async () => {
    await window.signIn(target(resource.url));
    const [registration] = authority.seenAt('/register').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(registration).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      redirect_uris: [window.receivers[0]?.redirectUri],
    });
  });

  it('uses its registration again', async () => {
    await window.signIn(target(resource.url));
    await window.signIn(target(resource.url));
    expect(authority.seenAt('/register')).toHaveLength(1);
    expect(window.receivers[1]?.redirectUri).toBe(window.receivers[0]?.redirectUri);
  });

  it('registers anew when the authorization server does not know it any more', async () => {
    await window.signIn(target(resource.url));
    authority.behavior.token = 'invalid-client';
    await failure(window.signIn(target(resource.url)));
    authority.behavior.token = 'bearer';
    await window.signIn(target(resource.url));
    expect(authority.seenAt('/register')).toHaveLength(2);
  });

  it.each([
    ['client_secret_basic', 'a secret', { authorization: expect.stringMatching(/^Basic /) as string }, null],
    ['client_secret_post', 'a secret', {}, 'a secret'],
    ['none', '', {}, null],
  ])('uses a client that was registered beforehand with %s', async (method, secret, headers, inForm) => {
    authority.behavior.clients = { mine: secret };
    authority.behavior.metadata = { token_endpoint_auth_methods_supported: [method], client_id_metadata_document_supported: true };
    const server = target(resource.url, { clientId: 'mine', ...(secret !== '' && { clientSecret: secret }) });
    const withDocument = new Window(window.secrets, { clientMetadataUrl: () => 'https://gnomon.example/client.json' });
    await withDocument.signIn(server);
    const [request] = authority.seenAt('/token');
    expect(request?.headers).toMatchObject(headers);
    expect(request?.form.get('client_secret')).toBe(inForm);
    expect(authority.seenAt('/register')).toEqual([]);
    await send(server, withDocument.access(server));
  });

  it('introduces itself by its metadata document where that is supported', async () => {
    authority.behavior.metadata = { client_id_metadata_document_supported: true };
    const withDocument = new Window(window.secrets, { clientMetadataUrl: () => 'https://gnomon.example/client.json' });
    await withDocument.signIn(target(resource.url));
    expect(authority.seenAt('/authorize')[0]?.query.get('client_id')).toBe('https://gnomon.example/client.json');
    expect(authority.seenAt('/register')).toEqual([]);
  });

  it('registers where its metadata document is not supported', async () => {
    const withDocument = new Window(window.secrets, { clientMetadataUrl: () => 'https://gnomon.example/client.json' });
    await withDocument.signIn(target(resource.url));
    expect(authority.seenAt('/register')).toHaveLength(1);
  });

  it('joins two sign-ins to one server', async () => {
    await Promise.all([window.signIn(target(resource.url)), window.signIn(target(resource.url))]);
    expect(window.opened).toHaveLength(1);
    expect(window.questions).toHaveLength(1);
  });
});

describe('a sign-in that ends without tokens leaves nothing behind', () => {
  it('when the user does not agree, before anything is registered or opened', async () => {
    const refusing = new Window(window.secrets, { confirm: () => Promise.resolve(false) });
    await expect(failure(refusing.signIn(target(resource.url)))).resolves.toMatchObject({ name: 'AbortError' });
    expect([refusing.opened, authority.seenAt('/register')]).toEqual([[], []]);
    await expectNothingLeft();
  });

  it('when the user declines on the page, without a word of what the page says', async () => {
    authority.behavior.answer = 'denied';
    const error = await failure(window.signIn(target(resource.url)));
    expect(error).toMatchObject({ kind: 'unauthorized', message: 'Signing in to tracker was declined.' });
    await expectNothingLeft();
  });

  it('when the browser cannot be opened', async () => {
    const closed = new Window(window.secrets, { openExternal: () => Promise.resolve(false) });
    await expect(failure(closed.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    await expectNothingLeft();
  });

  it('when opening the browser fails', async () => {
    const broken = new Window(window.secrets, { openExternal: () => Promise.reject(new Error('CANARY')) });
    const error = await failure(broken.signIn(target(resource.url)));
    expect(error).toMatchObject({ name: 'McpError' });
    expect((error as Error).message).not.toContain('CANARY');
    await expectNothingLeft();
  });

  it.each(['confirm', 'receive', 'openExternal'] as const)('when it is stopped during %s', async (step) => {
    const control = new AbortController();
    const slow = {
      confirm: () => (control.abort(), Promise.resolve(true)),
      receive: async () => (control.abort(), Promise.reject(new Error('too late'))),
      openExternal: () => (control.abort(), Promise.resolve(true)),
    };
    const stopped = new Window(window.secrets, { [step]: slow[step] });
    await expect(failure(stopped.signIn(target(resource.url), control.signal))).resolves.toMatchObject({ name: 'AbortError' });
    for (const { redirectUri } of stopped.receivers) await expect.poll(() => failure(fetch(redirectUri))).toMatchObject({ message: 'fetch failed' });
    await expectNothingLeft();
  });

  it('when it is stopped while the tokens are stored', async () => {
    const control = new AbortController();
    const secrets = new MemorySecrets();
    const [store, remove] = [secrets.store.bind(secrets), secrets.delete.bind(secrets)];
    const [stored, removed]: [Set<string>, Set<string>] = [new Set(), new Set()];
    secrets.store = async (key, value) => {
      control.abort();
      await store(key, value);
      stored.add(key);
    };
    secrets.delete = async (key) => {
      await remove(key);
      removed.add(key);
    };
    const stopped = new Window(secrets);
    await expect(failure(stopped.signIn(target(resource.url), control.signal))).resolves.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => [stored.size, removed.size]).toEqual([2, 2]);
    expect(secrets.entries.size).toBe(0);
  });

  it('when one of two who joined stops: the other one goes on', async () => {
    const control = new AbortController();
    const first = failure(window.signIn(target(resource.url), control.signal));
    const second = window.signIn(target(resource.url));
    control.abort();
    await expect(first).resolves.toMatchObject({ name: 'AbortError' });
    await second;
    expect(window.opened).toHaveLength(1);
    await expect(window.auth.isSignedIn(target(resource.url))).resolves.toBe(true);
  });

  it.each(['wrong-state', 'no-state'] as const)('when the answer has a state that is not its own: %s', async (answer) => {
    authority.behavior.answer = answer;
    const control = new AbortController();
    const impatient = new Window(window.secrets, {
      openExternal: async (url) => {
        expect(await browse(url)).toBe(400);
        control.abort();
        return true;
      },
    });
    await expect(failure(impatient.signIn(target(resource.url), control.signal))).resolves.toMatchObject({ name: 'AbortError' });
    expect(authority.seenAt('/token')).toEqual([]);
    await expectNothingLeft();
  });

  it('when nobody signs in in time', async () => {
    authority.behavior.answer = 'never';
    const impatient = new Window(window.secrets, { receive: () => openLoopback({ timeLimitMs: 50 }) });
    await expect(failure(impatient.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'timeout' });
    expect(impatient.opened).toHaveLength(1);
    await expectNothingLeft();
  });

  it('when the answer with the tokens does not come in time', async () => {
    authority.behavior.token = 'slow';
    const impatient = new Window(window.secrets, {
      signInFetch: (server) => (url, init) => createSignInFetch({ timeLimitMs: String(url).endsWith('/token') ? 50 : 20_000 })(server)(url, init),
    });
    await expect(failure(impatient.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'timeout' });
    expect(authority.seenAt('/token')).toHaveLength(1);
    await expectNothingLeft();
  });

  it.each([
    ['huge', 'protocol'],
    ['no-json', 'protocol'],
    ['dpop', 'protocol'],
    ['unsendable', 'protocol'],
    ['echo', 'answered'],
  ] as const)('when the answer with the tokens is %s', async (token, kind) => {
    authority.behavior.token = token;
    const error = await failure(window.signIn(target(resource.url)));
    expect(error).toMatchObject({ name: 'McpError', kind });
    expect(window.secrets.entries.size).toBe(0);
    for (const secret of window.used) expect(String((error as Error).stack) + JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('CANARY');
  });

  it('when a code is used a second time', async () => {
    await window.signIn(target(resource.url));
    const form = authority.seenAt('/token')[0]?.body ?? '';
    const replayed = await fetch(`${authority.issuer}/token`, { method: 'POST', body: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    await expect(replayed.json()).resolves.toEqual({ error: 'invalid_grant' });
    const back = new URL(authority.seenAt('/authorize')[0]?.query.get('redirect_uri') ?? '');
    await expect(failure(fetch(back))).resolves.toMatchObject({ message: 'fetch failed' });
  });
});

describe('M-39: an authorization server that weakens what protects the user is refused', () => {
  it.each([
    ['no PKCE at all', { code_challenge_methods_supported: undefined }],
    ['PKCE with plain only', { code_challenge_methods_supported: ['plain'] }],
    ['no authorization codes', { response_types_supported: ['token'] }],
    ['another issuer in its metadata', { issuer: 'https://evil.example' }],
    ['its issuer in other letters', { issuer: 'HTTP://127.0.0.1' }],
  ])('%s', async (_, metadata) => {
    authority.behavior.metadata = metadata;
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    expect([window.questions, window.opened]).toEqual([[], []]);
    await expectNothingLeft();
  });

  it.each([
    ['a wrong issuer', 'wrong', true],
    ['an issuer that was not promised and is wrong', 'wrong', false],
    ['no issuer although it was promised', 'absent', true],
    ['an issuer that equals only when it is normalized', 'normalized', true],
    ['an issuer that was not promised and equals only when it is normalized', 'normalized', false],
  ] as const)('an answer with %s', async (_, iss, promised) => {
    authority.behavior.iss = iss;
    authority.behavior.metadata = { authorization_response_iss_parameter_supported: promised };
    const error = await failure(window.signIn(target(resource.url)));
    expect(error).toMatchObject({ kind: 'refused' });
    expect((error as Error).message).not.toContain('evil');
    expect(authority.seenAt('/token')).toEqual([]);
    await expectNothingLeft();
  });

  it.each([
    ['right', true],
    ['right', false],
    ['absent', false],
  ] as const)('but not one whose issuer is %s (promised: %s)', async (iss, promised) => {
    authority.behavior.iss = iss;
    authority.behavior.metadata = { authorization_response_iss_parameter_supported: promised };
    await window.signIn(target(resource.url));
    expect(authority.tokens.size).toBe(1);
  });

  it('an error of another issuer is not believed', async () => {
    authority.behavior.answer = 'denied';
    authority.behavior.iss = 'wrong';
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
  });

  it.each(['https://evil.example/mcp', 'http://127.0.0.1:1/mcp', 'no address'])('the metadata of another resource: %s', async (other) => {
    resource.behavior.metadata = { resource: other };
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ name: 'McpError' });
    expect(window.questions).toEqual([]);
    await expectNothingLeft();
  });

  it.each([
    ['its token endpoint', { token_endpoint: 'https://10.0.0.1/token' }],
    ['its registration endpoint', { registration_endpoint: 'https://169.254.169.254/latest/meta-data' }],
  ])('conf-14: one that leads Gnomon into a private network with %s', async (_, metadata) => {
    authority.behavior.metadata = metadata;
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    expect(window.secrets.entries.size).toBe(0);
  });

  it.each([
    { token_endpoint: 'http://login.example/token' },
    { registration_endpoint: 'http://login.example/register' },
    { token_endpoint: 'https://me:password@login.example/token' },
  ])('one with %o, before the user is asked', async (metadata) => {
    authority.behavior.metadata = metadata;
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    expect(window.questions).toEqual([]);
    await expectNothingLeft();
  });

  it.each([
    ['https://10.0.0.1', 'refused'],
    ['https://169.254.169.254', 'refused'],
    ['http://login.example', 'refused'],
    ['file:///etc', 'protocol'],
  ])('conf-14: a server whose authorization server is %s', async (issuer, kind) => {
    resource.behavior.authorizationServers = [issuer];
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ name: 'McpError', kind });
    await expectNothingLeft();
  });

  it('conf-14: a server whose metadata are in a private network', async () => {
    resource.behavior.metadataUrl = 'https://169.254.169.254/latest/meta-data';
    await expect(failure(window.signInAfterRefusal(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    await expectNothingLeft();
  });

  it('one that does not register Gnomon', async () => {
    authority.behavior.registration = 'refused';
    const error = await failure(window.signIn(target(resource.url)));
    expect(error).toMatchObject({ kind: 'refused', code: 403 });
    expect((error as Error).message).not.toContain('CANARY');
    await expectNothingLeft();
  });

  it('one that knows registered clients only', async () => {
    authority.behavior.metadata = { registration_endpoint: undefined };
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ kind: 'refused' });
    await expectNothingLeft();
  });
});
