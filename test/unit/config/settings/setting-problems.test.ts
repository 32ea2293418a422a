import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SettingShape, settingProblems } from '../../../../src/config/settings/setting-problems.js';
import { says } from '../../../support/wording.js';

interface Setting extends SettingShape {
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enumDescriptions?: readonly string[];
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}
const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, Setting> } };
};
const { properties } = manifest.contributes.configuration;

/** What is wrong when the person has set this. */
function wrong(key: string, value: unknown): readonly string[] {
  return settingProblems(properties, (asked) => (asked === key ? value : properties[asked]?.default));
}

describe('every setting', () => {
  it.each(Object.entries(properties))('%s is described, and says which values it takes', (_, setting) => {
    expect(setting.description ?? setting.markdownDescription ?? '').not.toBe('');
    expect(['application', 'resource']).toContain(setting.scope);
    expect(setting.default).toBeDefined();
    if (setting.enum !== undefined) expect(setting.enumDescriptions).toHaveLength(setting.enum.length);
    const bounds: Readonly<Record<string, unknown>> = {
      string: setting.enum ?? setting.pattern,
      integer: setting.minimum,
      number: setting.minimum,
      array: setting.items,
      object: setting.additionalProperties,
      boolean: true,
    };
    expect(bounds[setting.type ?? '']).toBeDefined();
  });

  it('has a value that can be used unless it is set', () => {
    expect(settingProblems(properties, (key) => properties[key]?.default)).toEqual([]);
    expect(settingProblems(properties, () => undefined)).toEqual([]);
  });
});

describe('a wrong value is told', () => {
  it.each([
    ['gnomon.permissionMode', 'yolo', says('settingMustBeOneOf', 'gnomon.permissionMode', '"yolo"', 'default, acceptEdits, plan, ask, bypassPermissions')],
    ['gnomon.notifications', 'ALL', says('settingMustBeOneOf', 'gnomon.notifications', '"ALL"', 'off, needsYou, all')],
    ['gnomon.maxRounds', 0, says('settingTooSmall', 'gnomon.maxRounds', 0, 1)],
    ['gnomon.maxRounds', 2.5, says('settingOfWrongType', 'gnomon.maxRounds', '2.5')],
    ['gnomon.maxRetries', 21, says('settingTooLarge', 'gnomon.maxRetries', 21, 20)],
    ['gnomon.maxCostUsd', '5', says('settingOfWrongType', 'gnomon.maxCostUsd', '"5"')],
    ['gnomon.improveTitles', 'yes', says('settingOfWrongType', 'gnomon.improveTitles', '"yes"')],
    ['gnomon.model', 'sonnet', says('settingOfWrongFormat', 'gnomon.model', '"sonnet"')],
    ['gnomon.anthropic.baseUrl', 'models.example.com', says('settingOfWrongFormat', 'gnomon.anthropic.baseUrl', '"models.example.com"')],
    ['gnomon.permissions.allow', 'Bash(ls)', says('settingOfWrongType', 'gnomon.permissions.allow', '"Bash(ls)"')],
    ['gnomon.models', { id: 'x' }, says('settingOfWrongType', 'gnomon.models', '{"id":"x"}')],
    ['gnomon.providers', [], says('settingOfWrongType', 'gnomon.providers', '[]')],
  ])('%s: %j', (key, value, text) => {
    expect(wrong(key, value)).toEqual([text]);
  });

  it('shortened when it is long', () => {
    expect(wrong('gnomon.model', 'x'.repeat(5_000))[0]?.length).toBeLessThan(200);
  });

  it.each([
    ['gnomon.model', 'anthropic/claude-sonnet-5-5'],
    ['gnomon.model', 'openrouter/qwen/qwen3:free'],
    ['gnomon.anthropic.baseUrl', 'http://localhost:8080/v1'],
    ['gnomon.maxCostUsd', 0.5],
  ])('and a right one is not: %s: %j', (key, value) => {
    expect(wrong(key, value)).toEqual([]);
  });
});
