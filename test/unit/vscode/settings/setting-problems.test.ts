import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SettingShape } from '../../../../src/vscode/settings/setting-problems.js';
import { settingProblems } from '../../../../src/vscode/settings/setting-problems.js';

interface Setting extends SettingShape {
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enumDescriptions?: readonly string[];
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}
const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { contributes: { configuration: { properties: Record<string, Setting> } } };
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
    ['gnomon.permissionMode', 'yolo', 'The setting gnomon.permissionMode is "yolo", but must be one of: default, acceptEdits, plan, ask, bypassPermissions.'],
    ['gnomon.notifications', 'ALL', 'The setting gnomon.notifications is "ALL", but must be one of: off, needsYou, all.'],
    ['gnomon.maxRounds', 0, 'The setting gnomon.maxRounds is 0, but must be at least 1.'],
    ['gnomon.maxRounds', 2.5, 'The value 2.5 of the setting gnomon.maxRounds has the wrong type and is ignored.'],
    ['gnomon.maxRetries', 21, 'The setting gnomon.maxRetries is 21, but must be at most 20.'],
    ['gnomon.maxCostUsd', '5', 'The value "5" of the setting gnomon.maxCostUsd has the wrong type and is ignored.'],
    ['gnomon.improveTitles', 'yes', 'The value "yes" of the setting gnomon.improveTitles has the wrong type and is ignored.'],
    ['gnomon.model', 'sonnet', 'The value "sonnet" of the setting gnomon.model has an invalid format.'],
    ['gnomon.anthropic.baseUrl', 'models.example.com', 'The value "models.example.com" of the setting gnomon.anthropic.baseUrl has an invalid format.'],
    ['gnomon.permissions.allow', 'Bash(ls)', 'The value "Bash(ls)" of the setting gnomon.permissions.allow has the wrong type and is ignored.'],
    ['gnomon.models', { id: 'x' }, 'The value {"id":"x"} of the setting gnomon.models has the wrong type and is ignored.'],
    ['gnomon.providers', [], 'The value [] of the setting gnomon.providers has the wrong type and is ignored.'],
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
