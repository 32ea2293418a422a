import { describe, expect, it } from 'vitest';
import { narrowMode } from '../../../src/domain/tool/narrow-mode.js';
import { PERMISSION_MODES } from '../../../src/domain/tool/permission.js';

describe('the mode of an agent', () => {
  it('S-24: is never less strict than that of the chat', () => {
    const order = ['bypassPermissions', 'acceptEdits', 'default'] as const;
    for (const chat of order) {
      expect(narrowMode(chat, undefined)).toBe(chat);
      for (const wanted of order) expect(narrowMode(chat, wanted)).toBe(order[Math.max(order.indexOf(chat), order.indexOf(wanted))]);
      for (const wanted of ['ask', 'plan'] as const) expect(narrowMode(chat, wanted)).toBe(wanted);
    }
    for (const wanted of PERMISSION_MODES) {
      // Plan mode reads without asking, and the mode that always asks changes things when it is allowed to.
      expect(narrowMode('ask', wanted)).toBe('ask');
      expect(narrowMode('plan', wanted)).toBe('plan');
    }
  });
});
