import { expect, it } from 'vitest';
import { LastHooks } from '../../../../src/config/hooks/last-hooks.js';
import { hookOf } from '../../hook/rig.js';

it('S-34 S-08: the hooks of a file with a mistake apply as they were before, and the report says so, until it is fixed or gone', () => {
  const origin = { layer: 'project' as const, file: '/ws/.claude/skills/a/SKILL.md', display: 'a', folder: '/ws' };
  const [old, other] = [hookOf('PreToolUse', { origin }), hookOf('Stop')];
  const hooks = new LastHooks();
  hooks.take(
    [
      { origin, hooks: [old] },
      { origin: other.origin, hooks: [other] },
    ],
    ['/ws/never-good'],
  );
  expect([hooks.all, hooks.problems]).toEqual([[old, other], []]);
  hooks.take([{ origin: other.origin, hooks: [] }], [origin.file]);
  expect([hooks.all, hooks.problems]).toMatchObject([[old], [{ file: origin.file, harmless: true }]]);
  // Read once more, it is still the same.
  hooks.take([], [origin.file]);
  expect(hooks.all).toEqual([old]);
  hooks.take([{ origin, hooks: [] }], []);
  expect([hooks.all, hooks.problems]).toEqual([[], []]);
  hooks.take([{ origin, hooks: [old] }], []);
  hooks.take([], []);
  expect(hooks.all).toEqual([]);
});
