import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/config/settings/read-settings.js';
import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';

const USER: ConfigOrigin = { layer: 'user', file: '/h/.gnomon/settings.json', display: '~/.gnomon/settings.json' };
const PROJECT: ConfigOrigin = { layer: 'project', file: '/w/.claude/settings.json', display: '.claude/settings.json', folder: '/w' };

/** The values of a file, and its problems as `key:line message`. */
function read(
  text: string,
  origin = USER,
): { readonly values: Readonly<Record<string, unknown>>; readonly problems: readonly string[]; readonly isDamaged: boolean } {
  const { values, problems, isDamaged } = readSettings(text, origin);
  return {
    values: Object.fromEntries([...values].map(([setting, { value }]) => [setting, value])),
    problems: problems.map(({ key, line, message }) => `${key}:${line ?? ''} ${message}`),
    isDamaged,
  };
}

describe('S-08: a settings file that is no object', () => {
  it.each([
    ['is empty', '', ': The file is empty.', false],
    ['is white space', ' \n\t', ': The file is empty.', false],
    ['is a byte order mark', '\uFEFF', ': The file is empty.', false],
    ['is null', 'null', ':1 The file must contain an object in braces.', true],
    ['is a list', '[]', ':1 The file must contain an object in braces.', true],
    ['is a text', '"x"', ':1 The file must contain an object in braces.', true],
    ['is cut off', '{ "maxRounds": 5', ':1 The file is not valid JSON: a closing bracket is missing.', true],
    ['is 10,000 objects in each other', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), ': The file is nested more than 200 levels deep.', true],
    ['is 10,000 lists in each other', `{ "model": ${'['.repeat(10_000)}${']'.repeat(10_000)} }`, ': The file is nested more than 200 levels deep.', true],
  ])('says that it %s, and sets nothing', (_what, text, problem, isDamaged) => {
    expect(read(text)).toEqual({ values: {}, problems: [problem], isDamaged });
  });
});

describe('S-01: the switch of Claude Code for summaries', () => {
  it('is a percentage: none, or the one that Gnomon comes with', async () => {
    const { contributes } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> } };
    };
    expect(read('{ "autoCompactEnabled": false }')).toEqual({ values: { 'gnomon.autoCompactThreshold': 0 }, problems: [], isDamaged: false });
    expect(read('{ "autoCompactEnabled": true }').values).toEqual({
      'gnomon.autoCompactThreshold': contributes.configuration.properties['gnomon.autoCompactThreshold']?.default,
    });
    expect(read('{ "autoCompactEnabled": null }')).toEqual({ values: {}, problems: [], isDamaged: false });
    expect(read('{ "autoCompactEnabled": "false" }').problems).toEqual([
      'autoCompactEnabled:1 The value "false" of the setting autoCompactEnabled has the wrong type and is ignored.',
    ]);
  });
});

describe('S-08: a value that cannot be used', () => {
  it.each<[unknown, string]>([
    [{ model: 5 }, 'model:1 The value 5 of the setting model has the wrong type and is ignored.'],
    [{ model: ['opus'] }, 'model:1 The value ["opus"] of the setting model has the wrong type and is ignored.'],
    [{ maxRounds: '5' }, 'maxRounds:1 The value "5" of the setting maxRounds has the wrong type and is ignored.'],
    [{ maxRounds: 0 }, 'maxRounds:1 The setting maxRounds is 0, but must be at least 1.'],
    [{ maxTurns: 1.5 }, 'maxTurns:1 The value 1.5 of the setting maxTurns has the wrong type and is ignored.'],
    [{ effortLevel: 'much' }, 'effortLevel:1 The setting effortLevel is "much", but must be one of: off, minimal, low, medium, high, xhigh, max.'],
    [{ includeSelection: 'false' }, 'includeSelection:1 The value "false" of the setting includeSelection has the wrong type and is ignored.'],
    [{ instructions: { otherTools: {} } }, 'instructions.otherTools:1 The value {} of the setting instructions.otherTools has the wrong type and is ignored.'],
    [{ providers: [] }, 'providers:1 The value [] of the setting providers has the wrong type and is ignored.'],
    [{ outputStyle: '../../x' }, 'outputStyle:1 The value "../../x" of the setting outputStyle has an invalid format.'],
  ])('is reported, and loses nothing else: %j', (wrong, problem) => {
    expect(read(JSON.stringify({ ...(wrong as object), improveTitles: false }))).toEqual({
      values: { 'gnomon.improveTitles': false },
      problems: [problem],
      isDamaged: false,
    });
  });

  it.each(['yolo', '', 'BypassPermissions', 5, {}, ['plan']])(
    'a mode that there is not, %j, asks where the user means Gnomon, and changes nothing in a workspace',
    (defaultMode) => {
      const text = JSON.stringify({ permissions: { defaultMode }, maxTurns: 3 });
      expect(read(text)).toMatchObject({
        values: { 'gnomon.permissionMode': 'ask', 'gnomon.maxTurns': 3 },
        problems: [expect.stringContaining('Until this is fixed, new chats use “ask”.')],
      });
      expect(read(text, PROJECT).values).toEqual({ 'gnomon.maxTurns': 3 });
      expect(read(text, PROJECT).problems).toHaveLength(1);
    },
  );

  it.each([true, false, 'disabled', '', [], 1])('what is said of bypassing permissions and is no such word, %j, takes the mode away, from any file', (said) => {
    for (const origin of [undefined, PROJECT]) {
      const { values, problems } = read(JSON.stringify({ permissions: { disableBypassPermissionsMode: said } }), origin);
      expect(values).toEqual({ 'gnomon.bypassPermissionsMode': 'disable' });
      expect(problems).toEqual([
        `permissions.disableBypassPermissionsMode:1 The setting permissions.disableBypassPermissionsMode is ${JSON.stringify(said)}, but must be one of: allow, disable. Until this is fixed, permissions cannot be bypassed.`,
      ]);
    }
  });

  it('a mode that only Claude Code has is the usual one', () => {
    for (const defaultMode of ['auto', 'delegate', 'dontAsk', 'manual'])
      expect(read(JSON.stringify({ permissions: { defaultMode } }))).toMatchObject({ values: { 'gnomon.permissionMode': 'default' }, problems: [] });
  });

  it('null, and a model that is none in particular, leave it to the next layer', () => {
    expect(read('{ "model": null, "maxRounds": null, "permissions": null, "instructions": { "otherTools": null } }')).toEqual({
      values: {},
      problems: [],
      isDamaged: false,
    });
    for (const model of ['', 'default', 'Inherit', ' auto ']) expect(read(JSON.stringify({ model }))).toEqual({ values: {}, problems: [], isDamaged: false });
  });
});

