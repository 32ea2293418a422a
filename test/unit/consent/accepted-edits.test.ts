import { expect, test } from 'vitest';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import { MemoryLog } from '../engine/rig.js';
import type { PermissionMode } from '../../../src/domain/tool/permission.js';
import { ACCEPTED_EDITS, AcceptedEdits, notTakenOver } from '../../../src/consent/accepted-edits.js';

/** What is kept, and sessions that begin a turn. */
function scene(usual: PermissionMode = 'default') {
  const approvals = new MemoryApprovals();
  const accepted = new AcceptedEdits(approvals.of(ACCEPTED_EDITS), () => usual, new MemoryLog());
  const inMode = (id: string, mode: PermissionMode): void => {
    const listeners: (() => void)[] = [];
    accepted.follow({ id, mode, onEvent: (listener) => (listeners.push(() => listener({ type: 'turn_started' })), () => undefined) });
    for (const listener of listeners) listener();
  };
  return { accepted, inMode, approvals };
}

test('the mode that accepts edits is taken over only where the person chose it, whatever the file of the session says', () => {
  const { accepted, inMode } = scene();
  expect(accepted.resumedMode('a', 'acceptEdits')).toBe('default');
  inMode('a', 'acceptEdits');
  expect([accepted.resumedMode('a', 'acceptEdits'), accepted.resumedMode('b', 'acceptEdits')]).toEqual(['acceptEdits', 'default']);
  expect([notTakenOver('acceptEdits', 'default').length, notTakenOver('acceptEdits', 'acceptEdits').length, notTakenOver('plan', 'plan').length]).toEqual([
    1, 0, 0,
  ]);
  inMode('a', 'plan');
  expect(accepted.resumedMode('a', 'acceptEdits')).toBe('default');
});

test('who bypassed permissions is told that this has to be chosen again in this window', () => {
  expect(notTakenOver('bypassPermissions', 'default')).toEqual([expect.stringContaining('only once you have chosen it in this window')]);
  expect(notTakenOver('bypassPermissions', 'bypassPermissions')).toEqual([]);
});

test('it is taken over where the setting says that new sessions accept edits', () => {
  expect(scene('acceptEdits').accepted.resumedMode('a', 'acceptEdits')).toBe('acceptEdits');
});

test('stricter modes are taken over, and an unknown one is the usual', () => {
  const { accepted } = scene();
  expect(['plan', 'ask', 'default', 'yolo', undefined].map((mode) => accepted.resumedMode('a', mode))).toEqual([
    'plan',
    'ask',
    'default',
    'default',
    'default',
  ]);
});

test('what is kept stays small, and damage to it grants nothing', () => {
  const { accepted, inMode, approvals } = scene();
  for (let n = 0; n < 600; n += 1) inMode(`s${n}`, 'acceptEdits');
  expect([accepted.resumedMode('s0', 'acceptEdits'), accepted.resumedMode('s599', 'acceptEdits')]).toEqual(['default', 'acceptEdits']);
  approvals.put(ACCEPTED_EDITS, 'a', { a: 1 }, { session: 7 });
  expect([accepted.resumedMode('a', 'acceptEdits'), accepted.resumedMode('7', 'acceptEdits')]).toEqual(['default', 'default']);
});
