import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MCP_STATUSES } from '../../../src/domain/mcp/server.js';
import type { McpField } from '../../../src/domain/mcp/request.js';
import type { ServerRow } from '../../../src/protocol/servers.js';
import { diffLines } from '../../../webview/state/diff/diff-lines.js';
import { consentText } from '../../../webview/state/servers/consent-text.js';
import { firstDraft, looksSecret, valueOf } from '../../../webview/state/servers/form.js';
import { agentsLabel, mainAction, menuActions, serverLine, statusWord } from '../../../webview/state/servers/server-labels.js';
import { sideRows } from '../../../webview/state/diff/side-rows.js';
import { isWebPage, urlFlags } from '../../../webview/state/servers/url-flags.js';
import { hasHidden } from '../../../webview/state/approval/visible-text.js';
import { changedConsent, consent, serverRow } from '../../support/panel-host/servers-scenes.js';
import { says } from '../../support/wording.js';

const connected = serverRow('a', { status: 'connected', tools: { all: 3, on: 3, changed: 0, refused: 0 }, prompts: 1, resources: 2 });

describe('a server in words', () => {
  test('M-02: each state has a word of its own', () => {
    expect(new Set(MCP_STATUSES.map(statusWord)).size).toBe(MCP_STATUSES.length);
  });

  test.each<[Partial<ServerRow>, string, ReturnType<typeof mainAction>]>([
    [{ waitsFor: 'trust' }, says('serverNeedsTrust'), 'manage_trust'],
    [{ waitsFor: 'approval' }, says('serverWaitsForApproval'), 'approve'],
    [{ waitsFor: 'changed' }, says('serverChanged'), 'review'],
    [{ waitsFor: 'input' }, 'It needs a value that only you know.', 'enter_value'],
    [{ waitsFor: 'agent' }, 'It starts when a chat works with its agent.', undefined],
    [{ waitsFor: 'start' }, 'It starts when a chat needs it.', 'start'],
    [{ waitsFor: 'connecting' }, 'Connecting…', undefined],
    [{ waitsFor: 'restart', problem: 'Exit code 1.' }, 'It ended and will be started again. Exit code 1.', 'restart'],
    [{ status: 'failed', problem: 'Exit code 1.' }, 'Exit code 1.', 'restart'],
    [{ status: 'needs-auth' }, 'Sign in to use it.', 'sign_in'],
    [{ status: 'disabled' }, 'It does not start.', 'enable'],
    [connected, '3 tools · 1 prompt · 2 resources', undefined],
    [{ ...connected, hasMore: true }, 'More is bound than when you approved it · 3 tools · 1 prompt · 2 resources', 'review_more'],
    [{ waitsFor: 'start', hasMore: true }, 'It starts when a chat needs it.', 'review_more'],
    [{ waitsFor: 'changed', hasMore: true }, says('serverChanged'), 'review'],
    [{ ...connected, tools: { all: 3, on: 2, changed: 1, refused: 0 } }, '1 tool changed since you accepted it.', 'review_tools'],
  ])('%j says “%s” and offers %s', (over, line, action) => {
    const row = serverRow('a', over);
    expect(serverLine(row, true)).toBe(line);
    expect(mainAction(row, true)).toBe(action);
  });

  test.each(['approval', 'changed', 'trust'] as const)('M-30: nothing that waits for %s can be approved in an untrusted workspace', (waitsFor) => {
    const row = serverRow('a', { waitsFor });
    expect(serverLine(row, false)).toBe(says('serverNeedsTrust'));
    expect(mainAction(row, false)).toBe('manage_trust');
    expect(menuActions(row, false)).not.toContain('start');
  });

  test('S-24: says which agents alone have it', () => {
    const of = (...agents: readonly string[]): ServerRow => serverRow('a', { source: { display: 'a.md', scope: 'workspace', agents: [...agents] } });
    expect([serverRow('a'), of('reviewer'), of('reviewer', 'tester')].map(agentsLabel)).toEqual([
      '',
      'Only for the agent reviewer',
      'Only for the agents reviewer, tester',
    ]);
  });

  test('the menu has what the state allows, and not what the button does', () => {
    expect(menuActions({ ...connected, signedIn: true, approved: true }, true)).toEqual([
      'stop',
      'restart',
      'disable',
      'sign_out',
      'show_log',
      'copy_report',
      'revoke',
      'open_source',
    ]);
    expect(menuActions(serverRow('a', { waitsFor: 'start', hasMore: true }), true)).toContain('start');
    expect(menuActions(serverRow('a', { status: 'disabled' }), true)).toEqual(['show_log', 'copy_report', 'open_source']);
    expect(menuActions(serverRow('a', { status: 'failed' }), true)).toEqual(['disable', 'show_log', 'copy_report', 'open_source']);
    expect(menuActions(serverRow('a', { waitsFor: 'approval' }), true)).not.toContain('start');
  });
});

