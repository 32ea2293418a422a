import { readFile } from 'node:fs/promises';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHookFile } from '../../../../src/config/hooks/read-hook-file.js';
import { readPermissions } from '../../../../src/config/permissions/read-permissions.js';
import { readSettings } from '../../../../src/config/settings/read-settings.js';
import { SETTING_KEYS } from '../../../../src/config/settings/setting-keys.js';
import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';
import { HOOK_EVENTS } from '../../../../src/domain/hook/event.js';

/** Events of agents that a chat starts: read, and never happening, so that nobody is offered them. */
const NOT_OFFERED = ['SubagentStart', 'SubagentStop'];
const handler = (over: Readonly<Record<string, unknown>>): unknown => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'a', ...over }] }] },
});
const VALID: readonly (readonly [string, unknown])[] = [
  ['nothing', {}],
  [
    'a hook with everything',
    handler({ args: ['x'], shell: 'bash', cwd: 'tools', env: { A: 'b' }, if: 'Bash(git push:*)', timeout: 1.5, onFailure: 'block', once: true }),
  ],
  [
    'an HTTP hook',
    { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'https://example.com/hook', headers: { Authorization: '$TOKEN' }, allowedEnvVars: ['TOKEN'] }] }] } },
  ],
  ['rules', { permissions: { allow: ['Bash(npm test)'], ask: [], deny: ['Read(.env)'] } }],
  [
    'settings',
    {
      model: 'opus',
      effortLevel: 'xhigh',
      outputStyle: 'Brief',
      systemPromptAddition: 'Be\nbrief.',
      maxRounds: 5,
      maxTurns: 0,
      maxCostUsd: 0.5,
      autoCompactThreshold: 80,
      includeSelection: false,
      improveTitles: true,
    },
  ],
  [
    'settings in objects',
    {
      permissions: { defaultMode: 'plan' },
      instructions: { otherTools: true, user: false },
      anthropic: { baseUrl: 'https://models.example' },
      webSearch: { searxngUrl: '' },
      providers: { mine: {} },
      models: [{}],
    },
  ],
  ['a switch of Claude Code', { autoCompactEnabled: false }],
  ['a mode of Claude Code', { permissions: { defaultMode: 'dontAsk' } }],
  ['that permissions cannot be bypassed', { permissions: { disableBypassPermissionsMode: 'disable' } }],
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
  ['an unknown mode', { permissions: { defaultMode: 'yolo' } }],
  ['a switch where there is a word', { permissions: { disableBypassPermissionsMode: true } }],
  ['a model that is a number', { model: 4 }],
  ['an unknown effort', { thinkingEffort: 'much' }],
  ['an output style that is a path', { outputStyle: '../x' }],
  ['rounds that are none', { maxRounds: 0 }],
  ['part of a turn', { maxTurns: 1.5 }],
  ['a negative limit', { maxCostUsd: -1 }],
  ['a limit in quotes', { maxCostUsd: '5' }],
  ['more than 95 percent', { autoCompactThreshold: 99 }],
  ['a switch in quotes', { includeSelection: 'false' }],
  ['a percentage for a switch', { autoCompactEnabled: 80 }],
  ['an address that is none of the web', { anthropic: { baseUrl: 'ftp://models.example' } }],
  ['providers in a list', { providers: [] }],
  ['models in an object', { models: {} }],
];

const ORIGIN: ConfigOrigin = { layer: 'user', file: '/f', display: 'f' };

/** Whether Gnomon itself finds nothing wrong with it. */
function isRead(value: unknown): boolean {
  const text = JSON.stringify(value);
  const { problems } = readHookFile(text, 'settings', { origin: ORIGIN, platform: 'linux' });
  const rules = readPermissions(text, 'f');
  const lists = Object.values(rules.lists).every((list) => list === undefined || Array.isArray(list));
  const all = [...problems, ...readSettings(text, ORIGIN).problems];
  return rules.damage === undefined && lists && all.every(({ harmless }) => harmless === true);
}

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

function propertyOf(schema: object | undefined, name: string): Described | undefined {
  const described: Described | undefined = schema;
  return described?.properties?.[name];
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

  it.each(SETTING_KEYS.flatMap(({ names }) => names))('describes %s, and nothing but what is read', (name) => {
    const [group, inner] = name.split('.');
    const found = group === undefined ? undefined : propertyOf(schema, group);
    const property = inner === undefined ? found : propertyOf(found, inner);
    expect(property?.description ?? '').toMatch(/^[A-Z].*\.$/);
  });

  it('the documentation says of every setting what a workspace may do with it', async () => {
    const rows = (await readFile('docs/configuration.md', 'utf8')).split('\n').filter((line) => line.startsWith('| `'));
    const words = { trusted: /\| after trust \|$/, stricter: /\| only [^|]+ \|$/, never: /\| never \|$/ };
    for (const { names, workspace } of SETTING_KEYS)
      for (const name of names) expect(rows.filter((row) => row.split('|')[1]?.includes(`\`${name}\``))).toEqual([expect.stringMatching(words[workspace])]);
  });

  it('knows no setting that is not read', () => {
    const { properties } = schema as Described;
    const known = new Set(SETTING_KEYS.flatMap(({ names }) => names.map((name) => name.split('.')[0])));
    expect(Object.keys(properties ?? {}).filter((name) => !known.has(name))).toEqual(['$schema', 'disableAllHooks', 'allowedHttpHookUrls', 'hooks']);
  });

  it.each(SETTING_KEYS.filter(({ names: [name] }) => name !== 'model'))('$setting has the same shape in files as in VS Code', async ({ setting, shape }) => {
    const { contributes } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> } };
    };
    const { type, enum: values, minimum, maximum, pattern } = contributes.configuration.properties[setting] ?? {};
    expect({ ...shape }).toEqual(
      Object.fromEntries(Object.entries({ type, enum: values, minimum, maximum, pattern }).filter(([, value]) => value !== undefined)),
    );
  });

  it('knows every event that happens', () => {
    const { properties } = schema as { readonly properties: { readonly hooks: { readonly properties: Readonly<Record<string, unknown>> } } };
    expect(Object.keys(properties.hooks.properties).sort()).toEqual(HOOK_EVENTS.filter((event) => !NOT_OFFERED.includes(event)).sort());
  });
});
