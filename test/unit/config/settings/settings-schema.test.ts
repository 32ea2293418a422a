import { readFile } from 'node:fs/promises';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHookFile } from '../../../../src/config/hooks/read-hook-file.js';
import { readPermissions } from '../../../../src/config/permissions/read-permissions.js';
import { HOOK_EVENTS } from '../../../../src/domain/hook/event.js';

/** Events of agents that a chat starts: read, and never happening, so that nobody is offered them. */
const NOT_OFFERED = ['SubagentStart', 'SubagentStop'];
const handler = (over: Readonly<Record<string, unknown>>): unknown => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'a', ...over }] }] } });
const VALID: readonly (readonly [string, unknown])[] = [
  ['nothing', {}],
  ['a hook with everything', handler({ args: ['x'], shell: 'bash', cwd: 'tools', env: { A: 'b' }, if: 'Bash(git push:*)', timeout: 1.5, onFailure: 'block', once: true })],
  ['an HTTP hook', { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'https://example.com/hook', headers: { Authorization: '$TOKEN' }, allowedEnvVars: ['TOKEN'] }] }] } }],
  ['rules', { permissions: { allow: ['Bash(npm test)'], ask: [], deny: ['Read(.env)'] } }],
  ['addresses of hooks', { allowedHttpHookUrls: ['https://hooks.example.com/*', '*://*.example.com:8080/a?b=*', '*'] }],
  ['no address of hooks', { allowedHttpHookUrls: [] }],
  ['fields of other programs', { model: 'opus', env: { A: 'b' }, statusLine: {} }],
];
const WRONG: readonly (readonly [string, unknown])[] = [
  ['a list for the file', []],
  ['a time limit of 0', handler({ timeout: 0 })],
  ['a time limit in quotes', handler({ timeout: '60' })],
  ['an empty command', handler({ command: '' })],
  ['no command', { hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }],
  ['an unknown type', handler({ type: 'prompt' })],
  ['an unknown onFailure', handler({ onFailure: 'ignore' })],
  ['no list of groups', { hooks: { PreToolUse: {} } }],
  ['no list of handlers', { hooks: { PreToolUse: [{ matcher: 'Bash' }] } }],
  ['an address that is none', { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'file:///etc/passwd' }] }] } }],
  ['rules that are no list', { permissions: { deny: 'Read(.env)' } }],
  ['addresses of hooks that are no list', { allowedHttpHookUrls: 'https://example.com' }],
  ['an address of hooks without a scheme', { allowedHttpHookUrls: ['example.com/*'] }],
  ['an address of hooks with a user', { allowedHttpHookUrls: ['https://a@example.com/*'] }],
  ['disableAllHooks in quotes', { disableAllHooks: 'true' }],
];

/** Whether Gnomon itself finds nothing wrong with it. */
function isRead(value: unknown): boolean {
  const text = JSON.stringify(value);
  const { problems } = readHookFile(text, 'settings', { origin: { layer: 'user', file: '/f', display: 'f' }, platform: 'linux' });
  const rules = readPermissions(text, 'f');
  const lists = Object.values(rules.lists).every((list) => list === undefined || Array.isArray(list));
  return rules.damage === undefined && lists && problems.every(({ harmless }) => harmless === true);
}

describe('S-08: the schema with which VS Code checks settings files', () => {
  let schema: object;
  const isValid = (value: unknown): boolean => new AjvJsonSchemaValidator().getValidator(schema)(value).valid;

  beforeAll(async () => {
    schema = JSON.parse(await readFile('media/schemas/settings.schema.json', 'utf8')) as object;
  });

  it.each(VALID)('accepts what is read: %s', (_what, value) => {
    expect([isValid(value), isRead(value)]).toEqual([true, true]);
  });

  it.each(WRONG)('finds what is not: %s', (_what, value) => {
    expect([isValid(value), isRead(value)]).toEqual([false, false]);
  });

  it('knows every event that happens', () => {
    const { properties } = schema as { readonly properties: { readonly hooks: { readonly properties: Readonly<Record<string, unknown>> } } };
    expect(Object.keys(properties.hooks.properties).sort()).toEqual(HOOK_EVENTS.filter((event) => !NOT_OFFERED.includes(event)).sort());
  });
});
