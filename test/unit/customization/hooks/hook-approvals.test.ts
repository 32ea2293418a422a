import { describe, expect, it } from 'vitest';
import type { HookDefinition, HookDialect } from '../../../../src/domain/hook/definition.js';
import { HookApprovals } from '../../../../src/customization/hooks/hook-approvals.js';
import { HOOK_APPROVALS } from '../../../../src/hook/approval.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

function hookOf(dialect: HookDialect, display: string): HookDefinition {
  return {
    event: 'PreToolUse',
    handler: { type: 'command', command: './check.sh' },
    timeoutMs: 1_000,
    dialect,
    origin: { layer: 'user', file: `/home/me/${display}`, display: `~/${display}` },
  };
}

describe('hooks of the user', () => {
  it('run at once where they are in settings, and once approved where they were set up for Cursor or Copilot', async () => {
    const approvals = new HookApprovals({ trusted: () => true, folders: () => [], home: temporaryFolder(), store: new MemoryApprovals().of(HOOK_APPROVALS) });
    const all = [hookOf('claude', '.claude/settings.json'), hookOf('cursor', '.cursor/hooks.json'), hookOf('copilot', '.copilot/hooks/a.json')];
    expect((await approvals.runnable(all, all)).map(({ dialect }) => dialect)).toEqual(['claude']);
    for (const listed of await approvals.list(all, all)) if (listed.standing.state === 'new') await approvals.approve(listed);
    expect(await approvals.runnable(all, all)).toEqual(all);
  });
});