describe('M-31: what changed, side by side', () => {
  test('what is removed stands beside what took its place', () => {
    const rows = sideRows(diffLines('@@ -1,4 +1,5 @@\n a\n-b\n-c\n+B\n d\n+e\n'));
    expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual([
      ['a', 'a'],
      ['b', 'B'],
      ['c', undefined],
      ['d', 'd'],
      [undefined, 'e'],
    ]);
  });

  test('no line is lost or turns up twice', () => {
    const line = fc.constantFrom('+x', '-y', ' z').chain((kind) => fc.nat().map((number) => `${kind}${number}`));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const all = diffLines(`@@ -1 +1 @@\n${lines.join('\n')}`);
        const rows = sideRows(all);
        const on = (side: 'before' | 'after', other: 'added' | 'removed'): unknown => [
          rows.flatMap((row) => row[side] ?? []),
          all.filter(({ kind }) => kind !== other),
        ];
        for (const [shown, whole] of [on('before', 'added'), on('after', 'removed')] as [unknown, unknown][]) expect(shown).toEqual(whole);
      }),
    );
  });

  test('what hides anywhere in it is found', () => {
    expect(hasHidden(consentText(consent))).toBe(false);
    expect(hasHidden(consentText(changedConsent))).toBe(true);
    for (const over of [{ command: 'n\u001Bode' }, { args: ['\u200B'] }, { env: ['A\u202E'] }, { url: 'https://a\u00AD' }])
      expect(hasHidden(consentText({ ...consent, ...over }))).toBe(true);
  });
});

describe('M-13: an address of a server', () => {
  test.each([
    ['https://example.com/pay', 0],
    ['http://example.com/pay', 1],
    ['https://example.com@evil.test/', 1],
    ['https://192.168.0.1/', 1],
    ['https://0x7f.1/', 1],
    ['https://[::1]/', 1],
    ['https://xn--pypal-4ve.com/', 1],
    ['https://pаypal.com/', 1],
    ['http://a@127.0.0.1/', 3],
  ])('%s can be opened, with %d things to mind', (url, flags) => {
    expect(isWebPage(url)).toBe(true);
    expect(urlFlags(url)).toHaveLength(flags);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x/y', 'command:x', 'data:text/html,x', 'x'])('%s cannot be opened, and says why', (url) => {
    expect(isWebPage(url)).toBe(false);
    expect(urlFlags(url)).toHaveLength(1);
  });
});

describe('M-12: a form while it is filled in', () => {
  const base = { name: 'f', required: false };

  test.each<[McpField, unknown, unknown]>([
    [{ ...base, type: 'text', default: 'x' }, 'x', 'x'],
    [{ ...base, type: 'text' }, '', undefined],
    [{ ...base, type: 'number', integer: true, default: 0 }, '0', 0],
    [{ ...base, type: 'number', integer: true }, '', undefined],
    [{ ...base, type: 'boolean' }, false, false],
    [{ ...base, type: 'choice', options: [], default: 'a' }, 'a', 'a'],
    [{ ...base, type: 'choices', options: [], default: ['a'] }, ['a'], ['a']],
    [{ ...base, type: 'choices', options: [] }, [], undefined],
  ])('%j begins with %j, which means %j', (field, draft, value) => {
    expect(firstDraft(field)).toEqual(draft);
    expect(valueOf(field, firstDraft(field))).toEqual(value);
  });

  test('what is no number stays what was typed, and is no value of a number', () => {
    expect(valueOf({ ...base, type: 'number', integer: false }, ' 1e3 ')).toBe(1_000);
    expect(valueOf({ ...base, type: 'number', integer: false }, 'ten')).toBe('ten');
    expect(valueOf({ ...base, type: 'number', integer: false }, '  ')).toBeUndefined();
  });

  test.each(['password', 'apiKey', 'API_KEY', 'access-token', 'clientSecret', 'userPIN', 'Card PIN', 'passphrase', 'pwd'])('%s looks like a secret', (name) => {
    expect(looksSecret({ name })).toBe(true);
    expect(looksSecret({ name: 'x', title: name })).toBe(true);
  });

  test.each(['title', 'pinned', 'tokenizer', 'secretary', 'spinner', 'keyboard'])('%s does not', (name) => {
    expect(looksSecret({ name })).toBe(false);
  });
});
