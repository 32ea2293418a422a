import { describe, expect, it } from 'vitest';
import { BypassConfirmation } from '../../../src/consent/bypass-confirmation.js';
import { ScriptedDialogs } from './rig.js';

const YES = 'Bypass permissions';
const bypassWith = (
  dialogs: ScriptedDialogs,
  { works = () => true, disabledBy = () => undefined }: { readonly works?: () => boolean; readonly disabledBy?: () => string | undefined } = {},
): BypassConfirmation =>
  new BypassConfirmation({ dialogs, works, confirmed: false, settings: { bypassDisabledBy: disabledBy, onDidChange: () => () => undefined } });

describe('before permissions are bypassed', () => {
  it('asks once in the life of a window, and says what still holds', async () => {
    const dialogs = new ScriptedDialogs(YES);
    const bypass = bypassWith(dialogs);
    expect([await bypass.confirmBypass(), await bypass.confirmBypass()]).toEqual([true, true]);
    expect(dialogs.shown).toHaveLength(1);
    expect(dialogs.shown[0]?.kind).toBe('modal');
    for (const word of ['deny', 'ask', 'protected files', 'outside the workspace', 'hidden characters']) expect(dialogs.shown[0]?.detail).toContain(word);
  });

  it('does not take Cancel for a yes, and asks again then', async () => {
    const dialogs = new ScriptedDialogs(undefined, YES);
    const bypass = bypassWith(dialogs);
    expect([await bypass.confirmBypass(), await bypass.confirmBypass()]).toEqual([false, true]);
  });

  it('shows one question for two requests at once', async () => {
    const dialogs = new ScriptedDialogs(YES);
    const bypass = bypassWith(dialogs);
    expect(await Promise.all([bypass.confirmBypass(), bypass.confirmBypass()])).toEqual([true, true]);
    expect(dialogs.shown).toHaveLength(1);
  });

  it('conf-04: neither a setting nor a stored session begins in the mode before the person has confirmed it', async () => {
    const bypass = bypassWith(new ScriptedDialogs(YES));
    expect(bypass.startingMode('bypassPermissions')).toBe('default');
    for (const mode of ['default', 'acceptEdits', 'plan', 'ask'] as const) expect(bypass.startingMode(mode)).toBe(mode);
    await bypass.confirmBypass();
    expect(bypass.startingMode('bypassPermissions')).toBe('bypassPermissions');
  });

  it('conf-01: is not to be had in a workspace that is not trusted', async () => {
    let works = false;
    const dialogs = new ScriptedDialogs(undefined, YES);
    const bypass = bypassWith(dialogs, { works: () => works });
    expect(await bypass.confirmBypass()).toBe(false);
    expect(dialogs.shown[0]).toMatchObject({ choices: [] });
    works = true;
    expect(await bypass.confirmBypass()).toBe(true);
    works = false;
    expect([await bypass.confirmBypass(), bypass.startingMode('bypassPermissions')]).toEqual([false, 'default']);
  });

  it('S-02: is not to be had where settings disable it, also when they do so while the user is asked', async () => {
    let by: string | undefined = '.claude/settings.json';
    const dialogs = new ScriptedDialogs(undefined, YES);
    const bypass = bypassWith(dialogs, { disabledBy: () => by });
    expect(await bypass.confirmBypass()).toBe(false);
    expect(dialogs.shown[0]).toMatchObject({ detail: 'This mode is disabled in .claude/settings.json.', choices: [] });
    by = undefined;
    const asked = bypass.confirmBypass();
    by = '~/.gnomon/settings.json';
    expect([await asked, bypass.startingMode('bypassPermissions')]).toEqual([false, 'default']);
    by = undefined;
    expect([await bypass.confirmBypass(), bypass.startingMode('bypassPermissions')]).toEqual([true, 'bypassPermissions']);
  });
});
