import { describe, expect, it } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import { PERMISSION_MODES, type PermissionMode } from '../../../../src/domain/tool/permission.js';
import { followBypass } from '../../../../src/chat/conversation/follow-bypass.js';
import { modeChoices } from '../../../../src/chat/pane/choices.js';

describe('S-02: where settings disable the mode that bypasses permissions', () => {
  it.each(PERMISSION_MODES)('a chat in the mode %s has it no longer, and says so once', (first) => {
    const session: { mode: PermissionMode } = { mode: first };
    const told: string[] = [];
    const changed = new Signal();
    const settings: { by?: string } = {};
    const bypass = { disabledBy: () => settings.by, onDidChange: changed.subscribe };
    const stop = followBypass({ session, setMode: (mode) => void (session.mode = mode), notify: ({ text }) => void told.push(text) }, bypass);
    changed.emit();
    expect(session.mode).toBe(first);
    settings.by = '.claude/settings.json';
    changed.emit();
    changed.emit();
    const isBypass = first === 'bypassPermissions';
    expect([session.mode, told]).toEqual([
      isBypass ? 'acceptEdits' : first,
      isBypass ? ['The mode “Bypass permissions” is disabled in .claude/settings.json. This chat continues in the mode “Accept edits”.'] : [],
    ]);
    stop();
    session.mode = 'bypassPermissions';
    changed.emit();
    expect(session.mode).toBe('bypassPermissions');
  });

  it('it is listed with who disables it, and cannot be chosen', () => {
    expect(modeChoices().filter(({ disabled }) => disabled === true)).toEqual([]);
    expect(modeChoices('.claude/settings.json').filter(({ disabled }) => disabled === true)).toEqual([
      { id: 'bypassPermissions', label: 'Bypass permissions', description: 'This mode is disabled in .claude/settings.json.', disabled: true },
    ]);
  });
});
