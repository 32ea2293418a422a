import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SettingsFiles, isWholeSettings } from '../../../../src/consent/rules/settings-files.js';
import { brokenSettings, SETTINGS_PIECES } from '../../../support/worst-inputs.js';
import { says } from '../../../support/wording.js';

describe('whether settings can be read whole (conf-23)', () => {
  it.each([
    '',
    ' \n',
    '{}',
    '\uFEFF{ "a": 1 }',
    '// only a comment',
    '{ "a": "// no comment /* here */", /* one */ "b": [1, 2,], // two\n }',
    '{ "a": "an \\" escaped, ]", }',
    '{ "gnomon.permissions.deny": ["Bash(curl:*)",], }',
  ])('takes %j as VS Code does', (text) => {
    expect(isWholeSettings(text)).toBe(true);
  });

  it.each([
    '{',
    '{ "gnomon.permissions.deny": ["Bash(curl:*)" }',
    '{ "a": 1 "gnomon.permissions.deny": [] }',
    '{ "gnomon.permissions.deny": [Bash] }',
    '{ "a": "open }',
    '{ "a": 1 } }',
    '{ /* "a": 1 }',
    "{ 'a': 1 }",
    '{ "a": 1,, }',
  ])('sees that %j is broken', (text) => {
    expect(isWholeSettings(text)).toBe(false);
  });

  it('takes every JSON, however it is laid out', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => isWholeSettings(JSON.stringify(value, undefined, indent))));
  });

  it.each(SETTINGS_PIECES)('sees that 200 kB of %j are broken', (piece) => {
    expect(isWholeSettings(brokenSettings(piece))).toBe(false);
  });
});

describe('settings files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gnomon-settings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const WHOLE = '{ "gnomon.permissions.deny": ["Bash(curl:*)"] }';
  const BROKEN = '{ "gnomon.permissions.deny": ["Bash(curl:*)" }';

  it('conf-23: one with a syntax error is named until it is repaired', async () => {
    const path = join(folder, 'settings.json');
    const files = new SettingsFiles(() => [{ path, label: 'your user settings' }]);
    expect(await files.check()).toBe(false);
    await writeFile(path, BROKEN);
    expect([await files.check(), await files.check()]).toEqual([true, false]);
    expect(files.damage()).toEqual([says('syntaxErrorInRules', 'your user settings', path)]);
    expect(files.includes(path)).toBe(true);
    await writeFile(path, WHOLE);
    expect(await files.check()).toBe(true);
    expect(files.damage()).toEqual([]);
  });

  it('conf-23: one that is a link is read where it leads; one without rules is nobody’s concern', async () => {
    const [link, other] = [join(folder, 'link.json'), join(folder, 'other.json')];
    await writeFile(join(folder, 'real.json'), BROKEN);
    await symlink(join(folder, 'real.json'), link);
    await writeFile(other, '{ "editor.fontSize": }');
    const files = new SettingsFiles(() => [link, other, folder].map((path) => ({ path, label: 'settings' })));
    await files.check();
    expect(files.damage()).toHaveLength(1);
    expect(files.damage()[0]).toContain(link);
  });
});
