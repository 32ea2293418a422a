import { describe, expect, test } from 'vitest';
import { validateHostMessage } from '../../../src/protocol/validate-host-message.js';
import { changedConsent, form, page, serverAnswer, servers } from '../../support/panel-host/servers-scenes.js';

describe('messages about servers', () => {
  test.each([
    { type: 'show_servers' },
    { type: 'servers', view: servers },
    serverAnswer({ type: 'load_server', id: 'github' }),
    serverAnswer({ type: 'inspect_server', id: 'github' }),
    serverAnswer({ type: 'load_server_imports' }),
    { type: 'server_consent', id: 'files', consent: changedConsent },
    { type: 'server_consent', id: 'files' },
    { type: 'elicitations', elicitations: [form, page('https://example.com')] },
  ])('%j is one', (message) => {
    expect(validateHostMessage(message)).toBe(message);
  });

  const [github] = servers.servers;
  test.each([
    ['two states at once', { type: 'servers', view: { ...servers, servers: [{ ...github, status: 'connected, failed' }] } }],
    ['no revision', { type: 'servers', view: { ...servers, servers: [{ ...github, revision: undefined }] } }],
    ['an icon that is no image of pixels', { type: 'server_icon', id: 'github', mimeType: 'image/svg+xml', data: new Uint8Array(3) }],
    [
      'a field of no type',
      {
        type: 'elicitations',
        elicitations: [{ id: 'e', server: 's', asked: { mode: 'form', message: '', fields: [{ name: 'a', required: true, type: 'file' }] } }],
      },
    ],
    ['an address that is none', { type: 'elicitations', elicitations: [{ id: 'e', server: 's', asked: { mode: 'url', message: '', url: 1, id: 'x' } }] }],
  ])('M-02: %s is none', (_, message) => {
    expect(validateHostMessage(message)).toBeUndefined();
  });
});