describe('S-08: a key that is there twice', () => {
  it('is reported, and the last one counts', () => {
    expect(read('{ "model": "a",\n"model": "b" }')).toMatchObject({
      values: { 'gnomon.model': 'b' },
      problems: ['model:2 “model” is there more than once. The last one counts, unless it permits more.'],
    });
  });

  it.each<[string, string, unknown]>([
    ['{ "maxCostUsd": 1, "maxCostUsd": 0 }', 'gnomon.maxCostUsd', 1],
    ['{ "maxCostUsd": 5, "maxCostUsd": 1 }', 'gnomon.maxCostUsd', 1],
    ['{ "maxRounds": 5, "maxRounds": "5" }', 'gnomon.maxRounds', 5],
    ['{ "permissions": { "defaultMode": "plan" }, "permissions": { "defaultMode": "bypassPermissions" } }', 'gnomon.permissionMode', 'plan'],
    ['{ "permissions": { "defaultMode": "default" }, "permissions.defaultMode": "acceptEdits" }', 'gnomon.permissionMode', 'default'],
    ['{ "includeSelection": false, "includeSelection": true }', 'gnomon.includeSelection', false],
    ['{ "permissions": { "disableBypassPermissionsMode": "disable", "disableBypassPermissionsMode": "allow" } }', 'gnomon.bypassPermissionsMode', 'disable'],
  ])('does not permit more by that: %s', (text, setting, value) => {
    expect(read(text).values[setting]).toBe(value);
    expect(read(text).problems).toHaveLength(1);
  });

  it('of the switch and the percentage for summaries, the percentage counts', () => {
    expect(read('{ "autoCompactEnabled": false, "autoCompactThreshold": 70 }')).toMatchObject({
      values: { 'gnomon.autoCompactThreshold': 70 },
      problems: [expect.stringContaining('are the same setting. Delete one of them.')],
    });
  });

  it('under the name of Claude Code as well, the name of Gnomon counts', () => {
    for (const text of ['{ "effortLevel": "low", "thinkingEffort": "high" }', '{ "thinkingEffort": "high", "effortLevel": "low" }']) {
      expect(read(text)).toMatchObject({
        values: { 'gnomon.thinkingEffort': 'high' },
        problems: [expect.stringContaining('are the same setting. Delete one of them.')],
      });
    }
  });
});

describe('a settings file', () => {
  it('S-05: has a line for every value', () => {
    const { values } = readSettings('{\n  // The team’s.\n  "model": "opus",\n  "permissions": {\n    "defaultMode": "plan"\n  }\n}', PROJECT);
    expect([...values].map(([setting, { line }]) => [setting, line])).toEqual([
      ['gnomon.model', 3],
      ['gnomon.permissionMode', 5],
    ]);
  });

  it('S-08: with names of prototypes in it changes nothing but itself', () => {
    const text =
      '{ "__proto__": { "model": "evil" }, "constructor": 1, "permissions": { "__proto__": {}, "defaultMode": "plan" }, "providers": { "__proto__": { "baseUrl": "https://a.example" } } }';
    const { values, problems } = read(text);
    expect(values).toMatchObject({ 'gnomon.permissionMode': 'plan' });
    expect(values['gnomon.model']).toBeUndefined();
    expect(Object.keys(values['gnomon.providers'] as object)).toEqual(['__proto__']);
    expect([problems, 'baseUrl' in {}]).toEqual([[], false]);
  });
});
