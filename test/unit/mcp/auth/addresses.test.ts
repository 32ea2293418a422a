import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authorizationAddress } from '../../../../src/mcp/auth/addresses.js';
import { TestAuthority, TestResource } from '../../../support/mcp/auth-server.js';
import { failure, target, Window } from './window.js';

const HOSTILE = [
  'http://x/$(calc)',
  'https://x/$(calc)',
  'a:b',
  'file:///etc/passwd',
  '\\\\host\\share',
  'javascript:alert(1)',
  'vscode://gnomon.gnomon/prompt?text=x',
  'https://user:password@host/',
  'https://x/`calc`',
  'https://x/a b',
  'https://x/\u0000',
  'https://x/a\nb',
  'https://x/;calc',
  'https://x/|calc',
  'https://x/"',
  "https://x/'",
  'https://x/#part',
  'https://\u0445.example/',
  'http://169.254.169.254/',
  '',
  `https://x/${'a'.repeat(9_000)}`,
];

describe('M-36, conf-14: the page to sign in on', () => {
  it.each(HOSTILE)('is refused as %j', (text) => {
    expect(() => authorizationAddress(text, true)).toThrow(expect.objectContaining({ kind: 'refused' }));
  });

  it.each([
    'https://login.example/authorize',
    'https://login.example:8443/oauth2/v2.0/authorize?tenant=a-b&prompt=x%20y',
    'https://[2001:db8::1]/authorize',
    'http://127.0.0.1:8080/authorize',
    'http://localhost/authorize',
  ])('can be %s', (text) => {
    expect(authorizationAddress(text, true).href).toBe(text);
  });

  it.each(['http://127.0.0.1:8080/authorize', 'https://localhost/authorize', 'https://[::1]/authorize'])('is not %s for a server elsewhere', (text) => {
    expect(() => authorizationAddress(text, false)).toThrow(expect.objectContaining({ kind: 'refused' }));
  });
});

describe('M-36: a server that names a hostile page', () => {
  let authority: TestAuthority;
  let resource: TestResource;
  let started = 0;
  const count = (): void => void (started += 1);

  beforeEach(async () => {
    started = 0;
    // Node tells of each process that anything starts.
    subscribe('child_process', count);
    authority = await TestAuthority.start();
    resource = await TestResource.start(authority);
  });

  afterEach(async () => {
    unsubscribe('child_process', count);
    await resource.close();
    await authority.close();
  });

  it('would be found out if it started a process', async () => {
    await new Promise((done) => spawn(process.execPath, ['--version']).once('close', done));
    expect(started).toBe(1);
  });

  // The schema of the SDK removes line breaks, and what remains is a plain address.
  it.each(HOSTILE.filter((text) => !text.includes('\n')))('%j: nothing is opened, asked or started', async (page) => {
    authority.behavior.metadata = { authorization_endpoint: page };
    const window = new Window();
    await expect(failure(window.signIn(target(resource.url)))).resolves.toMatchObject({ name: 'McpError' });
    expect([window.questions, window.opened, window.receivers]).toEqual([[], [], []]);
    expect(started).toBe(0);
  });

  it('opens a good page without starting a process of its own', async () => {
    const window = new Window();
    await window.signIn(target(resource.url));
    expect(window.opened).toHaveLength(1);
    expect(started).toBe(0);
  });
});
