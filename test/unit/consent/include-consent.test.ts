import { describe, expect, it } from 'vitest';
import { INCLUDE_DECISIONS, WindowIncludeConsent } from '../../../src/consent/include-consent.js';
import { MemoryLog } from '../engine/rig.js';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import { ScriptedDialogs } from './rig.js';

const store = () => new MemoryApprovals().of(INCLUDE_DECISIONS);

describe('files from outside that instructions include', () => {
  it('are allowed or not as the user says, also in the next window', async () => {
    const memory = store();
    const dialogs = new ScriptedDialogs('Allow', 'Don’t Allow');
    const consent = new WindowIncludeConsent(dialogs, memory, new MemoryLog());
    expect(consent.allows('/x/style.md')).toBeUndefined();
    await consent.decide('AGENTS.md', '/x/style.md');
    await consent.decide('AGENTS.md', '/x/evil.md');
    const next = new WindowIncludeConsent(new ScriptedDialogs(), memory, new MemoryLog());
    expect([next.allows('/x/style.md'), next.allows('/x/evil.md'), next.allows('/x/other.md')]).toEqual([true, false, undefined]);
  });

  it('are asked about once in a window, and again when the user wants to be', async () => {
    const dialogs = new ScriptedDialogs(undefined, 'Allow');
    const consent = new WindowIncludeConsent(dialogs, store(), new MemoryLog());
    consent.ask('AGENTS.md', '/x/style.md');
    consent.ask('CLAUDE.md', '/x/style.md');
    await Promise.resolve();
    expect(dialogs.shown).toHaveLength(1);
    expect(consent.allows('/x/style.md')).toBeUndefined();
    await consent.decide('AGENTS.md', '/x/style.md');
    expect(consent.allows('/x/style.md')).toBe(true);
  });

  it('are not asked about by the dozen', async () => {
    const dialogs = new ScriptedDialogs();
    const consent = new WindowIncludeConsent(dialogs, store(), new MemoryLog());
    for (let number = 0; number < 100; number += 1) consent.ask('AGENTS.md', `/x/${number}.md`);
    await Promise.resolve();
    expect(dialogs.shown).toHaveLength(5);
  });

  it('are named with their hidden characters, and never as a link', async () => {
    const dialogs = new ScriptedDialogs('Don’t Allow');
    await new WindowIncludeConsent(dialogs, store(), new MemoryLog()).decide('AGENTS.md', '/x/[safe\u202e](command:evil).md');
    expect(JSON.stringify(dialogs.shown)).toContain('[safe\\\\u{202e}] (command:evil).md');
  });
});
